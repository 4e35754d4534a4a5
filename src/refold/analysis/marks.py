"""What happened when: the facts a trace gives, one frozen record each.

Rules of this file:

- A mark holds what the messages say and what only their order tells (which task, which request);
  whatever follows from that is a property.
- ``ordinal`` counts the messages of the whole stream from 0. ``task``, ``request`` and ``tool``
  are places in the lists of the same session; a nested session is a place in the list of sessions.
- Times are Unix ms, durations ms; None is unknown or not (yet) there. A duration is never
  negative: a clock that went back gives 0.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.analysis.intervals import between
from refold.analysis.rates import tokens_per_second
from refold.analysis.tokens import NO_TOKENS, Tokens
from refold.records import record

__all__ = [
    "AbortMark",
    "CompactionMark",
    "Reconnect",
    "Request",
    "Segment",
    "SegmentKind",
    "TaskMark",
    "UsagePoint",
]

SegmentKind: TypeAlias = Literal["thinking", "text", "tool_call"]


@record
class Request:
    """A request to the model.

    Args:
        ordinal: of its begin, or of its end if the stream holds no begin.
        task: the task it ran in, or the compaction; None outside all.
        compaction: whether it ran inside a compaction.
        begin_ms: when it began.
        end_ms: when it ended; None while it is open or if it never was closed.
        status: how it ended; None likewise.
        error_message: what the engine said, if it failed.
        wait_ms: approval waits inside it, summed (reducer.md rule 25).
        tokens: what it used, if the stream says so.
        provider: whose model, if known.
        model: which, if known.
        begun: whether the stream holds its begin.
    """

    ordinal: int
    task: int | None = None
    compaction: bool = False
    begin_ms: int | None = None
    end_ms: int | None = None
    status: str | None = None
    error_message: str | None = None
    wait_ms: int = 0
    tokens: Tokens | None = None
    provider: str | None = None
    model: str | None = None
    begun: bool = True

    @property
    def duration_ms(self) -> int | None:
        """End − begin."""
        return between(self.begin_ms, self.end_ms)

    @property
    def active_ms(self) -> int | None:
        """The duration without the approval waits inside."""
        duration = self.duration_ms
        return None if duration is None else max(0, duration - self.wait_ms)

    @property
    def output_tokens(self) -> int | None:
        """Tokens the model wrote."""
        return None if self.tokens is None else self.tokens.output

    @property
    def output_tps(self) -> float | None:
        """Output tokens per second of active time."""
        return tokens_per_second((self.tokens or NO_TOKENS).output, self.active_ms or 0)


@record
class Segment:
    """A stretch of a request in which the model wrote one thing.

    Args:
        request: the request.
        kind: what the model wrote.
        begin_ms: the previous boundary: the request's begin, or what was written or approved last.
        end_ms: when the thing was complete.
        ordinal: of the complete message.
        characters: how long its body is, in code points.
    """

    request: int
    kind: SegmentKind
    begin_ms: int | None
    end_ms: int | None
    ordinal: int
    characters: int

    @property
    def duration_ms(self) -> int | None:
        """End − begin."""
        return between(self.begin_ms, self.end_ms)


@record
class UsagePoint:
    """One report of tokens used: the points of a session are its trend over time.

    Args:
        ordinal: of the message.
        at_ms: its time.
        task: the task open then; also while a compaction runs inside that task.
        compaction: the compaction running then.
        request: the request it belongs to.
        within: the task open in each outer session, from the main session inwards.
        provider: whose model, if known.
        model: which, if known.
        tokens: what the request used; ``total`` is the context's size then.
        session_total: what the session says that it used so far.
    """

    ordinal: int
    at_ms: int | None
    task: int | None
    compaction: int | None
    request: int | None
    within: tuple[int | None, ...]
    provider: str | None
    model: str | None
    tokens: Tokens
    session_total: int


@record
class Reconnect:
    """A request that failed in a way that is tried again (rule 32).

    Args:
        ordinal: of the request's end.
        at_ms: its time.
        task: the task it failed in.
        status: ``failed``, ``timeout`` or ``malformed``.
        attempt: how many times it failed in a row, from 1.
        planned_delay_ms: the wait the engine announced, if positive.
        retrying: whether another request followed.
        retried_ms: when.
        gave_up: whether an abort or the next task came first.
    """

    ordinal: int
    at_ms: int | None
    task: int | None
    status: str
    attempt: int
    planned_delay_ms: int | None = None
    retrying: bool = False
    retried_ms: int | None = None
    gave_up: bool = False

    @property
    def wait_ms(self) -> int | None:
        """How long it really took until the next request."""
        return between(self.at_ms, self.retried_ms)


@record
class AbortMark:
    """Somebody stopped the running task."""

    ordinal: int
    at_ms: int | None
    task: int | None
    reason: str | None = None


@record
class CompactionMark:
    """What is special about a compaction.

    Args:
        reason: ``context``, ``turns`` or ``manual``.
        mode: ``summarize`` or ``discard``.
        context: tokens before it.
        turns: turns before it.
        inside: the task it interrupted; None for one that followed a task's end.
        status: how it ended; None while it runs.
        error_message: what the engine said, if it failed.
    """

    reason: str
    mode: str
    context: int
    turns: int
    inside: int | None = None
    status: str | None = None
    error_message: str | None = None


@record
class TaskMark:
    """A task, or a compaction, which is a task of its own here.

    Args:
        ordinal: of the message that started it.
        end_ordinal: of the first message behind it; None while it is open.
        label: how the user's text begins, for people.
        first_ms: the start's time, or the first known one.
        last_ms: its end: the last request's, else the largest time seen (rule 19).
        request_end_ordinal: of the last end of a request outside compaction.
        request_end_ms: its time; None if unknown.
        context: tokens in the context at its end.
        retries: requests that failed and are tried again.
        compaction: set for a compaction.
    """

    ordinal: int
    end_ordinal: int | None = None
    label: str = ""
    first_ms: int | None = None
    last_ms: int | None = None
    request_end_ordinal: int | None = None
    request_end_ms: int | None = None
    context: int = 0
    retries: int = 0
    compaction: CompactionMark | None = None

    @property
    def elapsed_ms(self) -> int:
        """End − begin, 0 if either is unknown."""
        return between(self.first_ms, self.last_ms) or 0
