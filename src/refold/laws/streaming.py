"""A live stream made of a trace: the inverse of ``record``.

Rules of this file (laws.md laws 4 and 5):

- Each complete gets a start, deltas of a given size and a stop in front of it. They have no time of
  their own, so that they decide nothing the complete doesn't.
- Pieces are cut anywhere, inside surrogate pairs too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from refold.messages import (
    Message,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    Text,
    Thinking,
    ToolCall,
    ToolCallOutput,
)
from refold.records import evolve
from refold.reduce.cases import role_of

__all__ = ["rechunked", "streamed"]

_BODIES = {
    PartialText: "text",
    PartialThinking: "thinking",
    PartialToolCall: "arguments",
    PartialToolCallOutput: "output",
}


def streamed(trace: Iterable[Message], size: int) -> Iterator[Message]:
    """Yield a trace as an engine would have streamed it.

    Args:
        trace: messages; their partials are left out.
        size: how many UTF-16 code units a delta holds.
    """
    for message in trace:
        if role_of(message.payload) == "partial":
            continue
        piece = _piece_of(message.payload)
        if piece is not None:
            make, body = piece
            for event, text in _pieces(body, size):
                yield Message(payload=make(event, text), origin=message.origin)
        yield message


def rechunked(messages: Iterable[Message], size: int) -> Iterator[Message]:
    """Yield messages with every delta cut into smaller ones.

    Args:
        messages: a live stream.
        size: how many UTF-16 code units a delta holds at most.
    """
    for message in messages:
        field = _BODIES.get(type(message.payload))
        if field is None or message.payload.event_type != "delta":  # type: ignore[union-attr]
            yield message
            continue
        for text in _cut(getattr(message.payload, field), size) or [""]:
            payload: Any = evolve(message.payload, **{field: text})
            yield evolve(message, payload=payload)


def _piece_of(payload: Any) -> tuple[Callable[[str, str], Any], str] | None:
    match payload:
        case Text(role=role, text=body) if role != "user":
            return lambda event, text: PartialText(role=role, event_type=event, text=text), body
        case Thinking(role=role, thinking=body):
            return (
                lambda event, text: PartialThinking(role=role, event_type=event, thinking=text),
                body,
            )
        case ToolCall():
            return lambda event, text: _call_piece(payload, event, text), payload.arguments
        case ToolCallOutput():
            return lambda event, text: _output_piece(payload, event, text), payload.output
        case _:
            return None


def _call_piece(call: ToolCall, event: str, text: str) -> PartialToolCall:
    return PartialToolCall(
        role=call.role,
        event_type=event,
        name=call.name,
        arguments=text,
        tool_call_id=call.tool_call_id,
    )


def _output_piece(output: ToolCallOutput, event: str, text: str) -> PartialToolCallOutput:
    return PartialToolCallOutput(
        role=output.role,
        event_type=event,
        output=text,
        tool_call_id=output.tool_call_id,
        images=output.images if event == "stop" else None,
    )


def _pieces(body: str, size: int) -> list[tuple[str, str]]:
    return [("start", ""), *[("delta", text) for text in _cut(body, size)], ("stop", "")]


def _cut(text: str, size: int) -> list[str]:
    """Cut into pieces of so many UTF-16 code units, inside surrogate pairs where they fall."""
    units = text.encode("utf-16-le", "surrogatepass")
    step = 2 * max(1, size)
    return [
        units[at : at + step].decode("utf-16-le", "surrogatepass")
        for at in range(0, len(units), step)
    ]
