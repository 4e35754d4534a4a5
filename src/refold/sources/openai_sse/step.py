"""OpenAI's stream events, one after another.

Rules of this file:

- One table from event type to case for the Responses API; a chunk of Chat Completions has no type
  and is told by its ``choices``. What neither holds is counted.
- A record is an event, a chunk, a response or completion that didn't stream, or ``[DONE]``.
- A response says when it was created and completed, a chunk when its completion began, in whole
  seconds; nothing else has a time. A recorder that wants more writes the moment it received an
  event into the record, as ``timestamp`` (ISO 8601 or Unix ms). The moment of observation is not
  put in its place, since a stored stream has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refold.messages import Message
from refold.records import evolve
from refold.sources.drafts import messages_of
from refold.sources.event_streams import END_OF_STREAM
from refold.sources.fields import mapping, moment, name, text
from refold.sources.openai_sse.chat import chat_chunk, chat_error, chat_over, is_chat
from refold.sources.openai_sse.requests import cut
from refold.sources.openai_sse.responses import RESPONSE_EVENTS, whole_response
from refold.sources.openai_sse.state import START, Event, State, Step, count
from refold.sources.source import Record
from refold.sources.tally import totals, unknown

__all__ = ["counts", "finish", "recognises", "start", "step"]

NAME = "openai-sse"

_CHAT_OBJECTS = ("chat.completion.chunk", "chat.completion")


def recognises(values: Sequence[Any]) -> bool:
    """Tell whether the first records are events of the Responses API or completion chunks.

    Args:
        values: plain JSON data.
    """
    return any(
        text(each.get("type")).startswith("response.")
        or each.get("object") in ("response", *_CHAT_OBJECTS)
        for each in values
        if isinstance(each, dict)
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
        record: an event, a chunk or a whole response.
        observed_ms: not used; see the rules of this file.
    """
    event = record.value
    if event == END_OF_STREAM:
        after, drafts = chat_over(state, None)
    elif isinstance(event, dict):
        after, drafts = _stepped(state, event, moment(event.get("timestamp")))
    else:
        after, drafts = count(state, "record that is no event"), ()
    return after, messages_of(drafts, NAME, record, _ident(after, event))


def finish(state: State) -> tuple[Message, ...]:
    """End what the end of the stream cut.

    Args:
        state: the state behind the last event.
    """
    is_chat_open = state.request is not None and state.request.api == "chat"
    _, drafts = chat_over(state, None) if is_chat_open else cut(state, None)
    return messages_of(drafts, NAME, Record(value=None), _ident(state, None))


def counts(state: State) -> dict[str, int]:
    """Return how many records were not understood, by reason."""
    return totals(state.tally)


def _stepped(state: State, event: Event, at: str | None) -> Step:
    kind = text(event.get("type"))
    if is_chat(event):
        return chat_chunk(state, event, at)
    if event.get("object") == "response" and not kind:
        return whole_response(state, event, at)
    case = RESPONSE_EVENTS.get(kind)
    if case is not None:
        return case(state, event, at)
    if not kind and isinstance(event.get("error"), dict):
        return chat_error(state, event, at)
    return evolve(state, tally=unknown(state.tally, "event", kind)), ()


def _ident(state: State, event: Any) -> str | None:
    if state.request is not None:
        return name(state.request.id)
    found = mapping(event)
    return name(mapping(found.get("response")).get("id")) or name(found.get("id"))
