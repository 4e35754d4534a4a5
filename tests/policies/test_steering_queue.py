"""What a user says while a run goes on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.history import steering
from refold.policies.steering_queue import (
    Accepted,
    Delivered,
    QueueConfig,
    QueueInput,
    QueueState,
    Refused,
    RoundBoundary,
    RunEnded,
    RunStarted,
    Steered,
    Undelivered,
    step,
)

RUNNING = QueueState(run_id="r1")


@pytest.mark.parametrize(
    ("state", "event", "output"),
    [
        (QueueState(), Steered(text="hey"), Refused(reason="no_run")),
        (RUNNING, Steered(text="hey", run_id="r2"), Refused(reason="other_run")),
        (RUNNING, Steered(text=" \ufeff", run_id="r1"), Refused(reason="empty")),
        (QueueState(run_id="r1", waiting=("a", "b")), Steered(text="c"), Refused(reason="full")),
        (RUNNING, RoundBoundary(), None),
        (QueueState(), RunEnded(), None),
        (QueueState(), RoundBoundary(), None),
    ],
)
def test_what_changes_nothing_returns_the_same_state(
    state: QueueState, event: QueueInput, output: object
) -> None:
    then, said = step(QueueConfig(capacity=2), state, event)
    assert then is state
    assert said == output


@pytest.mark.parametrize("run_id", [None, "r1"])
def test_a_text_for_the_run_waits(run_id: str | None) -> None:
    then, said = step(QueueConfig(), RUNNING, Steered(text="hey", run_id=run_id))
    assert (then, said) == (QueueState(run_id="r1", waiting=("hey",)), Accepted(position=1))


def test_between_rounds_all_are_handed_out_in_order() -> None:
    waiting = QueueState(run_id="r1", waiting=("a", "b"))
    delivered = Delivered(turns=(steering("a"), steering("b")))
    assert step(QueueConfig(), waiting, RoundBoundary()) == (RUNNING, delivered)


@pytest.mark.parametrize(
    ("event", "then"),
    [(RunEnded(), QueueState()), (RunStarted(run_id="r2"), QueueState(run_id="r2"))],
)
def test_a_run_that_is_over_gives_back_what_it_never_heard(
    event: QueueInput, then: QueueState
) -> None:
    waiting = QueueState(run_id="r1", waiting=("a",))
    assert step(QueueConfig(), waiting, event) == (then, Undelivered(texts=("a",)))


events = st.one_of(
    st.builds(RunStarted, run_id=st.sampled_from("rs")),
    st.builds(Steered, text=st.text("ab ", max_size=2), run_id=st.sampled_from([None, "r", "s"])),
    st.just(RoundBoundary()),
    st.just(RunEnded()),
)


@given(st.lists(events, max_size=20))
def test_every_text_taken_comes_out_once_and_in_order(happened: list[QueueInput]) -> None:
    state, taken, out = QueueState(), [], []
    for event in [*happened, RunEnded()]:
        state, said = step(QueueConfig(capacity=3), state, event)
        match said:
            case Accepted():
                taken.append(steering(event.text))  # type: ignore[union-attr]
            case Delivered():
                out += said.turns
            case Undelivered():
                out += map(steering, said.texts)
    assert out == taken
    assert state == QueueState()
