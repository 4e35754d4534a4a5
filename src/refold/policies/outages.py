"""When failures become an outage, and when a crashed forwarder may start again.

Rules of this file (sources/claude-code.md 6.3):

- Five failures in a row, of whatever class, raise one alarm; more don't raise it again. A success
  ends it, and the next outage raises one again.
- A crash is followed by a wait that doubles from 1 s to 30 s. A run of at least 60 s was healthy:
  the wait begins at 1 s again, this time's included.
"""

from __future__ import annotations

from refold.records import record

__all__ = ["ALARM_AT", "HEALTHY_MS", "Health", "Restarts", "noted", "restarted"]

ALARM_AT = 5
HEALTHY_MS = 60_000
_FIRST_WAIT_MS = 1000
_LONGEST_WAIT_MS = 30_000


@record
class Health:
    """How deliveries go: how many failed in a row."""

    failures: int = 0

    @property
    def degraded(self) -> bool:
        """Whether there is an outage."""
        return self.failures >= ALARM_AT


@record
class Restarts:
    """How long to wait behind the next crash, in ms."""

    wait_ms: int = _FIRST_WAIT_MS


def noted(health: Health, *, success: bool) -> tuple[Health, bool]:
    """Take the end of a delivery; return whether to raise the alarm now.

    Args:
        health: before it.
        success: whether it arrived.
    """
    if success:
        return (health if health.failures == 0 else Health()), False
    after = Health(failures=health.failures + 1)
    return after, after.failures == ALARM_AT


def restarted(restarts: Restarts, *, uptime_ms: int) -> tuple[Restarts, int]:
    """Take a crash; return how long to wait before the next start, in ms.

    Args:
        restarts: before it.
        uptime_ms: how long the run had lasted, in ms.
    """
    wait_ms = _FIRST_WAIT_MS if uptime_ms >= HEALTHY_MS else restarts.wait_ms
    return Restarts(wait_ms=min(2 * wait_ms, _LONGEST_WAIT_MS)), wait_ms
