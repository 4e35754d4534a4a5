"""A tool call as the stream tells it: moments and words, with phases derived.

Rules of this file:

- As in ``marks``: what follows from the messages is a property, None is unknown or not there, and
  no duration is negative.
- A call runs from its approval, else from its call, to its output or to the abort that stopped it.
"""

from __future__ import annotations

from typing import Literal

from refold.analysis.intervals import Interval, between
from refold.records import record

__all__ = ["Tool"]


@record
class Tool:
    """A tool call, from its arguments to its output.

    Args:
        tool_call_id: the call's id; an id may come twice.
        name: the tool's; empty for an output whose call the stream doesn't hold.
        ordinal: of the call, or of the output if that came first.
        task: the task it was called in.
        request: the request it was called in.
        called: whether the stream holds the complete call.
        call_stop_reason: how the model ended the call; given and not ``completed`` means that it
            was never dispatched (reducer.md rule 10).
        args_begin_ms: when its arguments began (rule 36).
        call_ms: when the call was complete.
        decision: ``allow``, ``deny``, ``forbidden``, or None if nobody was asked.
        approval_ms: when that was decided first.
        end_ms: when its output was complete, or it was aborted.
        ended_by: which of the two; None while it runs, or if it never ended.
        output_stop_reason: how it ended; ``aborted`` if only its task's end closed it.
        output_characters: how long the output is, in code points.
        session: the nested session it started.
    """

    tool_call_id: str
    name: str
    ordinal: int
    task: int | None = None
    request: int | None = None
    called: bool = False
    call_stop_reason: str | None = None
    args_begin_ms: int | None = None
    call_ms: int | None = None
    decision: str | None = None
    approval_ms: int | None = None
    end_ms: int | None = None
    ended_by: Literal["output", "abort"] | None = None
    output_stop_reason: str | None = None
    output_characters: int = 0
    session: int | None = None

    @property
    def dispatched(self) -> bool:
        """Whether it was run, or at least meant to be: called in full and not refused."""
        return self.call_stop_reason in (None, "completed") and self.decision not in (
            "deny",
            "forbidden",
        )

    @property
    def arguments_ms(self) -> int | None:
        """How long the model wrote its arguments."""
        return between(self.args_begin_ms, self.call_ms)

    @property
    def wait_ms(self) -> int | None:
        """How long it waited for an approval."""
        return between(self.call_ms, self.approval_ms)

    @property
    def run_begin_ms(self) -> int | None:
        """When it began to run: at its approval, else at its call."""
        return self.call_ms if self.approval_ms is None else self.approval_ms

    @property
    def run_ms(self) -> int | None:
        """How long it ran; None if it was never dispatched or never ended."""
        return between(self.run_begin_ms, self.end_ms) if self.dispatched else None

    @property
    def duration_ms(self) -> int | None:
        """Arguments and run together, as the tool card shows it (rule 37)."""
        run = between(self.run_begin_ms, self.end_ms)
        if run is None or self.ended_by != "output":
            return None
        return (self.arguments_ms or 0) + run

    @property
    def interval(self) -> Interval | None:
        """When it ran, for unions and lanes; None if it takes none."""
        begin, end = self.run_begin_ms, self.end_ms
        if begin is None or end is None or end < begin or not self.dispatched:
            return None
        return begin, end

    @property
    def waiting(self) -> Interval | None:
        """When it waited for a human; None if it didn't."""
        if self.call_ms is None or self.approval_ms is None or self.approval_ms <= self.call_ms:
            return None
        return self.call_ms, self.approval_ms
