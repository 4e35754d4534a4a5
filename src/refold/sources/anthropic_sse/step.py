"""Anthropic Messages events, one after another.

Rules of this file:

- One table from event type to case; what it doesn't hold is counted.
- A record is an event of a stream, or the message of a call that didn't stream.
- The API's events have no time. A recorder that wants times in the view writes the moment it
  received an event into the record, as ``timestamp`` (ISO 8601 or Unix ms): a stored stream then
  tells the same as the live one. The moment of observation is not put in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from refold.messages import Message
from refold.records import evolve
from refold.sources.anthropic_sse.blocks import block_delta, block_start, block_stop
from refold.sources.anthropic_sse.requests import (
    error,
    message_delta,
    message_start,
    message_stop,
    request_over,
    whole_message,
)
from refold.sources.anthropic_sse.state import START, Event, State, Step, count
from refold.sources.drafts import messages_of
from refold.sources.event_streams import END_OF_STREAM
from refold.sources.fields import mapping, moment, name, text
from refold.sources.source import Record
from refold.sources.tally import totals, unknown

__all__ = ["EVENTS", "counts", "finish", "recognises", "start", "step"]

NAME = "anthropic-sse"

Case: TypeAlias = Callable[[State, Event, str | None], Step]


def _ping(state: State, event: Event, at: str | None) -> Step:
    return state, ()


EVENTS: dict[str, Case] = {
    "message_start": message_start,
    "content_block_start": block_start,
    "content_block_delta": block_delta,
    "content_block_stop": block_stop,
    "message_delta": message_delta,
    "message_stop": message_stop,
    "message": whole_message,
    "error": error,
    "ping": _ping,
}

_TELLING = frozenset(
    {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    }
)


def recognises(values: Sequence[Any]) -> bool:
    """Tell whether the first records are events of the Messages API, or its messages.

    Args:
        values: plain JSON data.
    """
    return any(
        each.get("type") in _TELLING or _is_message(each)
        for each in values
        if isinstance(each, dict) and isinstance(each.get("type"), str)
    )


def start() -> State:
    """Return the state before any event."""
    return START


def step(
    state: State, record: Record, observed_ms: int | None = None
) -> tuple[State, tuple[Message, ...]]:
    """Read one record.

    Args:
        state: the state before it.
        record: an event, or a whole message.
        observed_ms: not used; see the rules of this file.
    """
    event = record.value
    if event == END_OF_STREAM:
        return state, ()
    if not isinstance(event, dict):
        return count(state, "record that is no event"), ()
    case = EVENTS.get(text(event.get("type")))
    if case is None:
        return evolve(state, tally=unknown(state.tally, "event", event.get("type"))), ()
    after, drafts = case(state, event, moment(event.get("timestamp")))
    return after, messages_of(drafts, NAME, record, _ident(state, after, event))


def finish(state: State) -> tuple[Message, ...]:
    """End what the end of the stream cut.

    Args:
        state: the state behind the last event.
    """
    _, drafts = request_over(state, None)
    return messages_of(drafts, NAME, Record(value=None), _ident(state, state, {}))


def counts(state: State) -> dict[str, int]:
    """Return how many records were not understood, by reason."""
    return totals(state.tally)


def _ident(before: State, after: State, event: Event) -> str | None:
    for state in (after, before):
        if state.request is not None:
            return name(state.request.id)
    return name(mapping(event.get("message")).get("id")) or name(event.get("id"))


def _is_message(value: dict[str, Any]) -> bool:
    return (
        value.get("type") == "message"
        and value.get("role") == "assistant"
        and isinstance(value.get("content"), list)
        and isinstance(value.get("model"), str)
    )
