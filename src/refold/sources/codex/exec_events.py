"""What ``codex exec --json`` prints.

Rules of this file (census.md X13):

- An event is told by its type, with a dot in it; the last is ``error``, which has none.
- Items are numbered anew in every run of a thread: their ids are forgotten when a run starts.
- The usage of a turn is the thread's so far.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.maps import EMPTY_MAP
from refold.records import evolve
from refold.sources.codex.state import State, known_as, on_thread, opened, thread_of
from refold.sources.codex.streams import item_begun, item_done, left_open
from refold.sources.codex.threads import Thread
from refold.sources.codex.tokens import token_counts
from refold.sources.codex.turns import turn_begun, turn_done, turn_failed
from refold.sources.fields import mapping, text
from refold.sources.logs.spots import Spot

__all__ = ["EXEC_EVENTS", "is_exec_event", "take_exec_event"]

Event: TypeAlias = dict[str, Any]
Taker: TypeAlias = Callable[[Thread, Event, Spot], Thread]


def is_exec_event(value: Event) -> bool:
    """Tell whether a record is an event of ``exec``.

    Args:
        value: the record.
    """
    kind = value.get("type")
    if kind == "error":
        return isinstance(value.get("message"), str)
    return isinstance(kind, str) and (kind in EXEC_EVENTS or kind == "thread.started")


def take_exec_event(state: State, event: Event, lane: str | None, spot: Spot) -> State:
    """Take an event.

    Args:
        state: the records so far.
        event: it.
        lane: the reader's lane.
        spot: where it was.
    """
    if event.get("type") == "thread.started":
        return _started(state, event, lane, spot)
    taker = EXEC_EVENTS[text(event.get("type"))]
    return on_thread(state, thread_of(state, lane), lambda thread: taker(thread, event, spot))


def _started(state: State, event: Event, lane: str | None, spot: Spot) -> State:
    identity = text(event.get("thread_id"))
    state = opened(state, identity, lane, None)

    def take(thread: Thread) -> Thread:
        thread = evolve(left_open(thread, spot, "aborted"), calls=EMPTY_MAP)
        return known_as(thread, spot)

    return on_thread(state, state.threads[identity], take)


def _turn_begun(thread: Thread, event: Event, spot: Spot) -> Thread:
    return turn_begun(thread)


def _turn_done(thread: Thread, event: Event, spot: Spot) -> Thread:
    thread = token_counts(thread, event.get("usage"), None, spot)
    return turn_done(thread, None, spot)


def _turn_failed(thread: Thread, event: Event, spot: Spot) -> Thread:
    fault = text(mapping(event.get("error")).get("message")) or "error"
    return turn_done(thread, fault, spot)


def _error(thread: Thread, event: Event, spot: Spot) -> Thread:
    return turn_failed(thread, text(event.get("message")), spot)


EXEC_EVENTS: dict[str, Taker] = {
    "turn.started": _turn_begun,
    "turn.completed": _turn_done,
    "turn.failed": _turn_failed,
    "item.started": lambda thread, event, spot: item_begun(
        thread, mapping(event.get("item")), spot
    ),
    "item.updated": lambda thread, event, spot: item_begun(
        thread, mapping(event.get("item")), spot
    ),
    "item.completed": lambda thread, event, spot: item_done(
        thread, mapping(event.get("item")), spot
    ),
    "error": _error,
}
