"""Events for any number of readers, each at its own pace.

Rules of this file (sources/stream-json-and-acp.md 2.11):

- Events are numbered without gaps; a reader is a number, the next it wants. Nobody waits for it.
- Exactly the last ``capacity`` events are kept. Who lags further behind is told once how many it
  missed and goes on with the oldest kept.
- Who joins late misses what came before; that nobody reads is fine.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from refold.records import record
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = ["DEFAULT_CAPACITY", "Batch", "Ring", "oldest", "publish", "read", "ring", "subscribe"]

T = TypeVar("T")

DEFAULT_CAPACITY = 256


@record
class Ring(Generic[T]):
    """The last events of a session. Make one with ``ring``.

    Args:
        capacity: how many are kept.
        published: how many there ever were.
        before: a full generation of events, or none.
        latest: the generation being filled, behind it.
    """

    capacity: int
    published: int = 0
    before: Vector[T] = EMPTY_VECTOR
    latest: Vector[T] = EMPTY_VECTOR


@record
class Batch(Generic[T]):
    """What a reader gets.

    Args:
        skipped: how many events were gone before it read.
        events: those kept from then on.
        cursor: the next it wants.
    """

    skipped: int
    events: tuple[T, ...]
    cursor: int


def ring(capacity: int = DEFAULT_CAPACITY) -> Ring[Any]:
    """Return an empty ring.

    Args:
        capacity: how many events are kept, at least one.
    """
    return Ring(capacity=max(1, capacity))


def publish(events: Ring[T], event: T) -> Ring[T]:
    """Add an event; the oldest goes if the ring is full."""
    latest = events.latest.append(event)
    full = latest.slots == events.capacity
    return Ring(
        capacity=events.capacity,
        published=events.published + 1,
        before=latest if full else events.before,
        latest=EMPTY_VECTOR if full else latest,
    )


def subscribe(events: Ring[T]) -> int:
    """Return the cursor of a reader that begins now."""
    return events.published


def oldest(events: Ring[T]) -> int:
    """Return the number of the oldest event kept."""
    return max(0, events.published - events.capacity)


def read(events: Ring[T], cursor: int) -> Batch[T]:
    """Return what a reader hasn't had.

    Args:
        events: the ring.
        cursor: the next event the reader wants; one that isn't there yet is the next to come.
    """
    first = max(cursor, oldest(events))
    start = events.published - events.latest.slots - events.before.slots
    kept = (*events.before, *events.latest) if first < events.published else ()
    return Batch(
        skipped=max(0, first - max(0, cursor)),
        events=kept[first - start :],
        cursor=events.published,
    )
