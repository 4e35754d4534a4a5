"""A session's updates, each to its room.

Rules of this file:

- One table from ``sessionUpdate`` to what takes it. A kind that isn't in it is counted.
- While a session is told again (``session/load``) only what is known of it is taken: its
  conversation has been said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.records import evolve
from refold.sources.acp.cards import content_chunk, make_room, update_call
from refold.sources.acp.chunks import chunk, whole_message
from refold.sources.acp.compactions import (
    compaction_summary,
    compaction_update,
    is_compaction,
    leave_compaction,
)
from refold.sources.acp.knowledge import KNOWLEDGE, learn
from refold.sources.acp.lanes import Lane, SegmentKind
from refold.sources.acp.reviews import reviewed
from refold.sources.acp.terminals import terminal_chunk, terminal_update
from refold.sources.acp.turns import end_turn
from refold.sources.fields import name, text
from refold.sources.logs.spots import Spot

__all__ = ["UPDATES", "take_update"]

Taker: TypeAlias = Callable[[Lane, dict[str, Any], Spot], Lane]


def take_update(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    """Take one update.

    Args:
        lane: the session.
        update: its ``update``, of any shape.
        spot: where it was.
    """
    kind = text(update.get("sessionUpdate"))
    taker = UPDATES.get(kind)
    if taker is None:
        return evolve(
            lane, oddities=(*lane.oddities, f"unknown update: {kind or 'without a kind'}")
        )
    if lane.replaying and kind not in KNOWLEDGE:
        return evolve(lane, oddities=(*lane.oddities, "told again"))
    return taker(lane, update, spot)


def _chunk_of(kind: SegmentKind) -> Taker:
    return lambda lane, update, spot: chunk(_going_on(lane, spot), kind, update, spot)


def _whole(kind: SegmentKind) -> Taker:
    return lambda lane, update, spot: whole_message(_going_on(lane, spot), kind, update, spot)


def _going_on(lane: Lane, spot: Spot) -> Lane:
    """Return the lane with nothing in the way of a message: no compaction, and no call held."""
    lane = leave_compaction(lane, spot)
    return lane if lane.held is None else make_room(lane)


def _call(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    if is_compaction(lane, update):
        return compaction_update(lane, update, spot)
    if update.get("sessionUpdate") == "tool_call":
        lane = leave_compaction(lane, spot)
    return reviewed(update_call(lane, update, spot), update, spot)


def _state(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    state = name(update.get("state"))
    lane = learn(lane, "status", state, spot)
    return end_turn(lane, update, spot) if state == "idle" and lane.turn is not None else lane


def _nothing(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    return lane


UPDATES: dict[str, Taker] = {
    "user_message_chunk": _chunk_of("user"),
    "agent_message_chunk": _chunk_of("agent"),
    "agent_thought_chunk": _chunk_of("thought"),
    "user_message": _whole("user"),
    "agent_message": _whole("agent"),
    "agent_thought": _whole("thought"),
    "tool_call": _call,
    "tool_call_update": _call,
    "tool_call_content_chunk": content_chunk,
    "terminal_update": lambda lane, update, _: terminal_update(lane, update),
    "terminal_output_chunk": lambda lane, update, _: terminal_chunk(lane, update),
    "compaction_update": compaction_update,
    "compaction_summary_chunk": compaction_summary,
    "state_update": _state,
    "keepalive": _nothing,
    "subagent_update": _nothing,
    **KNOWLEDGE,
}
