"""Retry, skip or drop, by outcome and clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.delivery import (
    CHILD_START,
    DELTA,
    FACT,
    ITEM,
    STATUS,
    Attempts,
    Decision,
    Delivered,
    Dropped,
    Outcome,
    Retry,
    Rules,
    Skipped,
    backoff_ms,
    classified,
    decided,
    is_due,
)


def run(rules: Rules, *outcomes: Outcome, now_ms: int = 0) -> list[Decision]:
    attempts, told = Attempts(), []
    for each in outcomes:
        attempts, decision = decided(attempts, each, rules, now_ms=now_ms)
        told.append(decision)
    return told


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (200, "delivered"),
        (202, "delivered"),
        (400, "rejected"),
        (422, "rejected"),
        (408, "unavailable"),
        (409, "unavailable"),
        (425, "unavailable"),
        (429, "unavailable"),
        (500, "unavailable"),
        (503, "unavailable"),
        (302, "unavailable"),
    ],
)
def test_an_answers_status_tells_the_outcome(status: int, outcome: Outcome) -> None:
    assert classified(status, sent=True) == outcome


def test_without_an_answer_what_was_sent_is_ambiguous_and_what_was_not_is_unavailable() -> None:
    assert classified(None, sent=True) == "ambiguous"
    assert classified(None, sent=False) == "unavailable"


def test_a_rejected_item_is_tried_again_and_dropped_with_a_dead_letter_at_the_third() -> None:
    assert run(ITEM, "rejected", "rejected", "rejected") == [
        Retry(due_ms=1_000),
        Retry(due_ms=2_000),
        Dropped(reason="rejected 3 times", dead_letter=True),
    ]


def test_an_ambiguous_item_counts_as_delivered() -> None:
    assert run(ITEM, "ambiguous") == [Skipped(reason="sent without an answer")]


def test_an_unavailable_host_is_tried_for_ever() -> None:
    decisions = run(ITEM, *["unavailable"] * 50)
    assert all(isinstance(each, Retry) for each in decisions)
    assert decisions[-1] == Retry(due_ms=30_000)


def test_an_outage_uses_up_none_of_the_rejections() -> None:
    decisions = run(ITEM, *["unavailable"] * 5, "rejected", "rejected", "rejected")
    assert [type(each) for each in decisions[5:]] == [Retry, Retry, Dropped]


def test_a_status_is_held_when_ambiguous_and_dropped_without_a_dead_letter() -> None:
    assert run(STATUS, "ambiguous") == [Retry(due_ms=1_000)]
    assert run(STATUS, *["rejected"] * 3)[-1] == Dropped(
        reason="rejected 3 times", dead_letter=False
    )


def test_a_childs_start_is_dropped_with_a_dead_letter() -> None:
    assert run(CHILD_START, *["rejected"] * 3)[-1] == Dropped(
        reason="rejected 3 times", dead_letter=True
    )


@pytest.mark.parametrize("outcome", ["rejected", "unavailable", "ambiguous"])
@pytest.mark.parametrize("rules", [DELTA, FACT])
def test_a_delta_or_a_fact_is_never_tried_again(rules: Rules, outcome: Outcome) -> None:
    assert run(rules, outcome) == [Skipped(reason=f"{outcome}, not tried again")]


def test_success_forgets_what_failed() -> None:
    attempts, decision = decided(Attempts(made=4, rejected=2), "delivered", ITEM, now_ms=0)
    assert (attempts, decision) == (Attempts(), Delivered())


def test_waits_double_from_a_second_to_thirty() -> None:
    assert [backoff_ms(n) // 1_000 for n in range(1, 8)] == [1, 2, 4, 8, 16, 30, 30]
    assert backoff_ms(10**9) == 30_000


def test_the_hosts_own_wait_is_kept_where_it_is_longer() -> None:
    _, decision = decided(Attempts(), "unavailable", ITEM, now_ms=5, retry_after_ms=9_000)
    assert decision == Retry(due_ms=9_005)
    _, decision = decided(Attempts(), "unavailable", ITEM, now_ms=5, retry_after_ms=10)
    assert decision == Retry(due_ms=1_005)


def test_the_next_attempt_is_due_at_its_time_and_not_before() -> None:
    attempts, _ = decided(Attempts(), "unavailable", ITEM, now_ms=100)
    assert not is_due(attempts, 1_099)
    assert is_due(attempts, 1_100)


outcomes = st.sampled_from(["delivered", "rejected", "unavailable", "ambiguous"])


@given(st.lists(outcomes, max_size=30), st.sampled_from([ITEM, STATUS, CHILD_START, DELTA]))
def test_nothing_is_dropped_that_was_not_rejected_its_full_number_of_times(
    told: list[Outcome], rules: Rules
) -> None:
    attempts, rejections = Attempts(), 0
    for each in told:
        attempts, decision = decided(attempts, each, rules, now_ms=0)
        rejections += each == "rejected"
        if isinstance(decision, Dropped):
            assert rejections == rules.rejections
        if not isinstance(decision, Retry):
            rejections = 0
