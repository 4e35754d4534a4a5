"""What is learned of a session's end, as values.

Rules of this file (sources/stream-json-and-acp.md 2.10):

- Evidence is what happened, not what it means: ``lifecycle`` decides that.
- Running, completed and failed are the only states anybody sees; a failure is its rendered text.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from refold.policies.duplex.failures import PolicyFailure
from refold.records import record

__all__ = [
    "LIFECYCLE",
    "RUNNING",
    "Completed",
    "Concluded",
    "Failed",
    "HostClosed",
    "InputEnded",
    "Lifecycle",
    "LifecycleInput",
    "NotReaped",
    "PolicyTripped",
    "ReadFailed",
    "Reaped",
    "Running",
    "Status",
    "StderrFailed",
    "StderrRead",
    "Stop",
]

Stop: TypeAlias = Literal["input_ended", "host_closed", "stderr_failed", "read_failed", "policy"]


@record
class Running:
    """The session has not ended."""

    kind: ClassVar[Literal["running"]] = "running"


@record
class Completed:
    """The process ended with code 0 and nothing failed."""

    kind: ClassVar[Literal["completed"]] = "completed"


@record
class Failed:
    """Something failed; the message is the failure, rendered."""

    kind: ClassVar[Literal["failed"]] = "failed"

    message: str


Status: TypeAlias = Running | Completed | Failed
RUNNING = Running()


@record
class Lifecycle:
    """What is known of a session's end.

    Args:
        status: running until concluded.
        stop: why no more input is taken, or None while it is.
        policy: the limit or deadline that tripped.
        read_error, wait_error, stderr_error: what failed, in words.
        code: the process's exit code, once it was reaped.
        shutdown_budget_exceeded: it had to be stopped.
        stderr_tail: its last diagnostics.
    """

    status: Status = RUNNING
    stop: Stop | None = None
    policy: PolicyFailure | None = None
    read_error: str | None = None
    wait_error: str | None = None
    code: int | None = None
    shutdown_budget_exceeded: bool = False
    stderr_error: str | None = None
    stderr_tail: bytes = b""


LIFECYCLE = Lifecycle()


@record
class InputEnded:
    """The process closed its output."""

    kind: ClassVar[Literal["input_ended"]] = "input_ended"


@record
class HostClosed:
    """The host wants no more."""

    kind: ClassVar[Literal["host_closed"]] = "host_closed"


@record
class PolicyTripped:
    """A limit or a deadline ended the session."""

    kind: ClassVar[Literal["policy_tripped"]] = "policy_tripped"

    failure: PolicyFailure


@record
class ReadFailed:
    """The process's output couldn't be read."""

    kind: ClassVar[Literal["read_failed"]] = "read_failed"

    message: str


@record
class StderrRead:
    """Diagnostics came."""

    kind: ClassVar[Literal["stderr_read"]] = "stderr_read"

    data: bytes


@record
class StderrFailed:
    """The diagnostics couldn't be read."""

    kind: ClassVar[Literal["stderr_failed"]] = "stderr_failed"

    message: str


@record
class Reaped:
    """The process ended; ``shutdown_budget_exceeded`` if it had to be stopped."""

    kind: ClassVar[Literal["reaped"]] = "reaped"

    code: int
    shutdown_budget_exceeded: bool = False


@record
class NotReaped:
    """Waiting for the process, or stopping it, failed."""

    kind: ClassVar[Literal["not_reaped"]] = "not_reaped"

    message: str


@record
class Concluded:
    """Nothing more will be learned."""

    kind: ClassVar[Literal["concluded"]] = "concluded"


LifecycleInput: TypeAlias = (
    InputEnded
    | HostClosed
    | PolicyTripped
    | ReadFailed
    | StderrRead
    | StderrFailed
    | Reaped
    | NotReaped
    | Concluded
)
