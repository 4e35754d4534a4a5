"""Turns: how they begin and end.

Rules of this file (census.md X7):

- A turn is no request to a model, and a rollout tells of none: so none is begun, and no rate of
  tokens is made up. A turn's end is the end of what it did.
- Interrupted or failed, it aborts what is running. An error that is told twice is one.
- What was being streamed when a turn ends is complete as it stands.
"""

from __future__ import annotations

from refold.messages import Abort, RequestEnd
from refold.records import evolve
from refold.sources.codex.streams import left_open
from refold.sources.codex.talk import settled_thought
from refold.sources.codex.threads import Thread, say
from refold.sources.logs.spots import Spot

__all__ = ["turn_aborted", "turn_begun", "turn_done", "turn_failed"]


def turn_begun(thread: Thread) -> Thread:
    """Take a turn's beginning; the user may have spoken just before."""
    return evolve(thread, running=True, prompted=bool(thread.user), failed=False)


def turn_done(thread: Thread, error: str | None, spot: Spot) -> Thread:
    """Take a turn's end.

    Args:
        thread: the session.
        error: what went wrong, if anything did.
        spot: where it was.
    """
    if error is not None:
        thread = turn_failed(thread, error, spot)
    thread = left_open(settled_thought(thread), spot, "completed")
    if not thread.failed:
        thread = say(thread, RequestEnd(status="completed"), spot)
    return evolve(thread, running=False, prompted=False)


def turn_failed(thread: Thread, error: str, spot: Spot) -> Thread:
    """Take an error that ends the turn.

    Args:
        thread: the session.
        error: what went wrong.
        spot: where it was.
    """
    if thread.failed:
        return thread
    thread = left_open(settled_thought(thread), spot, "failed")
    thread = say(thread, RequestEnd(status="failed", error_message=error), spot)
    return evolve(say(thread, Abort(reason=error), spot), failed=True)


def turn_aborted(thread: Thread, reason: str | None, spot: Spot) -> Thread:
    """Take a turn's interruption.

    Args:
        thread: the session.
        reason: why, as Codex says it.
        spot: where it was.
    """
    thread = left_open(settled_thought(thread), spot, "aborted")
    thread = say(thread, RequestEnd(status="aborted"), spot)
    thread = say(thread, Abort(reason=reason), spot)
    return evolve(thread, running=False, prompted=False)
