from __future__ import annotations

from refold.policies.duplex.failures import LimitExceeded
from refold.policies.duplex.limits import (
    UNLIMITED,
    Limits,
    TurnBytes,
    charge,
    charge_buffered,
    event_trip,
    frame_trip,
    start_counting,
    stop_counting,
)


def test_everything_is_unlimited_unless_it_is_given() -> None:
    assert Limits(max_frame_bytes=None, max_turn_bytes=None, max_turn_events=None) == UNLIMITED
    assert frame_trip(UNLIMITED, 1 << 40) is None
    assert event_trip(UNLIMITED, 1 << 40) is None
    assert charge(UNLIMITED, TurnBytes(used=0), 1 << 40) == TurnBytes(used=1 << 40)


def test_the_count_begins_anew_with_every_turn() -> None:
    assert start_counting(TurnBytes(used=7)) == TurnBytes(used=0, fresh=True)
    assert stop_counting(TurnBytes(used=7)) == TurnBytes()


def test_nothing_is_charged_while_no_turn_is_pending() -> None:
    idle = TurnBytes()

    assert charge(Limits(max_turn_bytes=1), idle, 5) is idle
    assert charge_buffered(Limits(max_turn_bytes=1), idle, 5) is idle


def test_a_limit_of_bytes_may_be_reached_and_not_passed() -> None:
    limits = Limits(max_turn_bytes=10)

    assert charge(limits, TurnBytes(used=4), 6) == TurnBytes(used=10)
    assert charge(limits, TurnBytes(used=4), 7) == LimitExceeded(limit="turn_bytes", max=10)


def test_the_event_that_finds_the_turn_full_trips() -> None:
    limits = Limits(max_turn_events=1)

    assert event_trip(limits, 0) is None
    assert event_trip(limits, 1) == LimitExceeded(limit="turn_events", max=1)
