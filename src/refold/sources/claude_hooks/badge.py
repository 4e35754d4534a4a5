"""Edges folded into what a client shows.

Rules of this file (sources/claude-code.md 4.1):

- ``failed`` stays through an ``idle`` that follows: only ``running`` or ``waiting`` clears it.
- The end of one turn doesn't end another: an edge that names another turn than the open one, or an
  ``idle`` that names none while one is open, changes no more than the tally.
- The tally of background tasks is what was counted last. An edge without a count leaves it, but
  ``failed`` clears it. It outlives a new ``running``, for shells outlive turns;
  ``running_clears`` gives the older reading.
"""

from __future__ import annotations

from refold.json_values import Json, JsonObject
from refold.records import evolve, record
from refold.sources.claude_hooks.status import Edge, State

__all__ = ["Badge", "folded", "for_parent", "to_json"]


@record
class Badge:
    """What the session is doing, as far as the edges tell.

    Args:
        running_clears: whether ``running`` clears the tally.
        state: what it does; None before any edge.
        turn: the open turn, if one is.
        background: how many background tasks live.
        reason: what the edge that set the state gave as its reason.
    """

    running_clears: bool = False
    state: State | None = None
    turn: str | None = None
    background: int = 0
    reason: str | None = None


def folded(badge: Badge, edge: Edge) -> Badge:
    """Return the badge behind an edge; the same badge if the edge changes nothing.

    Args:
        badge: before it.
        edge: in the order of the session.
    """
    tallied = evolve(badge, background=_tally(badge, edge))
    after = tallied if _is_stale(badge, edge) else _moved(tallied, edge)
    return badge if after == badge else after


def for_parent(edge: Edge) -> Edge:
    """Return a child session's edge as its parent should take it.

    A child that only waits for background tasks has answered; its parent would wait for ever.
    """
    return evolve(edge, state="idle") if edge.state == "waiting" else edge


def to_json(badge: Badge) -> JsonObject:
    """Return a badge as JSON; what is absent has no key."""
    entries: dict[str, Json] = {
        "state": badge.state,
        "turn": badge.turn,
        "background": badge.background,
        "reason": badge.reason,
    }
    return JsonObject({name: value for name, value in entries.items() if value is not None})


def _tally(badge: Badge, edge: Edge) -> int:
    if edge.background is not None:
        return edge.background
    cleared = edge.state == "failed" or (edge.state == "running" and badge.running_clears)
    return 0 if cleared else badge.background


def _is_stale(badge: Badge, edge: Edge) -> bool:
    if edge.state in ("running", "waiting"):
        return False
    if edge.turn is None:
        return edge.state == "idle" and badge.turn is not None
    return badge.turn is not None and edge.turn != badge.turn


def _moved(badge: Badge, edge: Edge) -> Badge:
    if edge.state in ("running", "waiting"):
        turn = edge.turn or badge.turn
        return evolve(badge, state=edge.state, turn=turn, reason=edge.reason)
    if edge.state == "idle" and badge.state == "failed":
        return evolve(badge, turn=None)
    return evolve(badge, state=edge.state, turn=None, reason=edge.reason)
