"""What is carried from record to record.

Rules of this file:

- A lane is one independently ordered stream of records: the main thread, or one subagent. All
  that depends on order is in its lane; what joins lanes is in ``State``, by ids only.
- Everything that grows with the session is a persistent map, so a record costs the same in a long
  session as in a short one; every tuple here is bounded.
- Values only: no transitions here.
"""

from __future__ import annotations

from typing import Any

from refold.json_values import Json
from refold.maps import EMPTY_MAP, Map
from refold.messages import Payload, TokenCounts
from refold.records import record
from refold.sources.claude_code.readings import Steer

__all__ = [
    "MAIN",
    "START",
    "Group",
    "Header",
    "Lane",
    "Out",
    "Place",
    "Spawn",
    "State",
    "Step",
    "TaskEntry",
    "Watched",
]

MAIN = ""


@record
class Place:
    """The record that a message is made of.

    Args:
        timestamp: the record's, as it was written.
        id: its uuid.
        line: its line, if it came from a file.
        spent: how many messages were made of it in earlier steps.
    """

    timestamp: str | None = None
    id: str | None = None
    line: int | None = None
    spent: int = 0


@record
class Out:
    """A payload on its way out.

    Args:
        payload: what to say.
        place: the record it is made of.
        timestamp: the message's time.
    """

    payload: Payload
    place: Place
    timestamp: str | None


@record
class Header:
    """What a session's ``session_meta`` says; None is not known yet."""

    session_id: str | None = None
    workspace: str | None = None
    model: str | None = None
    call_id: str | None = None


@record
class Group:
    """A request whose response is being written, line by line.

    Args:
        key: what its lines share; None belongs to no other line.
        place: its last line so far.
        usage: the tokens of the request, as its last line knows them.
        model: the model that answers.
        status: how the request ended, as far as is known.
        answered: a result of one of its calls came.
    """

    key: str | None
    place: Place
    usage: TokenCounts | None = None
    model: str | None = None
    status: str = "completed"
    answered: bool = False


@record
class Watched:
    """A call whose result changes a fact."""

    name: str
    input: Any


@record
class TaskEntry:
    """An entry of the task list."""

    id: str
    subject: str
    status: str


@record
class Lane:
    """One stream of records.

    Args:
        agent: the subagent's id; empty for the main thread.
        origin: the chain of session ids its messages carry.
        header: what is known of the session.
        announced: what its last ``session_meta`` said, if there was one.
        group: the request that is open.
        closed: the tokens of every request that was closed, by key.
        total: the tokens of all closed requests.
        input_at: the time of the last record the model answers to.
        seen: the keys of what was shown.
        queue: prompts typed while the model worked, oldest first.
        steered: texts taken out of the queue whose attachment hasn't come.
        attaches: the client writes queued prompts as attachments.
        facts: the last value of each fact.
        title_rank: the rank of the title in force.
        tasks: the task list, in order of creation.
        watched: open calls whose results change facts.
        unnamed: the made-up ids of calls without one that are still open, oldest first.
        compacted: a compaction's boundary came and its summary hasn't.
    """

    agent: str
    origin: tuple[str, ...] = ()
    header: Header = Header()
    announced: Header | None = None
    group: Group | None = None
    closed: Map[TokenCounts] = EMPTY_MAP
    total: TokenCounts = TokenCounts()
    input_at: str | None = None
    seen: Map[bool] = EMPTY_MAP
    queue: tuple[Steer | None, ...] = ()
    steered: tuple[str, ...] = ()
    attaches: bool = False
    facts: Map[Json] = EMPTY_MAP
    title_rank: int = 0
    tasks: tuple[TaskEntry, ...] = ()
    watched: Map[Watched] = EMPTY_MAP
    unnamed: tuple[str, ...] = ()
    compacted: bool = False


Step = tuple[Lane, tuple[Out, ...]]


@record
class Spawn:
    """A call that starts a subagent; ``call_id`` is None if two calls look the same."""

    call_id: str | None
    agent: str


@record
class State:
    """The source's state.

    Args:
        lanes: by agent id.
        records: the agent id of every record by its uuid.
        calls: which lane made a spawning call, by the call's id.
        spawns: spawning calls by the digest of their prompt.
        waiting: subagents that know no call yet, by the digest of their first prompt.
        bound: the call of a subagent, by agent id, as soon as anything tells it.
        counts: records and parts that showed nothing, by reason.
    """

    lanes: Map[Lane] = EMPTY_MAP
    records: Map[str] = EMPTY_MAP
    calls: Map[str] = EMPTY_MAP
    spawns: Map[Spawn] = EMPTY_MAP
    waiting: Map[str] = EMPTY_MAP
    bound: Map[str] = EMPTY_MAP
    counts: Map[int] = EMPTY_MAP


START = State()
