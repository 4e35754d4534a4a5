from __future__ import annotations

from typing import get_args

from refold.policies.duplex.failures import (
    RENDERED,
    BudgetExceeded,
    Closed,
    ControlFailed,
    DeadlineExceeded,
    EncodeFailed,
    Failure,
    IoFailed,
    LimitExceeded,
    ProcessFailed,
    TurnInFlight,
    render,
    settle,
)


def test_every_failure_is_rendered() -> None:
    assert set(RENDERED) == set(get_args(Failure))


def test_limits_and_deadlines_are_told_apart() -> None:
    limit = settle(LimitExceeded(limit="turn_events", max=7), settled=True)
    deadline = settle(DeadlineExceeded(operation="control", timeout_ms=5), settled=False)

    assert limit == LimitExceeded(limit="turn_events", max=7, settled=True)
    assert deadline == DeadlineExceeded(operation="control", timeout_ms=5, settled=False)
    assert render(limit) == "limit exceeded: more than 7 events in one turn"
    assert render(deadline) == "control request deadline exceeded: not done within 5 ms"


def test_a_deadline_names_its_operation() -> None:
    failure = DeadlineExceeded(operation="turn", timeout_ms=1000)

    assert render(failure) == "turn deadline exceeded: not done within 1000 ms"


def test_each_limit_names_what_it_counts() -> None:
    assert render(LimitExceeded(limit="frame_bytes", max=4)) == (
        "limit exceeded: more than 4 bytes in one line"
    )
    assert render(LimitExceeded(limit="turn_bytes", max=4)) == (
        "limit exceeded: more than 4 bytes in one turn"
    )


def test_settling_what_is_settled_changes_nothing() -> None:
    failure = LimitExceeded(limit="frame_bytes", max=4)

    assert settle(failure, settled=False) is failure


def test_a_failed_process_tells_all_there_is() -> None:
    assert render(ProcessFailed(code=7)) == "process ended with code 7"
    told = ProcessFailed(
        code=-9, shutdown_budget_exceeded=True, stderr_tail="bye", stderr_error="gone"
    )
    assert render(told) == (
        "process ended with code -9 after it was stopped; reading its diagnostics failed: gone; "
        "its last diagnostics: bye"
    )


def test_the_others_are_one_line_each() -> None:
    assert render(TurnInFlight()) == "a turn is in flight"
    assert render(Closed()) == "the session is closed"
    assert render(ControlFailed(message="no turn")) == "control request failed: no turn"
    assert render(IoFailed(message="pipe")) == "pipe"
    assert render(EncodeFailed(message="NaN")) == "could not encode a line: NaN"
    assert render(BudgetExceeded(spent_usd="1.5", ceiling_usd="1")) == (
        "budget exceeded: 1.5 USD of 1 USD spent"
    )
