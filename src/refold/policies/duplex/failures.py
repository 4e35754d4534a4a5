"""What can go wrong in a duplex session, as values.

Rules of this file (sources/stream-json-and-acp.md 2.9, 2.10):

- A failure is data: it is given to every waiter it concerns and to whoever closes the session.
- A limit and a deadline are never mistaken for one another; a deadline names its operation.
- ``settled`` says whether the direct child was reaped, and nothing about its descendants.
- ``render`` has one line for each kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeAlias

from refold.records import evolve, record

__all__ = [
    "RENDERED",
    "BudgetExceeded",
    "Closed",
    "ControlFailed",
    "DeadlineExceeded",
    "EncodeFailed",
    "Failure",
    "IoFailed",
    "Limit",
    "LimitExceeded",
    "Operation",
    "PolicyFailure",
    "ProcessFailed",
    "TurnInFlight",
    "render",
    "settle",
]

Limit: TypeAlias = Literal["frame_bytes", "turn_bytes", "turn_events"]
Operation: TypeAlias = Literal["turn", "control"]


@record
class LimitExceeded:
    """A resource limit closed the session; ``max`` is in bytes or events."""

    kind: ClassVar[Literal["limit_exceeded"]] = "limit_exceeded"

    limit: Limit
    max: int
    settled: bool = False


@record
class DeadlineExceeded:
    """An operation took longer than its ``timeout_ms`` and closed the session."""

    kind: ClassVar[Literal["deadline_exceeded"]] = "deadline_exceeded"

    operation: Operation
    timeout_ms: int
    settled: bool = False


@record
class TurnInFlight:
    """A prompt came while a turn was running; that turn isn't touched."""

    kind: ClassVar[Literal["turn_in_flight"]] = "turn_in_flight"


@record
class Closed:
    """The session takes nothing any more, or ended before this was done."""

    kind: ClassVar[Literal["closed"]] = "closed"


@record
class BudgetExceeded:
    """A prompt was refused: what was spent reached the ceiling, both in US dollars."""

    kind: ClassVar[Literal["budget_exceeded"]] = "budget_exceeded"

    spent_usd: str
    ceiling_usd: str


@record
class ControlFailed:
    """The other side answered a control request with an error."""

    kind: ClassVar[Literal["control_failed"]] = "control_failed"

    message: str


@record
class ProcessFailed:
    """The process ended with a code other than 0; the tail is its last diagnostics."""

    kind: ClassVar[Literal["process_failed"]] = "process_failed"

    code: int
    shutdown_budget_exceeded: bool = False
    stderr_tail: str = ""
    stderr_error: str | None = None


@record
class IoFailed:
    """Reading, writing or waiting failed."""

    kind: ClassVar[Literal["io"]] = "io"

    message: str


@record
class EncodeFailed:
    """A line couldn't be written as JSON."""

    kind: ClassVar[Literal["encode"]] = "encode"

    message: str


PolicyFailure: TypeAlias = LimitExceeded | DeadlineExceeded
Failure: TypeAlias = (
    PolicyFailure
    | TurnInFlight
    | Closed
    | BudgetExceeded
    | ControlFailed
    | ProcessFailed
    | IoFailed
    | EncodeFailed
)

_LIMITS: dict[str, str] = {
    "frame_bytes": "bytes in one line",
    "turn_bytes": "bytes in one turn",
    "turn_events": "events in one turn",
}
_OPERATIONS: dict[str, str] = {"turn": "turn", "control": "control request"}


def settle(failure: PolicyFailure, *, settled: bool) -> PolicyFailure:
    """Return a policy failure that says whether the child was reaped.

    Args:
        failure: what closed the session.
        settled: whether the direct child is known to have ended.
    """
    return failure if failure.settled == settled else evolve(failure, settled=settled)


def render(failure: Failure) -> str:
    """Say in one line what went wrong."""
    return RENDERED[type(failure)](failure)


def _limit(failure: LimitExceeded) -> str:
    return f"limit exceeded: more than {failure.max} {_LIMITS[failure.limit]}"


def _deadline(failure: DeadlineExceeded) -> str:
    operation = _OPERATIONS[failure.operation]
    return f"{operation} deadline exceeded: not done within {failure.timeout_ms} ms"


def _process(failure: ProcessFailed) -> str:
    text = f"process ended with code {failure.code}"
    if failure.shutdown_budget_exceeded:
        text += " after it was stopped"
    if failure.stderr_error is not None:
        text += f"; reading its diagnostics failed: {failure.stderr_error}"
    return f"{text}; its last diagnostics: {failure.stderr_tail}" if failure.stderr_tail else text


def _budget(failure: BudgetExceeded) -> str:
    return f"budget exceeded: {failure.spent_usd} USD of {failure.ceiling_usd} USD spent"


RENDERED: dict[type, Callable[[Any], str]] = {
    LimitExceeded: _limit,
    DeadlineExceeded: _deadline,
    TurnInFlight: lambda _: "a turn is in flight",
    Closed: lambda _: "the session is closed",
    BudgetExceeded: _budget,
    ControlFailed: lambda failure: f"control request failed: {failure.message}",
    ProcessFailed: _process,
    IoFailed: lambda failure: failure.message,
    EncodeFailed: lambda failure: f"could not encode a line: {failure.message}",
}
