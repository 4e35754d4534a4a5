"""What is carried from record to record.

Rules of this file:

- A lane is the main conversation or one subagent's; what depends on order is in its lane. Lanes
  meet only by ids: a call's lane, a permission request's call.
- Only complete records move what decides something settled. Of a stream a lane remembers what is
  open, so that a delta is told apart from an orphan, and nothing else (laws.md, law 12).
- Everything that grows with the session is a persistent map or vector; every tuple is bounded.
- Values only: no transitions here.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from refold.json_values import Json
from refold.maps import EMPTY_MAP, Map
from refold.messages import TokenCounts
from refold.records import record
from refold.sources.claude_stream_json.usage import Ledger
from refold.sources.drafts import Draft
from refold.sources.tally import NOTHING_COUNTED, Tally
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = [
    "MAIN",
    "NOTHING_STREAMED",
    "START",
    "Call",
    "Entry",
    "Lane",
    "Origin",
    "Run",
    "State",
    "Step",
    "Streamed",
]

MAIN = ""

Origin: TypeAlias = tuple[str, ...]


@record
class Entry:
    """One record of the run.

    Args:
        value: its JSON object.
        at: its timestamp; None if it has no readable one.
        outbound: the host wrote it; None if that isn't known.
    """

    value: dict[str, Any]
    at: str | None = None
    outbound: bool | None = None


@record
class Streamed:
    """What is open of a message being streamed: the indices of its blocks, as keys.

    Args:
        text: the block that has the lane's text, if any.
        thinking: the one that has its thinking.
        calls: the ids of open calls, by block.
    """

    text: str | None = None
    thinking: str | None = None
    calls: Map[str] = EMPTY_MAP


NOTHING_STREAMED = Streamed()


@record
class Lane:
    """One conversation.

    Args:
        key: the id of the call that spawned it; empty for the main conversation.
        origin: the chain of session ids its messages carry.
        announced: its session was said to exist.
        model: the model its session_meta named.
        prompted: its first prompt came.
        active: the model has spoken since the last prompt or result.
        answered: a user record came since the model spoke.
        message: the message it is at; None if none is open.
        unnamed: how many messages without an id there were.
        blocks: the blocks of that message that were shown, as plain JSON data.
        requesting: a request was begun and not ended.
        input_at: the time of the last record the model answers to.
        output_at: the time of the model's last record.
        streamed: what is open of a stream.
        total: its tokens so far.
    """

    key: str
    origin: Origin = ()
    announced: bool = False
    model: str | None = None
    prompted: bool = False
    active: bool = False
    answered: bool = False
    message: str | None = None
    unnamed: int = 0
    blocks: Vector[Any] = EMPTY_VECTOR
    requesting: bool = False
    input_at: str | None = None
    output_at: str | None = None
    streamed: Streamed = NOTHING_STREAMED
    total: TokenCounts = TokenCounts()


@record
class Call:
    """A tool call the model made.

    Args:
        lane: the key of its lane.
        name: the tool's.
        arguments: its JSON text while it is open, else empty.
        open: it has no result.
    """

    lane: str
    name: str
    arguments: str = ""
    open: bool = True


@record
class Run:
    """The turn, as the main conversation sees it.

    Args:
        spoke: the assistant said something in it.
        interrupted: the host asked for an interrupt.
        aborted: an abort was said.
        compacting: why a compaction is running; None if none is.
        compact_asked: the user asked for one.
        unechoed: prompts the host sent that haven't come back.
    """

    spoke: bool = False
    interrupted: bool = False
    aborted: bool = False
    compacting: str | None = None
    compact_asked: bool = False
    unechoed: tuple[str, ...] = ()


@record
class State:
    """The source's state.

    Args:
        main: the main conversation's lane.
        nested: the lanes of nested sessions, by key.
        calls: all calls, by id.
        unanswered: the last calls without a result, oldest first.
        decided: the calls that somebody decided about.
        asked: the call of each open permission request, empty if it isn't known.
        seen: the ids of complete records.
        facts: the last value of each fact.
        session: id, model and folder, as the last session_meta said them.
        tools: the names of the tools, as last said.
        ledger: the tokens.
        run: the turn.
        counts: what wasn't understood, by reason.
    """

    main: Lane
    nested: Map[Lane] = EMPTY_MAP
    calls: Map[Call] = EMPTY_MAP
    unanswered: tuple[str, ...] = ()
    decided: Map[bool] = EMPTY_MAP
    asked: Map[str] = EMPTY_MAP
    seen: Map[bool] = EMPTY_MAP
    facts: Map[Json] = EMPTY_MAP
    session: tuple[str, ...] = ()
    tools: Json = None
    ledger: Ledger = Ledger()
    run: Run = Run()
    counts: Tally = NOTHING_COUNTED


START = State(main=Lane(key=MAIN, announced=True, prompted=True))

Step: TypeAlias = tuple[State, tuple[Draft, ...]]
