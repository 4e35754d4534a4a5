"""Windows: a long history cut where nothing is parted, each part folded on its own.

Rules of this file (live.md "Windows", laws.md law 7):

- A cut is clean where a task starts and nothing behind refers to an item in front. ``boundaries``
  says where tasks start; what must not be parted is a span of messages, and a cut inside none.
- ``prior`` is what the fold in front of a cut leaves to the fold behind it: a session without items.
- An older window is closed as the next task's start would close it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from refold.boundaries import PLAIN, advance, starts_task
from refold.folding import replay
from refold.messages import (
    ApprovalDecision,
    McpConnectBegin,
    McpConnectEnd,
    Message,
    PartialToolCall,
    PartialToolCallOutput,
    ToolCall,
    ToolCallOutput,
    ToolListReady,
)
from refold.records import evolver, record
from refold.reduce.cases import role_of
from refold.reduce.compactions import end_running
from refold.reduce.nesting import named_call
from refold.reduce.tasks import close_for_good, give_up_waiting
from refold.session import Session, freeze_session, thaw_session
from refold.state import Calls, Draft, Marks

__all__ = ["Window", "close_window", "prior_of", "task_starts", "window"]

_marks_kept = evolver(Marks, "local_decisions")


@record
class Window:
    """The messages behind a clean cut.

    Args:
        messages: the window's own, in order.
        start: how many stand in front of them; 0 if the window reaches the beginning.
        prior: what these leave to the window's fold; None if there are none.
    """

    messages: tuple[Message, ...]
    start: int
    prior: Session | None


def window(messages: Sequence[Message], limit: int) -> Window:
    """Return the last messages of a history, cut clean.

    Args:
        messages: the history, or what of it stands in front of a later window.
        limit: how many messages the window holds at least, if there are so many.
    """
    start = _cut(messages, limit)
    if start == 0:
        return Window(messages=tuple(messages), start=0, prior=None)
    closed = close_window(replay(messages[:start], now_ms=0))
    return Window(messages=tuple(messages[start:]), start=start, prior=prior_of(closed))


def close_window(session: Session) -> Session:
    """Return the session closed as the next task's start closes it (rules 16 and 19)."""
    draft = thaw_session(session)
    end_running(draft, "aborted")
    if draft.task is not None:
        close_for_good(draft)
    give_up_waiting(draft)
    return freeze_session(draft)


def prior_of(session: Session) -> Session:
    """Return what a closed window leaves to the next: totals, counters and names, but no item.

    Args:
        session: a session closed by ``close_window``. Decisions made on this client aren't taken
            along: they are given to every window.
    """
    earlier = session.calls.earlier
    for tool_call_id, card in session.calls.cards.items():
        earlier = earlier.put(tool_call_id, card.occurrence)
    draft = Draft(
        numbers=session.numbers,
        calls=Calls(approvals=session.calls.approvals, earlier=earlier),
        previous_ms=session.previous_ms,
        said=session.said,
        totals=session.totals,
        marks=_marks_kept(session.marks, Marks().local_decisions),
        diagnostics=session.diagnostics,
    )
    return freeze_session(draft)


def task_starts(messages: Sequence[Message]) -> list[int]:
    """Return the indices of the main session's messages that start a task (rule 16)."""
    boundary, starts = PLAIN, []
    for index, message in enumerate(messages):
        if not message.origin:
            if starts_task(boundary, message.payload):
                starts.append(index)
            boundary = advance(boundary, message.payload)
    return starts


# --- what must not be parted ----------------------------------------------------------------------


def _cut(messages: Sequence[Message], limit: int) -> int:
    """Return the last clean cut that leaves enough behind it, 0 if there is none."""
    latest = len(messages) - max(0, limit)
    spans = _spans(messages)
    depth = [0] * (len(messages) + 1)
    for first, last in spans:
        depth[first + 1] += 1
        depth[last + 1] -= 1
    parted = list(accumulate(depth))
    clean = (index for index in reversed(task_starts(messages)) if index <= latest)
    return next((index for index in clean if not parted[index]), 0)


def _spans(messages: Sequence[Message]) -> list[tuple[int, int]]:
    """Return the first and last index of everything that later messages refer to."""
    spans = _Spans()
    for index, message in enumerate(messages):
        if message.origin:
            binds = role_of(message.payload) not in ("partial", "unknown")
            spans.session(f"session {message.origin[0]}", index, binds)
            name = named_call(message) if len(message.origin) == 1 else None
            if name is not None:
                spans.refer(f"call {name}", index)
        else:
            _see_own(spans, message, index)
    return spans.closed(len(messages) - 1)


def _see_own(spans: _Spans, message: Message, index: int) -> None:
    match message.payload:
        case ToolCall(tool_call_id=tool_call_id):
            spans.call(f"call {tool_call_id}", index)
        case (
            ToolCallOutput(tool_call_id=tool_call_id)
            | PartialToolCall(tool_call_id=tool_call_id)
            | PartialToolCallOutput(tool_call_id=tool_call_id)
        ):
            spans.see(f"call {tool_call_id}", index)
        case ApprovalDecision(tool_call_id=tool_call_id):
            spans.refer(f"call {tool_call_id}", index)
        case McpConnectBegin():
            spans.see("mcp", index)
        case McpConnectEnd() | ToolListReady():
            spans.refer("mcp", index)
        case _:
            pass


class _Spans:
    """The spans of one pass: those still growing, by name, and those that were followed."""

    def __init__(self) -> None:
        self._growing: dict[str, tuple[int, int]] = {}
        self._called: set[str] = set()
        self._bound: set[str] = set()
        self._done: list[tuple[int, int]] = []

    def see(self, name: str, index: int) -> None:
        """Let a span begin or grow."""
        first, _ = self._growing.get(name, (index, index))
        self._growing[name] = (first, index)

    def refer(self, name: str, index: int) -> None:
        """Let a span grow, if it has begun."""
        if name in self._growing:
            self.see(name, index)

    def call(self, name: str, index: int) -> None:
        """Let a complete call join the span that waits for it, or begin another (rule 9)."""
        if name in self._called:
            self._done.append(self._growing.pop(name))
        self._called.add(name)
        self.see(name, index)

    def session(self, name: str, index: int, binds: bool) -> None:
        """Let a nested session's span begin or grow; it floats until a message binds it."""
        self.see(name, index)
        if binds:
            self._bound.add(name)

    def closed(self, end: int) -> list[tuple[int, int]]:
        """Return all spans; that of a session which still floats reaches to the end."""
        floating = {
            name
            for name in self._growing
            if name.startswith("session ") and name not in self._bound
        }
        return self._done + [
            (first, end if name in floating else last)
            for name, (first, last) in self._growing.items()
        ]
