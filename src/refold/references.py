"""Which messages refer to earlier ones, and so must stay in one window with them.

Rules of this file (live.md "Windows"):

- A span reaches from what is referred to, to the last message that refers to it. Where it can't be
  told without folding whether something refers, it is taken that it does.
- What is never referred to again grows no span: a history whose calls have no outputs can be cut.
- Histories are traces. In a live capture a fragment is followed to the first complete of its kind.
- One pass, and a table of names; nothing here folds.
"""

from __future__ import annotations

from collections.abc import Sequence

from refold.boundaries import PLAIN, advance, starts_task
from refold.messages import (
    ApprovalDecision,
    CompactionBegin,
    McpConnectBegin,
    McpConnectEnd,
    Message,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    Payload,
    Text,
    Thinking,
    ToolCall,
    ToolCallOutput,
    ToolListReady,
)
from refold.reduce.cases import role_of
from refold.reduce.nesting import named_call

__all__ = ["reference_spans"]


def reference_spans(messages: Sequence[Message]) -> list[tuple[int, int]]:
    """Return the first and last index of everything that later messages refer to.

    Args:
        messages: a history, from its beginning on.
    """
    spans, boundary = _Spans(), PLAIN
    for index, message in enumerate(messages):
        if message.origin:
            _see_nested(spans, message, index)
            continue
        if starts_task(boundary, message.payload):
            spans.start(index)
        _see_own(spans, message.payload, index, boundary.compacting)
        boundary = advance(boundary, message.payload)
    return spans.closed(len(messages) - 1)


def _see_nested(spans: _Spans, message: Message, index: int) -> None:
    """See a nested session; the call it names may be there, or come and take it (rule 2)."""
    binds = role_of(message.payload) not in ("partial", "unknown")
    spans.session(f"session {message.origin[0]}", index, binds)
    name = named_call(message) if len(message.origin) == 1 else None
    if name is not None:
        spans.refer(f"call {name}", index)
        spans.see(f"name {name}", index)


def _see_own(spans: _Spans, payload: Payload, index: int, compacting: bool) -> None:
    match payload:
        case PartialText() | PartialThinking():
            spans.stream(payload.kind.removeprefix("partial_"), index)
        case Text() | Thinking():
            if payload.role != "user":
                spans.settle(payload.kind, index)
        case McpConnectBegin():
            spans.connect(index)
        case McpConnectEnd():
            spans.connected(index)
        case ToolListReady():
            spans.refer("mcp", index)
        case CompactionBegin():
            spans.wrap_up()
        case _:
            _see_call(spans, payload, index, compacting)


def _see_call(spans: _Spans, payload: Payload, index: int, compacting: bool) -> None:
    match payload:
        case ToolCall(tool_call_id=tool_call_id):
            if compacting:
                spans.see(f"call {tool_call_id}", index)
            else:
                spans.call(tool_call_id, index)
        case ToolCallOutput(tool_call_id=tool_call_id):
            spans.output(tool_call_id, index)
        case PartialToolCall(tool_call_id=tool_call_id):
            spans.stream(f"call {tool_call_id}", index)
        case PartialToolCallOutput(tool_call_id=tool_call_id):
            spans.see(f"call {tool_call_id}", index)
        case ApprovalDecision(tool_call_id=tool_call_id):
            spans.refer(f"call {tool_call_id}", index)
        case _:
            pass


class _Spans:
    """The spans of one pass: those still growing, by name, and those that were followed."""

    def __init__(self) -> None:
        self._growing: dict[str, tuple[int, int]] = {}
        self._called: set[str] = set()
        self._floating: set[str] = set()
        self._connecting = 0
        self._in_task = False
        self._loose: dict[str, int] = {}
        self._loose_in_task: dict[str, int] = {}
        self._done: list[tuple[int, int]] = []

    def see(self, name: str, index: int) -> None:
        """Let a span begin or grow."""
        first, _ = self._growing.get(name, (index, index))
        self._growing[name] = (first, index)

    def refer(self, name: str, index: int) -> None:
        """Let a span grow, if it has begun."""
        if name in self._growing:
            self.see(name, index)

    def stream(self, name: str, index: int) -> None:
        """Let a fragment begin or grow; it floats until its complete comes."""
        self.see(name, index)
        self._floating.add(name)

    def settle(self, name: str, index: int) -> None:
        """Let a complete end a fragment, if there is one."""
        self._floating.discard(name)
        if name in self._growing:
            first, _ = self._growing.pop(name)
            self._done.append((first, index))

    def start(self, index: int) -> None:
        """Let a task start; the next one's start will close what ran before this one (rule 19)."""
        self._done += [(first, index - 1) for first in self._loose_in_task.values()]
        self._loose_in_task, self._loose = self._loose, {}
        self._in_task = True

    def wrap_up(self) -> None:
        """Let a compaction begin, which may have ended the task (rule 29)."""
        self._in_task = False

    def call(self, tool_call_id: str, index: int) -> None:
        """Let a complete call join the span that waits for it, or begin another (rule 9)."""
        name = f"call {tool_call_id}"
        for loose in (self._loose, self._loose_in_task):
            if tool_call_id in loose:
                self._done.append((loose.pop(tool_call_id), index))
        if name in self._called:
            self._done.append(self._growing.pop(name))
        self._called.add(name)
        self.see(name, index)
        self._floating.discard(name)
        self.refer(f"name {tool_call_id}", index)
        if not self._in_task:
            self._loose[tool_call_id] = index

    def output(self, tool_call_id: str, index: int) -> None:
        """Let an output end what its call left open."""
        self.see(f"call {tool_call_id}", index)
        self._floating.discard(f"call {tool_call_id}")
        self.refer(f"name {tool_call_id}", index)
        self._loose.pop(tool_call_id, None)
        self._loose_in_task.pop(tool_call_id, None)

    def connect(self, index: int) -> None:
        """Let a connection begin, beside those that run."""
        if not self._connecting and "mcp" in self._growing:
            self._done.append(self._growing.pop("mcp"))
        self._connecting += 1
        self.see("mcp", index)

    def connected(self, index: int) -> None:
        """Let the last connection end."""
        self._connecting = max(0, self._connecting - 1)
        self.refer("mcp", index)

    def session(self, name: str, index: int, binds: bool) -> None:
        """Let a nested session's span begin or grow; it floats until a message binds it."""
        if name not in self._growing:
            self._floating.add(name)
        if binds:
            self._floating.discard(name)
        self.see(name, index)

    def closed(self, end: int) -> list[tuple[int, int]]:
        """Return all spans; those of what may still be moved or closed reach to the end."""
        loose = [*self._loose.values(), *self._loose_in_task.values()]
        growing = [
            (first, end if name in self._floating else last)
            for name, (first, last) in self._growing.items()
        ]
        return [*self._done, *[(first, end) for first in loose], *growing]
