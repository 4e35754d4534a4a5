"""Requests a host makes of the agent, and their acknowledgements.

Rules of this file (sources/stream-json-and-acp.md 2.7):

- Requests are numbered from 1 within a session; any number may be outstanding.
- An acknowledgement settles its request and nothing else: it doesn't end a turn, and a turn's
  result acknowledges nothing. One that names no outstanding request is ignored.
- A request is outstanding before it is written; one that can't be written fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeAlias

import attrs

from refold.json_values import JsonObject
from refold.maps import EMPTY_MAP, Map
from refold.policies.duplex.failures import Closed, ControlFailed, Failure
from refold.policies.duplex.wire_lines import request_line
from refold.records import evolve, record

__all__ = [
    "CONTROLS",
    "STEPS",
    "Acknowledged",
    "Ask",
    "ControlDone",
    "ControlInput",
    "ControlLine",
    "ControlOutput",
    "ControlRefused",
    "ControlUnwritten",
    "Controls",
    "ControlsEnded",
    "Unasked",
    "step",
]


@record
class Controls:
    """The control requests of a session.

    Args:
        last: the number of the last one.
        outstanding: the numbers by request id.
        closed: no request is accepted any more.
    """

    last: int = 0
    outstanding: Map[int] = EMPTY_MAP
    closed: bool = False


CONTROLS = Controls()


@record
class Ask:
    """A control request is to be made; an interrupt unless another subtype is named."""

    kind: ClassVar[Literal["ask"]] = "ask"

    subtype: str = "interrupt"


@record
class Acknowledged:
    """The agent answered; ``error`` is None for a success."""

    kind: ClassVar[Literal["acknowledged"]] = "acknowledged"

    request_id: str
    error: str | None = None


@record
class ControlUnwritten:
    """A request couldn't be written."""

    kind: ClassVar[Literal["control_unwritten"]] = "control_unwritten"

    request_id: str
    failure: Failure


@record
class ControlsEnded:
    """The session ended; ``failure`` is what those outstanding are told."""

    kind: ClassVar[Literal["controls_ended"]] = "controls_ended"

    failure: Failure = attrs.field(factory=Closed)


ControlInput: TypeAlias = Ask | Acknowledged | ControlUnwritten | ControlsEnded


@record
class ControlLine:
    """A request's line is to be written."""

    kind: ClassVar[Literal["control_line"]] = "control_line"

    request_id: str
    number: int
    line: JsonObject


@record
class ControlDone:
    """A request is settled; ``failure`` is None if the agent agreed."""

    kind: ClassVar[Literal["control_done"]] = "control_done"

    request_id: str
    number: int
    failure: Failure | None = None


@record
class ControlRefused:
    """A request wasn't made."""

    kind: ClassVar[Literal["control_refused"]] = "control_refused"

    failure: Failure


@record
class Unasked:
    """An acknowledgement names no outstanding request."""

    kind: ClassVar[Literal["unasked"]] = "unasked"

    request_id: str


ControlOutput: TypeAlias = ControlLine | ControlDone | ControlRefused | Unasked
Stepped: TypeAlias = tuple[Controls, tuple[ControlOutput, ...]]


def step(controls: Controls, event: ControlInput) -> Stepped:
    """Take one input.

    Args:
        controls: the requests before it.
        event: what happened.
    """
    return STEPS[type(event)](controls, event)


def _ask(controls: Controls, event: Ask) -> Stepped:
    if controls.closed:
        return controls, (ControlRefused(failure=Closed()),)
    number = controls.last + 1
    request_id = f"{event.subtype}-{number}"
    outstanding = controls.outstanding.put(request_id, number)
    line = request_line(request_id, event.subtype)
    made = evolve(controls, last=number, outstanding=outstanding)
    return made, (ControlLine(request_id=request_id, number=number, line=line),)


def _acknowledged(controls: Controls, event: Acknowledged) -> Stepped:
    failure = None if event.error is None else ControlFailed(message=event.error)
    return _settled(controls, event.request_id, failure)


def _unwritten(controls: Controls, event: ControlUnwritten) -> Stepped:
    return _settled(controls, event.request_id, event.failure)


def _settled(controls: Controls, request_id: str, failure: Failure | None) -> Stepped:
    number = controls.outstanding.get(request_id)
    if number is None:
        return controls, (Unasked(request_id=request_id),)
    left = evolve(controls, outstanding=controls.outstanding.without(request_id))
    return left, (ControlDone(request_id=request_id, number=number, failure=failure),)


def _ended(controls: Controls, event: ControlsEnded) -> Stepped:
    if controls.closed:
        return controls, ()
    told = tuple(
        ControlDone(request_id=request_id, number=number, failure=event.failure)
        for request_id, number in sorted(controls.outstanding.items(), key=lambda each: each[1])
    )
    return evolve(controls, outstanding=EMPTY_MAP, closed=True), told


STEPS: dict[type, Callable[[Controls, Any], Stepped]] = {
    Ask: _ask,
    Acknowledged: _acknowledged,
    ControlUnwritten: _unwritten,
    ControlsEnded: _ended,
}
