"""AG-UI events, one after another.

Rules of this file:

- One table from event type to case; what it doesn't hold is counted.
- A record is an event, a list of events (a whole run as one document), an object of such lists (a
  fixture of several), or a ``RunAgentInput``. Anything else is counted.
- Before an event that says something of its own, loose fragments end.
- Time is the event's ``timestamp`` (Unix ms); events of most producers have none, and the moment
  somebody observed them is not put in its place, since a stored stream has no such moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from refold.messages import Message, RequestEnd
from refold.records import evolve
from refold.sources.ag_ui.calls import CALL_EVENTS
from refold.sources.ag_ui.runs import RUN_EVENTS, run_input_shown
from refold.sources.ag_ui.shared_state import STATE_EVENTS
from refold.sources.ag_ui.state import START, Event, State, Step, all_closed, count, lane_closed
from refold.sources.ag_ui.streams import STREAM_EVENTS
from refold.sources.ag_ui.subagents import SUBAGENT_EVENTS
from refold.sources.drafts import Drafts, draft, messages_of
from refold.sources.fields import moment, name, text
from refold.sources.source import Record
from refold.sources.tally import totals, unknown

__all__ = ["EVENTS", "counts", "finish", "recognises", "start", "step"]

NAME = "ag-ui"

Case: TypeAlias = Callable[[State, Event, str | None], Step]

EVENTS: dict[str, Case] = {
    **STREAM_EVENTS,
    **CALL_EVENTS,
    **RUN_EVENTS,
    **SUBAGENT_EVENTS,
    **STATE_EVENTS,
}

_CONTINUES_CHUNKS = frozenset(
    {
        "TEXT_MESSAGE_CHUNK",
        "TOOL_CALL_CHUNK",
        "REASONING_MESSAGE_CHUNK",
        "RAW",
        "ACTIVITY_SNAPSHOT",
        "ACTIVITY_DELTA",
        "REASONING_ENCRYPTED_VALUE",
    }
)
_INPUT_FIELDS = ("threadId", "runId", "messages")


def recognises(values: Sequence[Any]) -> bool:
    """Tell whether the first records are AG-UI events.

    Args:
        values: plain JSON data.
    """
    events = [each for value in values for each in _events(value)]
    return any(text(each.get("type")) in EVENTS or _is_input(each) for each in events)


def start() -> State:
    """Return the state before any event."""
    return START


def step(
    state: State, record: Record, observed_ms: int | None = None
) -> tuple[State, tuple[Message, ...]]:
    """Read one record.

    Args:
        state: the state before it.
        record: an event, or several.
        observed_ms: not used; an event's time is its own.
    """
    events = _events(record.value)
    if not events:
        return count(state, "record that is no event"), ()
    drafts: Drafts = ()
    ident = None
    for event in events:
        state, more = _stepped(state, event)
        drafts += more
        ident = name(event.get("messageId")) or name(event.get("toolCallId"))
    return state, messages_of(drafts, NAME, record, ident if len(events) == 1 else None)


def finish(state: State) -> tuple[Message, ...]:
    """Complete what the end of the stream cut.

    Args:
        state: the state behind the last event.
    """
    state, drafts = all_closed(state, None, "aborted")
    if state.running:
        drafts += (draft(RequestEnd(status="aborted")),)
    return messages_of(drafts, NAME, Record(value=None), None)


def counts(state: State) -> dict[str, int]:
    """Return how many records were not understood, by reason."""
    return totals(state.tally)


def _stepped(state: State, event: Event) -> Step:
    kind, at = text(event.get("type")), moment(event.get("timestamp"))
    if not kind and _is_input(event):
        return run_input_shown(state, event, at)
    case = EVENTS.get(kind)
    if case is None:
        return evolve(state, tally=unknown(state.tally, "event", kind)), ()
    drafts: Drafts = ()
    if kind not in _CONTINUES_CHUNKS:
        state, drafts = lane_closed(state, text(event.get("subagentRunId")), at, loose_only=True)
    state, more = case(state, event, at)
    return state, (*drafts, *more)


def _events(value: Any) -> list[Event]:
    """Return the events of a record, in order."""
    if isinstance(value, list):
        return [each for each in value if isinstance(each, dict)]
    if not isinstance(value, dict):
        return []
    if "type" in value or _is_input(value):
        return [value]
    lists = [each for each in value.values() if isinstance(each, list)]
    events = [each for one in lists for each in one if isinstance(each, dict)]
    return events or [value]


def _is_input(value: dict[str, Any]) -> bool:
    return "type" not in value and all(each in value for each in _INPUT_FIELDS)
