"""What is carried from one message to the next, per session.

Rules of this file:

- An ``Account`` is one session's; the ``Tally`` holds them all, the main session's first, a nested
  one behind its parent. Sessions point at each other by place, never by path: a chain of 10,000
  origins costs 10,000 accounts and no more.
- Frozen values over persistent vectors and maps: a step copies what it changes, whatever the
  length. Marks are entered when something begins and replaced as it goes on; a place stays.
- Nothing is summed here that the marks can tell in the end (``finish``).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.analysis.marks import AbortMark, Reconnect, Request, Segment, TaskMark, UsagePoint
from refold.analysis.tokens import NO_TOKENS, Tokens
from refold.analysis.tool_marks import Tool
from refold.boundaries import Boundary
from refold.maps import EMPTY_MAP, Map
from refold.records import record
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = [
    "About",
    "Account",
    "Books",
    "Clock",
    "Kept",
    "Requests",
    "Standing",
    "Tally",
    "Tasks",
    "Tools",
]

Binding: TypeAlias = Literal["explicit", "inferred", "none"]


@record
class About:
    """What a session says of itself; what it runs on may change on the way.

    Args:
        session_id: its id.
        provider: whose model it uses now.
        model: which.
        source: ``subagent`` or ``schedule``; None = made by a user.
        agent_state: the path of the agent's state.
        workspace: the directory it works in.
    """

    session_id: str | None = None
    provider: str | None = None
    model: str | None = None
    source: str | None = None
    agent_state: str | None = None
    workspace: str | None = None


@record
class Clock:
    """Known message times.

    Args:
        previous_ms: of this session's previous complete or event (reducer.md rule 36).
        first_ms: the first in this session or below.
        last_ms: the largest in this session or below.
        task_first_ms: the first in the open task.
        task_last_ms: the largest in the open task, outside compaction.
    """

    previous_ms: int | None = None
    first_ms: int | None = None
    last_ms: int | None = None
    task_first_ms: int | None = None
    task_last_ms: int | None = None


@record
class Tasks:
    """Tasks and compactions, in the order they began.

    Args:
        rows: all of them.
        task: the place of the open task.
        compaction: the place of the running compaction.
        may_reopen: a wrap-up compaction settled the task; steering opens one again (rule 18).
    """

    rows: Vector[TaskMark] = EMPTY_VECTOR
    task: int | None = None
    compaction: int | None = None
    may_reopen: bool = False


@record
class Requests:
    """Requests, and what they wrote.

    Args:
        rows: all requests.
        outside: the place of the open request outside compaction.
        inside: the place of the open request of the running compaction.
        boundary_ms: where the next segment begins.
        segments: what was written.
        reconnects: failures that are tried again.
        attempt: failures in a row.
    """

    rows: Vector[Request] = EMPTY_VECTOR
    outside: int | None = None
    inside: int | None = None
    boundary_ms: int | None = None
    segments: Vector[Segment] = EMPTY_VECTOR
    reconnects: Vector[Reconnect] = EMPTY_VECTOR
    attempt: int = 0


@record
class Kept:
    """A decision that came before its call (rule 27)."""

    decision: str
    at_ms: int | None


@record
class Tools:
    """Tool calls.

    Args:
        rows: all of them.
        places: the place of the latest of each id.
        running: the places of those called since the last closing; a log, checked when read.
        kept: decisions that came before their call.
        starts: when arguments began whose call is still to come, by id (rule 36).
        spawning: a bit for each place a nested session may be inferred for (rule 2).
    """

    rows: Vector[Tool] = EMPTY_VECTOR
    places: Map[int] = EMPTY_MAP
    running: Vector[int] = EMPTY_VECTOR
    kept: Map[Kept] = EMPTY_MAP
    starts: Map[int] = EMPTY_MAP
    spawning: int = 0


@record
class Standing:
    """What the wrap-up test of rule 29 asks.

    Args:
        text_last: the last placed item is an assistant text, nested sessions set aside.
        sessions: a bit for each nested session whose own item is placed behind that.
        output_since: a complete tool output came since the last request outside compaction began.
    """

    text_last: bool = False
    sessions: int = 0
    output_since: bool = False


@record
class Books:
    """What a session's own messages are entered in."""

    tasks: Tasks = Tasks()
    requests: Requests = Requests()
    tools: Tools = Tools()
    usage: Vector[UsagePoint] = EMPTY_VECTOR
    context: int = 0
    standing: Standing = Standing()
    aborts: Vector[AbortMark] = EMPTY_VECTOR


@record
class Account:
    """One session.

    Args:
        name: its id as the origin chain has it; None for the main session.
        parent: the place of the session around it.
        tool: the place of the call that started it, among the parent's tools.
        binding: how that is known; None before its first complete, event or session_meta.
        children: the places of the sessions inside it, by id.
        awaiting: those that name a call still to come, by the call's id.
        about: what it says of itself.
        boundary: where the next task may start.
        clock: its times.
        books: what happened in it.
    """

    name: str | None = None
    parent: int | None = None
    tool: int | None = None
    binding: Binding | None = None
    children: Map[int] = EMPTY_MAP
    awaiting: Map[int] = EMPTY_MAP
    about: About = About()
    boundary: Boundary = Boundary()
    clock: Clock = Clock()
    books: Books = Books()


@record
class Tally:
    """Everything counted so far.

    Args:
        messages: how many there were.
        accounts: the sessions.
        nested: tokens that nested sessions reported, as they passed through the main one.
    """

    messages: int = 0
    accounts: Vector[Account] = EMPTY_VECTOR.append(Account())
    nested: Tokens = NO_TOKENS
