"""A thread while its records come in.

Rules of this file:

- A thread is everything known of one session. Values only; the verbs are in the files behind this
  one, each a function from thread to thread.
- What a record makes a thread say is collected in ``said`` and taken out once the record is done.
- What grows is persistent: a call per call, an identity per record (for forks that copy it).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.json_values import Json
from refold.maps import EMPTY_MAP, Map
from refold.messages import Payload, SessionMeta, TokenCounts
from refold.records import evolver, record
from refold.sources.logs.spots import NOWHERE, Sketch, Spot, sketched
from refold.sources.token_ledger import NO_TOKENS
from refold.texts import GrownText
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = ["Call", "Channel", "Copy", "Fragment", "Thought", "Thread", "Tokens", "Written", "say"]

Channel: TypeAlias = Literal["response", "event", "item"]
Written: TypeAlias = Map[tuple[int, int, int]]


@record
class Call:
    """A tool call.

    Args:
        name: the tool's.
        output: what it was last given as output.
        reason: how it ended; None while it runs.
        by: who gave that output.
    """

    name: str
    output: str = ""
    reason: str | None = None
    by: Channel | None = None


@record
class Fragment:
    """A text, thinking or output that is being streamed.

    Args:
        text: what came so far.
        section: which section of a thinking it is in.
        pieces: how many came.
        shown: it is said as it comes; another of its kind has the lane otherwise.
        first: where it began.
    """

    text: GrownText = ""
    section: int = 0
    pieces: int = 0
    shown: bool = True
    first: Spot = NOWHERE


@record
class Thought:
    """Sections of a thinking that came one by one.

    Args:
        sections: those that wait for the whole.
        first: where the first was.
        last: where the last was.
        over: the sections of the last whole one that may still be written again.
    """

    sections: tuple[str, ...] = ()
    first: Spot = NOWHERE
    last: Spot = NOWHERE
    over: tuple[str, ...] = ()


@record
class Tokens:
    """Tokens of a thread.

    Args:
        seen: the highest cumulative count, as (input, cached, written, output); None before any.
        used: the thread's own, so far.
    """

    seen: tuple[int, int, int, int] | None = None
    used: TokenCounts = NO_TOKENS


@record
class Copy:
    """The part of a fork that repeats its parent.

    Args:
        parent: the thread it was forked from.
        before: the first ordinal that is the fork's own, if it is said.
        forked_ms: when it was forked, in Unix ms.
        last_ms: the time of the last record, in Unix ms.
        cursor: the record of the parent behind the last one repeated.
    """

    parent: str
    before: int | None = None
    forked_ms: int | None = None
    last_ms: int | None = None
    cursor: int = 0


@record
class Thread:
    """One session.

    Args:
        id: the thread's id; empty if the file names none.
        origin: the threads it is nested in and itself, outer to inner; empty for the main one.
        meta: what was last said of what it runs on.
        source: what opened it: ``subagent`` or None.
        forked: it began with what another had.
        copy: the part that repeats the parent, while that lasts.
        hidden: what it repeats has been shown in the parent.
        records: an identity of each record.
        user: what the user was written to have said since the agent last acted, by text.
        agent: what the agent was written to have said since the user last spoke.
        thought: sections of a thinking.
        calls: by their id.
        deeds: ids of calls that only their arguments tell apart, by these.
        unnamed: how many calls had no id.
        tokens: what was used.
        running: a turn is.
        prompted: the user has spoken in it.
        failed: it ended with an error.
        compacted: who wrote the last compaction that another may write again.
        summary: the text of a compaction that is still to be written.
        fragments: what is streamed, by kind and the item's id.
        streaming: which of them has the lane, by kind.
        facts: the latest value of each.
        said: what the record at hand makes it say.
        oddities: what the record at hand holds that is to be counted.
    """

    id: str
    origin: tuple[str, ...] = ()
    meta: SessionMeta | None = None
    source: str | None = None
    forked: bool = False
    copy: Copy | None = None
    hidden: bool = False
    records: Vector[str] = EMPTY_VECTOR
    user: Written = EMPTY_MAP
    agent: Written = EMPTY_MAP
    thought: Thought = Thought()
    calls: Map[Call] = EMPTY_MAP
    deeds: Map[str] = EMPTY_MAP
    unnamed: int = 0
    tokens: Tokens = Tokens()
    running: bool = False
    prompted: bool = False
    failed: bool = False
    compacted: Channel | None = None
    summary: str | None = None
    fragments: Map[Fragment] = EMPTY_MAP
    streaming: Map[str] = EMPTY_MAP
    facts: Map[Json] = EMPTY_MAP
    said: tuple[Sketch, ...] = ()
    oddities: tuple[str, ...] = ()


_with_said = evolver(Thread, "said")


def say(
    thread: Thread,
    payload: Payload,
    spot: Spot,
    *,
    id: str | None = None,
    since: Spot | None = None,
) -> Thread:
    """Return a thread that says one thing more.

    Args:
        thread: the session.
        payload: what it says.
        spot: when, and on which line.
        id: the format's id of it, if there is one.
        since: where it began, if that was earlier.
    """
    return _with_said(thread, (*thread.said, sketched(payload, spot, id, since)))
