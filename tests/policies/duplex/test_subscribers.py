from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.policies.duplex.subscribers import (
    DEFAULT_CAPACITY,
    Batch,
    Ring,
    oldest,
    publish,
    read,
    ring,
    subscribe,
)


def published(count: int, capacity: int = DEFAULT_CAPACITY) -> Ring[int]:
    events: Ring[int] = ring(capacity)
    for number in range(count):
        events = publish(events, number)
    return events


def test_a_reader_gets_what_came_since_it_joined() -> None:
    events = published(3)
    cursor = subscribe(events)

    assert read(publish(events, 9), cursor) == Batch(skipped=0, events=(9,), cursor=4)


def test_who_joins_late_misses_what_came_before() -> None:
    events = published(3)

    assert read(events, subscribe(events)) == Batch(skipped=0, events=(), cursor=3)


def test_a_slow_reader_is_told_once_and_goes_on_with_the_oldest_kept() -> None:
    events = published(5, capacity=2)
    batch = read(events, 0)

    assert batch == Batch(skipped=3, events=(3, 4), cursor=5)
    assert read(publish(events, 5), batch.cursor) == Batch(skipped=0, events=(5,), cursor=6)


def test_exactly_the_capacity_is_kept_and_the_default_is_256() -> None:
    events = published(1000)

    assert oldest(events) == 1000 - 256
    assert read(events, 0) == Batch(skipped=744, events=tuple(range(744, 1000)), cursor=1000)


def test_a_capacity_below_one_is_one() -> None:
    assert read(published(3, capacity=0), 0) == Batch(skipped=2, events=(2,), cursor=3)


def test_a_cursor_ahead_of_everything_waits_for_the_next() -> None:
    assert read(published(2), 99) == Batch(skipped=0, events=(), cursor=2)


def test_nobody_reading_is_fine() -> None:
    assert published(10, capacity=3).published == 10


@given(st.integers(0, 40), st.integers(1, 9), st.integers(0, 45))
def test_a_reader_gets_every_kept_event_it_has_not_had(
    count: int, capacity: int, cursor: int
) -> None:
    batch = read(published(count, capacity), cursor)
    kept = range(max(0, count - capacity), count)

    assert batch.events == tuple(each for each in kept if each >= cursor)
    assert batch.skipped == len([each for each in range(cursor, count) if each not in kept])
    assert batch.cursor == count
