"""When an operation has taken too long, with the clock as an input.

Rules of this file (sources/stream-json-and-acp.md 2.8):

- There is at most one deadline for the turn and one for each outstanding control request. No
  timeout, and one beyond what a clock can hold, is no deadline; zero expires at once.
- The earliest governs; at a tie the turn, then the control request with the lowest number. What was
  settled can't expire any more.
- The clock never goes back: an earlier ``now_ms`` counts as the latest one seen.
- One deadline that expires ends the session, and every waiter hears of that one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeAlias

from refold.policies.duplex.failures import DeadlineExceeded, Operation
from refold.records import evolve, record

__all__ = [
    "DEADLINES",
    "LATEST_MS",
    "STEPS",
    "TURN",
    "Deadline",
    "DeadlineInput",
    "Deadlines",
    "Settled",
    "Started",
    "Ticked",
    "earliest",
    "expired",
    "next_wakeup_ms",
    "step",
]

# The turn's own key; control requests are numbered from 1, so at a tie the turn comes first.
TURN = 0
LATEST_MS = 2**63 - 1


@record
class Deadline:
    """When an operation expires, and what it was given, in ms."""

    key: int
    at_ms: int
    timeout_ms: int


@record
class Deadlines:
    """The open deadlines, in the order in which they expire.

    Args:
        open: by time, then by key.
        now_ms: the latest time seen.
    """

    open: tuple[Deadline, ...] = ()
    now_ms: int = 0


DEADLINES = Deadlines()


@record
class Started:
    """An operation was accepted; it replaces one of the same key."""

    kind: ClassVar[Literal["started"]] = "started"

    key: int
    timeout_ms: int | None
    now_ms: int


@record
class Settled:
    """An operation is done."""

    kind: ClassVar[Literal["settled"]] = "settled"

    key: int


@record
class Ticked:
    """The clock was read."""

    kind: ClassVar[Literal["ticked"]] = "ticked"

    now_ms: int


DeadlineInput: TypeAlias = Started | Settled | Ticked


def step(deadlines: Deadlines, event: DeadlineInput) -> Deadlines:
    """Take one input.

    Args:
        deadlines: the open ones before it.
        event: what happened.
    """
    return STEPS[type(event)](deadlines, event)


def earliest(deadlines: Deadlines) -> Deadline | None:
    """Return the deadline that governs, if there is one."""
    return deadlines.open[0] if deadlines.open else None


def next_wakeup_ms(deadlines: Deadlines) -> int | None:
    """Return when the clock has to be read again, in Unix ms; None if nothing can expire."""
    return deadlines.open[0].at_ms if deadlines.open else None


def expired(deadlines: Deadlines) -> DeadlineExceeded | None:
    """Return the failure of the deadline that governs, if its time has come."""
    first = earliest(deadlines)
    if first is None or first.at_ms > deadlines.now_ms:
        return None
    operation: Operation = "turn" if first.key == TURN else "control"
    return DeadlineExceeded(operation=operation, timeout_ms=first.timeout_ms)


def _started(deadlines: Deadlines, event: Started) -> Deadlines:
    seen = _ticked(_settled(deadlines, event), event)
    if event.timeout_ms is None:
        return seen
    timeout_ms = max(0, event.timeout_ms)
    at_ms = seen.now_ms + timeout_ms
    if at_ms > LATEST_MS:
        return seen
    added = Deadline(key=event.key, at_ms=at_ms, timeout_ms=timeout_ms)
    in_order = sorted((*seen.open, added), key=lambda each: (each.at_ms, each.key))
    return evolve(seen, open=tuple(in_order))


def _settled(deadlines: Deadlines, event: Settled | Started) -> Deadlines:
    left = tuple(each for each in deadlines.open if each.key != event.key)
    return deadlines if len(left) == len(deadlines.open) else evolve(deadlines, open=left)


def _ticked(deadlines: Deadlines, event: Ticked | Started) -> Deadlines:
    if event.now_ms <= deadlines.now_ms:
        return deadlines
    return evolve(deadlines, now_ms=event.now_ms)


STEPS: dict[type, Callable[[Deadlines, Any], Deadlines]] = {
    Started: _started,
    Settled: _settled,
    Ticked: _ticked,
}
