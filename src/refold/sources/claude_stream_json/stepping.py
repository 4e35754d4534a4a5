"""The source: from a record to messages, by one table of record types.

Rules of this file:

- A type that isn't in the table is unknown: counted, harmless.
- A complete record that comes again under its own id says nothing twice.
- When no record comes any more, what the lanes' last messages used is counted; a run without a
  result is unfinished, and nothing is made up for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from refold.messages import Message
from refold.records import evolve, evolver
from refold.sources.claude_stream_json.assistants import assistant
from refold.sources.claude_stream_json.controls import cancelled, requested, responded
from refold.sources.claude_stream_json.requests import count_message
from refold.sources.claude_stream_json.results import result
from refold.sources.claude_stream_json.state import MAIN, Entry, State, Step
from refold.sources.claude_stream_json.streams import stream_event
from refold.sources.claude_stream_json.sundries import SUNDRIES
from refold.sources.claude_stream_json.systems import system
from refold.sources.claude_stream_json.unwrapping import entries_of
from refold.sources.claude_stream_json.users import user
from refold.sources.drafts import messages_of
from refold.sources.fields import name
from refold.sources.source import Record
from refold.sources.tally import counted, totals, unknown

__all__ = ["NAME", "RECORD_TYPES", "counts", "finish", "step"]

NAME = "claude-stream-json"

Reader: TypeAlias = Callable[[State, Entry], Step]

RECORD_TYPES: dict[str, Reader] = {
    "assistant": assistant,
    "user": user,
    "system": system,
    "result": result,
    "stream_event": stream_event,
    "control_request": requested,
    "control_response": responded,
    "control_cancel_request": cancelled,
    **SUNDRIES,
}


_with_seen = evolver(State, "seen")


def step(
    state: State, record: Record, observed_ms: int | None = None
) -> tuple[State, tuple[Message, ...]]:
    """Take one record.

    Args:
        state: the source's state.
        record: a decoded line, or a whole file that is one JSON array.
        observed_ms: when the caller saw it, in Unix ms; unused, for what has no time of its own
            must look the same when it is read again.
    """
    messages: list[Message] = []
    entries = entries_of(record)
    for index, entry in enumerate(entries):
        state, drafts = _taken(state, entry)
        if drafts:
            record_id = None if entry is None else name(entry.value.get("uuid"))
            place = f"[{index}]" if isinstance(record.value, list) else None
            messages += messages_of(drafts, NAME, record, record_id or place)
    return state, tuple(messages)


def finish(state: State) -> tuple[Message, ...]:
    """Return what is due when no record comes any more."""
    messages: list[Message] = []
    for key in (MAIN, *state.nested):
        state, drafts = count_message(state, key)
        messages.extend(messages_of(drafts, NAME, Record(value=None), None))
    return tuple(messages)


def counts(state: State) -> dict[str, int]:
    """Return how many records were not understood, by reason."""
    return totals(state.counts)


def _taken(state: State, entry: Entry | None) -> Step:
    if entry is None:
        return evolve(state, counts=counted(state.counts, "noise")), ()
    kind = name(entry.value.get("type"))
    reader = RECORD_TYPES.get(kind or "")
    if reader is None:
        return evolve(state, counts=unknown(state.counts, "record", kind)), ()
    record_id = name(entry.value.get("uuid"))
    if record_id is None or kind == "stream_event":
        return reader(state, entry)
    if record_id in state.seen:
        return evolve(state, counts=counted(state.counts, "repeated record")), ()
    return reader(_with_seen(state, state.seen.put(record_id, True)), entry)
