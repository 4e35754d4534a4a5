"""When failures become an outage, and when a crashed forwarder may start again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.policies.delivery import ITEM, Attempts, Retry, decided
from refold.policies.outages import ALARM_AT, HEALTHY_MS, Health, Restarts, noted, restarted


def alarms(*successes: bool) -> list[bool]:
    health, told = Health(), []
    for each in successes:
        health, alarm = noted(health, success=each)
        told.append(alarm)
    return told


def test_the_fifth_failure_in_a_row_raises_one_alarm_and_counting_goes_on() -> None:
    assert alarms(*[False] * 7) == [False] * 4 + [True] + [False] * 2
    health = Health(failures=ALARM_AT + 1)
    assert health.degraded and not Health(failures=ALARM_AT - 1).degraded


def test_a_success_ends_the_outage_and_arms_the_alarm_again() -> None:
    told = alarms(*[False] * ALARM_AT, True, *[False] * ALARM_AT)
    assert told.count(True) == 2
    assert noted(Health(failures=9), success=True) == (Health(), False)
    assert noted(Health(), success=True)[0] == Health()


def test_failures_that_are_tried_for_ever_raise_the_alarm_too() -> None:
    attempts, health, raised = Attempts(), Health(), []
    for _ in range(ALARM_AT):
        attempts, decision = decided(attempts, "unavailable", ITEM, now_ms=0)
        assert isinstance(decision, Retry)
        health, alarm = noted(health, success=False)
        raised.append(alarm)
    assert raised[-1]


def waits(*uptimes_ms: int) -> list[int]:
    restarts, told = Restarts(), []
    for each in uptimes_ms:
        restarts, wait_ms = restarted(restarts, uptime_ms=each)
        told.append(wait_ms)
    return told


def test_a_crash_is_followed_by_a_restart_after_the_first_wait() -> None:
    assert waits(5) == [1_000]


def test_the_wait_doubles_with_every_crash_up_to_thirty_seconds() -> None:
    assert waits(*[0] * 7) == [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]


def test_a_healthy_run_starts_the_waits_over_before_its_own() -> None:
    assert waits(1_000, 1_000, HEALTHY_MS + 1_000, 1_000) == [1_000, 2_000, 1_000, 2_000]
    assert waits(0, 0, HEALTHY_MS) == [1_000, 2_000, 1_000]


@given(st.lists(st.booleans(), max_size=30))
def test_between_two_alarms_lies_a_success(successes: list[bool]) -> None:
    armed = True
    for success, alarm in zip(successes, alarms(*successes), strict=True):
        assert not (alarm and not armed)
        armed = success or (armed and not alarm)
