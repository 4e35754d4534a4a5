"""What stood last, for the wrap-up test of reducer.md rule 29.

Rules of this file:

- Only what is placed counts: complete messages and events, not what streams.
- A nested session's own item is set aside by its place, since it may give way to a card later.
"""

from __future__ import annotations

from refold.analysis.accounts import Standing
from refold.records import evolver

__all__ = [
    "output_seen",
    "request_seen",
    "session_gave_way",
    "session_placed",
    "something_placed",
    "text_placed",
    "wraps_up",
]

_placed = evolver(Standing, "text_last", "sessions")
_with_sessions = evolver(Standing, "sessions")
_with_output_since = evolver(Standing, "output_since")


def wraps_up(standing: Standing) -> bool:
    """Tell whether a compaction that begins here wraps the open task up."""
    return standing.text_last and not standing.sessions and not standing.output_since


def text_placed(standing: Standing) -> Standing:
    """Note that an assistant text was placed."""
    return _placed(standing, True, 0)


def something_placed(standing: Standing) -> Standing:
    """Note that anything else was placed."""
    if not standing.text_last:
        return standing
    return _placed(standing, False, 0)


def session_placed(standing: Standing, session: int) -> Standing:
    """Note that a nested session's own item was placed."""
    return _with_sessions(standing, standing.sessions | 1 << session)


def session_gave_way(standing: Standing, session: int) -> Standing:
    """Note that a nested session's own item gave way to a card."""
    return _with_sessions(standing, standing.sessions & ~(1 << session))


def output_seen(standing: Standing) -> Standing:
    """Note that a complete tool output came."""
    return standing if standing.output_since else _with_output_since(standing, True)


def request_seen(standing: Standing) -> Standing:
    """Note that a request outside compaction began, or a task did."""
    return _with_output_since(standing, False) if standing.output_since else standing
