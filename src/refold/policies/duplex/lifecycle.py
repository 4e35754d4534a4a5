"""How a session ends, from the evidence there is.

Rules of this file (sources/stream-json-and-acp.md 2.10):

- Evidence is kept, the first of each kind; nothing is concluded before the host says that nothing
  more will be learned. Then the end is final, and every later input changes nothing.
- ``PRECEDENCE`` is the order in which evidence decides: a policy, reading the output, waiting for
  the process, its exit code, reading its diagnostics. A turn that succeeded earlier says nothing
  about the exit, and the exit nothing about the turn.
- Who was accepted is told of the policy that tripped, else that the session is closed; who was only
  queued is told that it is closed.
- Of the diagnostics only the last ``TAIL_BYTES`` bytes are kept; those read before a failure stay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refold.policies.duplex.evidence import (
    LIFECYCLE,
    RUNNING,
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
    Status,
    StderrFailed,
    StderrRead,
    Stop,
)
from refold.policies.duplex.failures import (
    Closed,
    Failure,
    IoFailed,
    ProcessFailed,
    render,
    settle,
)
from refold.records import evolve

__all__ = [
    "LIFECYCLE",
    "PRECEDENCE",
    "RUNNING",
    "STEPS",
    "TAIL_BYTES",
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
    "accepted_failure",
    "final_failure",
    "is_alive",
    "queued_failure",
    "step",
]

TAIL_BYTES = 64 * 1024


def step(lifecycle: Lifecycle, event: LifecycleInput) -> Lifecycle:
    """Take one input.

    Args:
        lifecycle: what was known before it.
        event: what happened.
    """
    if not is_alive(lifecycle):
        return lifecycle
    return STEPS[type(event)](lifecycle, event)


def is_alive(lifecycle: Lifecycle) -> bool:
    """Tell whether the session still runs."""
    return isinstance(lifecycle.status, Running)


def final_failure(lifecycle: Lifecycle) -> Failure | None:
    """Return what whoever closes the session is told, by the evidence so far; None is success."""
    found = (decide(lifecycle) for decide in PRECEDENCE)
    return next((failure for failure in found if failure is not None), None)


def accepted_failure(lifecycle: Lifecycle) -> Failure:
    """Return what an accepted turn or control request is told if the session ends before it."""
    return _by_policy(lifecycle) or Closed()


def queued_failure(_lifecycle: Lifecycle) -> Failure:
    """Return what a request is told that was never accepted."""
    return Closed()


def _by_policy(lifecycle: Lifecycle) -> Failure | None:
    if lifecycle.policy is None:
        return None
    return settle(lifecycle.policy, settled=lifecycle.code is not None)


def _by_read(lifecycle: Lifecycle) -> Failure | None:
    return None if lifecycle.read_error is None else IoFailed(message=lifecycle.read_error)


def _by_wait(lifecycle: Lifecycle) -> Failure | None:
    return None if lifecycle.wait_error is None else IoFailed(message=lifecycle.wait_error)


def _by_exit(lifecycle: Lifecycle) -> Failure | None:
    if lifecycle.code is None:
        return IoFailed(message="how the process ended is not known")
    if lifecycle.code == 0:
        return None
    return ProcessFailed(
        code=lifecycle.code,
        shutdown_budget_exceeded=lifecycle.shutdown_budget_exceeded,
        stderr_tail=_tail_text(lifecycle),
        stderr_error=lifecycle.stderr_error,
    )


def _by_stderr(lifecycle: Lifecycle) -> Failure | None:
    if lifecycle.stderr_error is None:
        return None
    return IoFailed(
        message=f"reading the diagnostics failed: {lifecycle.stderr_error}; "
        f"those read before: {_tail_text(lifecycle)}"
    )


PRECEDENCE: tuple[Callable[[Lifecycle], Failure | None], ...] = (
    _by_policy,
    _by_read,
    _by_wait,
    _by_exit,
    _by_stderr,
)


def _tail_text(lifecycle: Lifecycle) -> str:
    return lifecycle.stderr_tail.decode("utf-8", "replace")


def _stopped(lifecycle: Lifecycle, why: Stop) -> Lifecycle:
    return lifecycle if lifecycle.stop is not None else evolve(lifecycle, stop=why)


def _input_ended(lifecycle: Lifecycle, _event: InputEnded) -> Lifecycle:
    return _stopped(lifecycle, "input_ended")


def _host_closed(lifecycle: Lifecycle, _event: HostClosed) -> Lifecycle:
    return _stopped(lifecycle, "host_closed")


def _policy_tripped(lifecycle: Lifecycle, event: PolicyTripped) -> Lifecycle:
    if lifecycle.policy is not None:
        return lifecycle
    return evolve(_stopped(lifecycle, "policy"), policy=event.failure)


def _read_failed(lifecycle: Lifecycle, event: ReadFailed) -> Lifecycle:
    if lifecycle.read_error is not None:
        return lifecycle
    return evolve(_stopped(lifecycle, "read_failed"), read_error=event.message)


def _stderr_read(lifecycle: Lifecycle, event: StderrRead) -> Lifecycle:
    tail = (lifecycle.stderr_tail + event.data[-TAIL_BYTES:])[-TAIL_BYTES:]
    return lifecycle if not event.data else evolve(lifecycle, stderr_tail=tail)


def _stderr_failed(lifecycle: Lifecycle, event: StderrFailed) -> Lifecycle:
    if lifecycle.stderr_error is not None:
        return lifecycle
    return evolve(_stopped(lifecycle, "stderr_failed"), stderr_error=event.message)


def _reaped(lifecycle: Lifecycle, event: Reaped) -> Lifecycle:
    if lifecycle.code is not None:
        return lifecycle
    return evolve(
        lifecycle,
        code=event.code,
        shutdown_budget_exceeded=event.shutdown_budget_exceeded,
    )


def _not_reaped(lifecycle: Lifecycle, event: NotReaped) -> Lifecycle:
    if lifecycle.wait_error is not None:
        return lifecycle
    return evolve(lifecycle, wait_error=event.message)


def _concluded(lifecycle: Lifecycle, _event: Concluded) -> Lifecycle:
    failure = final_failure(lifecycle)
    status = Completed() if failure is None else Failed(message=render(failure))
    return evolve(lifecycle, status=status)


STEPS: dict[type, Callable[[Lifecycle, Any], Lifecycle]] = {
    InputEnded: _input_ended,
    HostClosed: _host_closed,
    PolicyTripped: _policy_tripped,
    ReadFailed: _read_failed,
    StderrRead: _stderr_read,
    StderrFailed: _stderr_failed,
    Reaped: _reaped,
    NotReaped: _not_reaped,
    Concluded: _concluded,
}
