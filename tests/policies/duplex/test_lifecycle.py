from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.duplex.failures import (
    Closed,
    DeadlineExceeded,
    Failure,
    IoFailed,
    LimitExceeded,
    ProcessFailed,
)
from refold.policies.duplex.lifecycle import (
    LIFECYCLE,
    STEPS,
    TAIL_BYTES,
    Completed,
    Concluded,
    Failed,
    HostClosed,
    InputEnded,
    Lifecycle,
    LifecycleInput,
    NotReaped,
    PolicyTripped,
    ReadFailed,
    Reaped,
    Running,
    StderrFailed,
    StderrRead,
    accepted_failure,
    final_failure,
    is_alive,
    queued_failure,
    step,
)

LATE = DeadlineExceeded(operation="turn", timeout_ms=5)
TRIPPED = PolicyTripped(failure=LATE)


def run(*events: LifecycleInput, lifecycle: Lifecycle = LIFECYCLE) -> Lifecycle:
    for event in events:
        lifecycle = step(lifecycle, event)
    return lifecycle


def test_every_input_has_a_transition() -> None:
    assert set(STEPS) == set(get_args(LifecycleInput))


def test_a_session_runs_at_first() -> None:
    assert LIFECYCLE.status == Running()
    assert is_alive(LIFECYCLE)


def test_a_session_that_ended_well_is_completed() -> None:
    ended = run(InputEnded(), Reaped(code=0), Concluded())

    assert ended.status == Completed()
    assert final_failure(ended) is None
    assert not is_alive(ended)


def test_a_session_that_failed_says_why_in_words() -> None:
    ended = run(ReadFailed(message="oh no"), Reaped(code=0), Concluded())

    assert ended.status == Failed(message="oh no")
    assert not is_alive(ended)


def test_the_end_is_final_and_every_observer_sees_it_at_once() -> None:
    ended = run(Reaped(code=7), Concluded())
    later = run(Reaped(code=0), TRIPPED, StderrRead(data=b"x"), Concluded(), lifecycle=ended)

    assert later is ended
    assert ended.status == Failed(message="process ended with code 7")


def test_without_a_conclusion_the_last_status_stands() -> None:
    assert run(InputEnded(), Reaped(code=0)).status == Running()


PRECEDENCE: list[tuple[list[LifecycleInput], Failure | None]] = [
    (
        [
            TRIPPED,
            ReadFailed(message="read"),
            NotReaped(message="wait"),
            StderrFailed(message="err"),
        ],
        LATE,
    ),
    (
        [ReadFailed(message="read"), NotReaped(message="wait"), Reaped(code=7)],
        IoFailed(message="read"),
    ),
    (
        [NotReaped(message="wait"), Reaped(code=7), StderrFailed(message="err")],
        IoFailed(message="wait"),
    ),
    (
        [StderrRead(data=b"retained"), StderrFailed(message="err"), Reaped(code=7)],
        ProcessFailed(code=7, stderr_tail="retained", stderr_error="err"),
    ),
    (
        [StderrRead(data=b"retained"), StderrFailed(message="err"), Reaped(code=0)],
        IoFailed(message="reading the diagnostics failed: err; those read before: retained"),
    ),
    ([Reaped(code=0)], None),
    ([Concluded()], IoFailed(message="how the process ended is not known")),
]


@pytest.mark.parametrize(("events", "failure"), PRECEDENCE)
def test_evidence_decides_in_its_order(
    events: list[LifecycleInput], failure: Failure | None
) -> None:
    assert final_failure(run(*events)) == failure
    assert final_failure(run(*reversed(events))) == failure


def test_a_policy_failure_says_whether_the_child_was_reaped() -> None:
    assert final_failure(run(TRIPPED, Reaped(code=0))) == DeadlineExceeded(
        operation="turn", timeout_ms=5, settled=True
    )
    assert final_failure(run(TRIPPED, NotReaped(message="stuck"))) == LATE


def test_the_first_policy_that_trips_is_the_one() -> None:
    limit = PolicyTripped(failure=LimitExceeded(limit="turn_bytes", max=1))

    assert run(TRIPPED, limit).policy == LATE


def test_the_first_reason_to_stop_is_kept() -> None:
    assert run(HostClosed(), InputEnded(), TRIPPED).stop == "host_closed"
    assert run(InputEnded(), HostClosed()).stop == "input_ended"
    assert run(StderrFailed(message="x")).stop == "stderr_failed"
    assert run(TRIPPED).stop == "policy"


def test_a_deadline_may_turn_a_plain_end_into_a_failure() -> None:
    ended = run(InputEnded(), TRIPPED, Reaped(code=0), Concluded())

    assert ended.status == Failed(message="turn deadline exceeded: not done within 5 ms")


def test_the_accepted_hear_of_the_policy_and_the_queued_that_it_is_closed() -> None:
    tripped = run(TRIPPED, Reaped(code=1))

    assert accepted_failure(tripped) == DeadlineExceeded(
        operation="turn", timeout_ms=5, settled=True
    )
    assert accepted_failure(run(InputEnded())) == Closed()
    assert queued_failure(tripped) == Closed()


def test_diagnostics_keep_their_last_bytes() -> None:
    lifecycle = run(StderrRead(data=b"a" * TAIL_BYTES), StderrRead(data=b"bc"))

    assert lifecycle.stderr_tail == b"a" * (TAIL_BYTES - 2) + b"bc"
    assert run(StderrRead(data=b"x" * (TAIL_BYTES + 9))).stderr_tail == b"x" * TAIL_BYTES


def test_diagnostics_read_before_a_failure_stay() -> None:
    assert run(StderrRead(data=b"retained"), StderrFailed(message="x")).stderr_tail == b"retained"


def test_a_stopped_process_says_so() -> None:
    assert final_failure(run(Reaped(code=-15, shutdown_budget_exceeded=True))) == ProcessFailed(
        code=-15, shutdown_budget_exceeded=True
    )


evidence: st.SearchStrategy[LifecycleInput] = st.sampled_from(
    [
        InputEnded(),
        HostClosed(),
        TRIPPED,
        ReadFailed(message="r"),
        StderrRead(data=b"d"),
        StderrRead(data=b""),
        StderrFailed(message="e"),
        Reaped(code=0),
        Reaped(code=3),
        NotReaped(message="w"),
    ]
)


@given(st.lists(evidence, max_size=8), st.lists(evidence, max_size=4))
def test_a_concluded_session_never_changes(
    before: list[LifecycleInput], after: list[LifecycleInput]
) -> None:
    ended = run(*before, Concluded())

    assert not is_alive(ended)
    assert run(*after, Concluded(), lifecycle=ended) is ended
    assert isinstance(ended.status, Completed) == (final_failure(ended) is None)
