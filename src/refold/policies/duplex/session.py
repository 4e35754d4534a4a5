"""A duplex session as one value: its machines, what it is told, what it tells.

Rules of this file:

- Values only: ``session_step`` moves them, ``session_frames`` knows what one line does.
- The host's part is to write what has a ``line``, to read, to wait and to stop the process; it
  tells what came of it as inputs. The clock is one of them.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

import attrs

from refold.policies.duplex.controls import CONTROLS, ControlOutput, Controls
from refold.policies.duplex.costs import COSTS, CostConfig, Costs
from refold.policies.duplex.deadlines import DEADLINES, Deadlines
from refold.policies.duplex.dispatch import Inbound
from refold.policies.duplex.failures import Failure, IoFailed, PolicyFailure
from refold.policies.duplex.framer import Framer
from refold.policies.duplex.lifecycle import LIFECYCLE, Lifecycle, LifecycleInput, Status
from refold.policies.duplex.limits import UNLIMITED, Limits, TurnBytes
from refold.policies.duplex.permissions import (
    PERMISSIONS,
    Decision,
    PermissionConfig,
    PermissionOutput,
    Permissions,
)
from refold.policies.duplex.subscribers import DEFAULT_CAPACITY, Ring, ring
from refold.policies.duplex.turns import TURNS, TurnOutput, Turns
from refold.policies.duplex.wire_json import Malformed
from refold.records import record

__all__ = [
    "Decide",
    "Duplex",
    "DuplexConfig",
    "DuplexInput",
    "DuplexOutput",
    "Interrupt",
    "Prompt",
    "Received",
    "SessionEnded",
    "StopProcess",
    "Tick",
    "Unwritten",
    "duplex",
]


@record
class DuplexConfig:
    """What a session may use; everything is unlimited unless it is given.

    Args:
        limits: of bytes and events.
        turn_timeout_ms: from a prompt's acceptance to its result.
        control_timeout_ms: from a control request's acceptance to its acknowledgement.
        permissions: how permission requests are treated.
        costs: how running totals are read, and the ceiling.
        subscriber_capacity: how many events are kept for subscribers.
    """

    limits: Limits = UNLIMITED
    turn_timeout_ms: int | None = None
    control_timeout_ms: int | None = None
    permissions: PermissionConfig = attrs.field(factory=PermissionConfig)
    costs: CostConfig = attrs.field(factory=CostConfig)
    subscriber_capacity: int = DEFAULT_CAPACITY


@record
class Duplex:
    """The state of a session. Make one with ``duplex``."""

    subscribers: Ring[Inbound]
    framer: Framer = attrs.field(factory=Framer)
    counter: TurnBytes = attrs.field(factory=TurnBytes)
    turns: Turns = TURNS
    deadlines: Deadlines = DEADLINES
    permissions: Permissions = PERMISSIONS
    controls: Controls = CONTROLS
    costs: Costs = COSTS
    lifecycle: Lifecycle = LIFECYCLE


def duplex(config: DuplexConfig) -> Duplex:
    """Return a session that has just begun."""
    return Duplex(subscribers=ring(config.subscriber_capacity))


@record
class Prompt:
    """The user said something."""

    kind: ClassVar[Literal["prompt"]] = "prompt"

    text: str
    now_ms: int


@record
class Interrupt:
    """The running turn is to stop; open permission requests are denied."""

    kind: ClassVar[Literal["interrupt"]] = "interrupt"

    now_ms: int


@record
class Decide:
    """A permission request was decided, or put off."""

    kind: ClassVar[Literal["decide"]] = "decide"

    request_id: str
    decision: Decision


@record
class Unwritten:
    """A line couldn't be written: a control request's, or the prompt's if none is named."""

    kind: ClassVar[Literal["unwritten"]] = "unwritten"

    failure: Failure
    request_id: str | None = None


@record
class Received:
    """The process wrote something."""

    kind: ClassVar[Literal["received"]] = "received"

    chunk: bytes
    now_ms: int


@record
class Tick:
    """The clock was read."""

    kind: ClassVar[Literal["tick"]] = "tick"

    now_ms: int


DuplexInput: TypeAlias = Prompt | Interrupt | Decide | Unwritten | Received | Tick | LifecycleInput


@record
class StopProcess:
    """The process is to be stopped at once: a policy tripped or its output is unreadable."""

    kind: ClassVar[Literal["stop_process"]] = "stop_process"

    failure: PolicyFailure | IoFailed


@record
class SessionEnded:
    """The session is over; ``failure`` is what whoever closes it is told, None for success."""

    kind: ClassVar[Literal["session_ended"]] = "session_ended"

    status: Status
    failure: Failure | None


DuplexOutput: TypeAlias = (
    TurnOutput | ControlOutput | PermissionOutput | Malformed | StopProcess | SessionEnded
)
