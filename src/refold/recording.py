"""What a trace writer keeps of a live stream.

Rules of this file (laws.md, law 4):

- Partials are dropped; every other message is kept, in order.
- A complete text, thinking or tool_call carries when its fragment began, as a transport extra, so
  that a replay gives the same durations. Which start belongs to which complete only the fold knows:
  it is asked, not imitated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from refold.folding import AnyMessage, decoded
from refold.maps import EMPTY_MAP
from refold.messages import Message, Text, Thinking, ToolCall, Transport
from refold.records import evolve
from refold.reduce.calls import call_start_ms
from refold.reduce.cases import reduce, role_of
from refold.reduce.fragments import text_start_ms, thinking_start_ms
from refold.state import Draft
from refold.times import format_ms

__all__ = ["record"]


def record(messages: Iterable[AnyMessage]) -> Iterator[Message]:
    """Yield what a trace of a stream holds.

    Args:
        messages: a live stream, as messages or raw objects.

    Raises:
        DecodeError: a raw object is no message.
    """
    draft = Draft()
    for each in messages:
        message = decoded(each)
        if role_of(message.payload) != "partial":
            yield _timed(message, _start_ms(draft, message))
        reduce(draft, message, 0, EMPTY_MAP)


def _start_ms(draft: Draft, message: Message) -> int | None:
    for session_id in message.origin:
        draft = draft.subagents.get(session_id)
        if draft is None:
            return None
    match message.payload:
        case Text(role=role, text=text) if role != "user":
            return text_start_ms(draft, text)
        case Thinking():
            return thinking_start_ms(draft, message.payload)
        case ToolCall(tool_call_id=tool_call_id):
            return call_start_ms(draft, tool_call_id)
        case _:
            return None


def _timed(message: Message, start_ms: int | None) -> Message:
    if start_ms is None:
        return message
    transport = message.transport or Transport()
    return evolve(message, transport=evolve(transport, started_at=format_ms(start_ms)))
