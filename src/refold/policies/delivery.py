"""What to do when handing something on went well, or didn't: retry, skip, or drop.

Rules of this file (sources/claude-code.md 6.3):

- An attempt has one of four outcomes: delivered; rejected, for good; unavailable, provably not
  taken or asked to come again; ambiguous, sent without an answer.
- Unavailable is tried again for ever. A rejection is tried again too, for a host may be behind, but
  only so often; then it is dropped, as a dead letter where that matters.
- An ambiguous outcome of what isn't safe to repeat counts as delivered: one message too few can be
  seen and asked for, one twice can't be taken back.
- Waits double from 1 s to 30 s. Time is an input; nothing here waits.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.json_values import Json
from refold.records import record

__all__ = [
    "CHILD_START",
    "DELTA",
    "FACT",
    "ITEM",
    "STATUS",
    "Attempts",
    "DeadLetter",
    "Decision",
    "Delivered",
    "Dropped",
    "Outcome",
    "Retry",
    "Rules",
    "Skipped",
    "backoff_ms",
    "classified",
    "decided",
    "is_due",
]

Outcome: TypeAlias = Literal["delivered", "rejected", "unavailable", "ambiguous"]

_SUCCESSES = range(200, 300)
_REFUSALS = range(400, 500)
_COME_AGAIN = frozenset({408, 409, 425, 429})
_FIRST_WAIT_MS = 1000
_LONGEST_WAIT_MS = 30_000


@record
class Rules:
    """How a kind of delivery is treated.

    Args:
        retries: whether what failed is tried again at all.
        rejections: how many rejections are taken before it is dropped.
        repeatable: whether sending it twice does no harm.
        dead_letters: whether what is dropped must be recoverable.
        first_wait_ms: the wait before the second attempt, in ms; later ones double it.
        longest_wait_ms: the longest wait, in ms.
    """

    retries: bool = True
    rejections: int = 3
    repeatable: bool = True
    dead_letters: bool = False
    first_wait_ms: int = _FIRST_WAIT_MS
    longest_wait_ms: int = _LONGEST_WAIT_MS


ITEM = Rules(repeatable=False, dead_letters=True)
STATUS = Rules()
CHILD_START = Rules(dead_letters=True)
DELTA = Rules(retries=False)
FACT = Rules(retries=False)


@record
class Attempts:
    """What was tried for one delivery.

    Args:
        made: how many attempts failed.
        rejected: how many of them were rejected.
        due_ms: when the next is due, Unix ms; None is at once.
    """

    made: int = 0
    rejected: int = 0
    due_ms: int | None = None


@record
class Delivered:
    """It arrived."""


@record
class Skipped:
    """It counts as done, though nobody knows, or nobody minds."""

    reason: str


@record
class Retry:
    """Try again at ``due_ms``, Unix ms, and nothing behind it before."""

    due_ms: int


@record
class Dropped:
    """It is given up.

    Args:
        reason: why.
        dead_letter: whether it must be kept where it can be recovered.
    """

    reason: str
    dead_letter: bool


Decision: TypeAlias = Delivered | Skipped | Retry | Dropped


@record
class DeadLetter:
    """What was given up, as a host keeps it.

    Args:
        at_ms: when, Unix ms.
        session_id: the host session it was for.
        event_type: what kind of thing it is.
        payload: the thing.
        reason: why it was given up.
        status: the last answer's HTTP status, if there was one.
    """

    at_ms: int
    session_id: str
    event_type: str
    payload: Json
    reason: str
    status: int | None = None


def classified(status: int | None, *, sent: bool) -> Outcome:
    """Return the outcome of an attempt.

    Args:
        status: the answer's HTTP status; None if none came.
        sent: whether anything of the request may have reached the host.
    """
    if status is None:
        return "ambiguous" if sent else "unavailable"
    if status in _SUCCESSES:
        return "delivered"
    is_final = status in _REFUSALS and status not in _COME_AGAIN
    return "rejected" if is_final else "unavailable"


def decided(
    attempts: Attempts,
    outcome: Outcome,
    rules: Rules,
    *,
    now_ms: int,
    retry_after_ms: int | None = None,
) -> tuple[Attempts, Decision]:
    """Return what to do behind an attempt.

    Args:
        attempts: what was tried before.
        outcome: how this attempt went.
        rules: of this kind of delivery.
        now_ms: the caller's clock, in Unix ms.
        retry_after_ms: how long the host asked to wait, in ms.
    """
    if outcome == "delivered":
        return Attempts(), Delivered()
    if not rules.retries:
        return Attempts(), Skipped(reason=f"{outcome}, not tried again")
    rejected = attempts.rejected + (outcome == "rejected")
    if outcome == "rejected" and rejected >= rules.rejections:
        reason = f"rejected {rejected} times"
        return Attempts(), Dropped(reason=reason, dead_letter=rules.dead_letters)
    if outcome == "ambiguous" and not rules.repeatable:
        return Attempts(), Skipped(reason="sent without an answer")
    made = attempts.made + 1
    due_ms = now_ms + max(backoff_ms(made, rules), retry_after_ms or 0)
    return Attempts(made=made, rejected=rejected, due_ms=due_ms), Retry(due_ms=due_ms)


def backoff_ms(failures: int, rules: Rules = ITEM) -> int:
    """Return the wait behind the n-th failure in a row, in ms.

    Args:
        failures: how many there were, at least 1.
        rules: of this kind of delivery.
    """
    doublings = min(failures - 1, rules.longest_wait_ms.bit_length())
    return min(rules.first_wait_ms << doublings, rules.longest_wait_ms)


def is_due(attempts: Attempts, now_ms: int) -> bool:
    """Tell whether the next attempt may be made."""
    return attempts.due_ms is None or now_ms >= attempts.due_ms
