from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from refold.policies.duplex.controls import (
    CONTROLS,
    STEPS,
    Acknowledged,
    Ask,
    ControlDone,
    ControlInput,
    ControlLine,
    ControlOutput,
    ControlRefused,
    Controls,
    ControlsEnded,
    ControlUnwritten,
    Unasked,
    step,
)
from refold.policies.duplex.failures import Closed, ControlFailed, DeadlineExceeded, IoFailed
from refold.policies.duplex.wire_lines import request_line


def run(*events: ControlInput) -> tuple[Controls, list[ControlOutput]]:
    controls = CONTROLS
    told: list[ControlOutput] = []
    for event in events:
        controls, outputs = step(controls, event)
        told.extend(outputs)
    return controls, told


def test_every_input_has_a_transition() -> None:
    assert set(STEPS) == set(get_args(ControlInput))


def test_requests_are_numbered_from_one() -> None:
    _, told = run(Ask(), Ask(), Ask(subtype="initialize"))

    assert told == [
        ControlLine(
            request_id="interrupt-1", number=1, line=request_line("interrupt-1", "interrupt")
        ),
        ControlLine(
            request_id="interrupt-2", number=2, line=request_line("interrupt-2", "interrupt")
        ),
        ControlLine(
            request_id="initialize-3", number=3, line=request_line("initialize-3", "initialize")
        ),
    ]


def test_an_acknowledgement_settles_its_request_and_no_other() -> None:
    controls, told = run(Ask(), Ask(), Acknowledged(request_id="interrupt-2"))

    assert told[2:] == [ControlDone(request_id="interrupt-2", number=2)]
    assert dict(controls.outstanding) == {"interrupt-1": 1}


def test_an_error_fails_the_request_with_its_message() -> None:
    _, told = run(Ask(), Acknowledged(request_id="interrupt-1", error="no turn in flight"))

    assert told[1:] == [
        ControlDone(
            request_id="interrupt-1", number=1, failure=ControlFailed(message="no turn in flight")
        )
    ]


def test_an_acknowledgement_nobody_waits_for_is_ignored() -> None:
    once, _ = run(Ask(), Acknowledged(request_id="interrupt-1"))
    again, told = step(once, Acknowledged(request_id="interrupt-1"))

    assert again is once
    assert told == (Unasked(request_id="interrupt-1"),)


def test_a_request_that_cannot_be_written_fails() -> None:
    broken = IoFailed(message="pipe")
    controls, told = run(Ask(), ControlUnwritten(request_id="interrupt-1", failure=broken))

    assert told[1:] == [ControlDone(request_id="interrupt-1", number=1, failure=broken)]
    assert controls == Controls(last=1)


def test_the_end_tells_everybody_who_waits_in_the_order_they_asked() -> None:
    late = DeadlineExceeded(operation="control", timeout_ms=5)
    controls, told = run(*[Ask()] * 11, ControlsEnded(failure=late))

    assert told[11:] == [
        ControlDone(request_id=f"interrupt-{number}", number=number, failure=late)
        for number in range(1, 12)
    ]
    assert controls == Controls(last=11, closed=True)


def test_behind_the_end_nothing_is_asked() -> None:
    closed, told = run(ControlsEnded(), ControlsEnded(), Ask())

    assert told == [ControlRefused(failure=Closed())]
    assert closed == Controls(closed=True)


inputs = st.one_of(
    st.just(Ask()),
    st.builds(
        Acknowledged,
        request_id=st.integers(0, 5).map(lambda number: f"interrupt-{number}"),
        error=st.none() | st.just("no"),
    ),
)


@given(st.lists(inputs, max_size=20))
def test_every_request_is_settled_exactly_once(events: list[ControlInput]) -> None:
    _, told = run(*events, ControlsEnded())

    asked = [each.request_id for each in told if isinstance(each, ControlLine)]
    done = [each.request_id for each in told if isinstance(each, ControlDone)]
    assert sorted(asked) == sorted(done)
