from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.duplex.deadlines import (
    DEADLINES,
    LATEST_MS,
    STEPS,
    TURN,
    Deadline,
    DeadlineInput,
    Deadlines,
    Settled,
    Started,
    Ticked,
    earliest,
    expired,
    next_wakeup_ms,
    step,
)
from refold.policies.duplex.failures import DeadlineExceeded


def run(*events: DeadlineInput) -> Deadlines:
    deadlines = DEADLINES
    for event in events:
        deadlines = step(deadlines, event)
    return deadlines


def turn(timeout_ms: int | None, now_ms: int = 0) -> Started:
    return Started(key=TURN, timeout_ms=timeout_ms, now_ms=now_ms)


def control(number: int, timeout_ms: int, now_ms: int = 0) -> Started:
    return Started(key=number, timeout_ms=timeout_ms, now_ms=now_ms)


def test_every_input_has_a_transition() -> None:
    assert set(STEPS) == set(get_args(DeadlineInput))


@pytest.mark.parametrize("timeout_ms", [None, LATEST_MS, 1 << 200])
def test_no_timeout_and_one_beyond_the_clock_are_no_deadline(timeout_ms: int | None) -> None:
    deadlines = run(turn(timeout_ms, now_ms=1))

    assert earliest(deadlines) is None
    assert next_wakeup_ms(deadlines) is None
    assert expired(run(turn(timeout_ms, now_ms=1), Ticked(now_ms=LATEST_MS))) is None


def test_zero_expires_at_once() -> None:
    assert expired(run(turn(0, now_ms=100))) == DeadlineExceeded(operation="turn", timeout_ms=0)


def test_a_deadline_expires_when_its_time_has_come() -> None:
    assert expired(run(turn(50, now_ms=100), Ticked(now_ms=149))) is None
    assert expired(run(turn(50, now_ms=100), Ticked(now_ms=150))) == DeadlineExceeded(
        operation="turn", timeout_ms=50
    )


def test_the_earliest_governs() -> None:
    deadlines = run(turn(100), control(1, 50), control(2, 70), Ticked(now_ms=200))

    assert next_wakeup_ms(deadlines) == 50
    assert expired(deadlines) == DeadlineExceeded(operation="control", timeout_ms=50)


def test_at_a_tie_the_turn_is_first_then_the_lowest_number() -> None:
    controls = run(control(10, 50), control(9, 50))
    both = run(control(1, 50), turn(50))

    assert earliest(controls) == Deadline(key=9, at_ms=50, timeout_ms=50)
    assert earliest(both) == Deadline(key=TURN, at_ms=50, timeout_ms=50)


def test_what_is_settled_cannot_expire() -> None:
    deadlines = run(turn(50), control(1, 80), Settled(key=TURN), Ticked(now_ms=60))

    assert expired(deadlines) is None
    assert next_wakeup_ms(deadlines) == 80


def test_settling_what_is_not_open_changes_nothing() -> None:
    deadlines = run(turn(50))

    assert step(deadlines, Settled(key=7)) is deadlines


def test_a_new_turn_has_its_own_deadline() -> None:
    assert run(turn(50), turn(50, now_ms=40)).open == (Deadline(key=TURN, at_ms=90, timeout_ms=50),)


def test_the_clock_never_goes_back() -> None:
    deadlines = run(Ticked(now_ms=100))

    assert step(deadlines, Ticked(now_ms=50)) is deadlines
    assert step(deadlines, turn(10, now_ms=50)).open[0].at_ms == 110


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(0, 30)), max_size=12))
def test_what_governs_is_the_least_of_all_that_are_open(
    starts: list[tuple[int, int, int]],
) -> None:
    deadlines = run(*[Started(key=key, timeout_ms=t, now_ms=now) for key, t, now in starts])
    clock = 0
    expected: dict[int, int] = {}
    for key, timeout_ms, now_ms in starts:
        clock = max(clock, now_ms)
        expected[key] = clock + timeout_ms

    assert {each.key: each.at_ms for each in deadlines.open} == expected
    first = earliest(deadlines)
    assert (None if first is None else (first.at_ms, first.key)) == min(
        ((at_ms, key) for key, at_ms in expected.items()), default=None
    )
