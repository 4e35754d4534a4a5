"""Compactions of the conversation.

Rules of this file (census.md, codex-acp; ACP's ``compaction_update``):

- Agents say one as a tool call that is marked as a compaction, or with updates of its own. Either
  way it is no tool card.
- While one runs the reducer takes what the assistant says for its summary (reducer.md rule 29). So
  one that is still running when the conversation goes on is ended as aborted first, and its own end,
  should it come late, says nothing.
"""

from __future__ import annotations

from typing import Any

from refold.messages import CompactionBegin, CompactionEnd, Text
from refold.records import evolve
from refold.sources.acp.cards import make_room
from refold.sources.acp.content import blocks_text
from refold.sources.acp.lanes import Compaction, Lane, say
from refold.sources.fields import mapping, name, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import number
from refold.texts import grow

__all__ = ["compaction_summary", "compaction_update", "is_compaction", "leave_compaction"]

_STATUS = {"completed": "completed", "failed": "failed", "cancelled": "aborted"}
_REASON, _MODE = "context", "summarize"


def is_compaction(lane: Lane, update: dict[str, Any]) -> bool:
    """Tell whether a call or its update is a compaction.

    Args:
        lane: the session.
        update: ``tool_call`` or ``tool_call_update``.
    """
    identity = update.get("toolCallId")
    if "contextCompaction" in mapping(update.get("_meta")):
        return True
    running = lane.compaction is not None and lane.compaction.id == identity
    return running or (isinstance(identity, str) and identity in lane.compacted)


def compaction_update(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    """Take what is said of a compaction.

    Args:
        lane: the session.
        update: a call so marked, or ``compaction_update``.
        spot: where it was.
    """
    identity = name(update.get("compactionId")) or text(update.get("toolCallId"))
    if identity in lane.compacted:
        return lane
    lane = _running(lane, identity, spot)
    if update.get("summary") is not None:
        lane = evolve(
            lane, compaction=Compaction(id=identity, summary=blocks_text(update["summary"]))
        )
    status = _STATUS.get(text(update.get("status")))
    return lane if status is None else _ended(lane, status, name(update.get("error")), spot)


def compaction_summary(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    """Take a piece of a running compaction's summary (``compaction_summary_chunk``)."""
    identity = text(update.get("compactionId"))
    if identity in lane.compacted:
        return lane
    lane = _running(lane, identity, spot)
    assert lane.compaction is not None
    grown = grow(lane.compaction.summary, blocks_text(update.get("content")))
    return evolve(lane, compaction=Compaction(id=identity, summary=grown))


def leave_compaction(lane: Lane, spot: Spot) -> Lane:
    """Return the lane with no compaction running, as the conversation goes on.

    Args:
        lane: the session.
        spot: where it goes on.
    """
    return lane if lane.compaction is None else _ended(lane, "aborted", None, spot)


def _running(lane: Lane, identity: str, spot: Spot) -> Lane:
    if lane.compaction is not None and lane.compaction.id == identity:
        return lane
    lane = make_room(leave_compaction(lane, spot))
    used = number(lane.facts.get("context_tokens")) or 0
    begin = CompactionBegin(reason=_REASON, mode=_MODE, context=used, turns=0)
    lane = evolve(lane, compaction=Compaction(id=identity), spoken=True)
    return say(lane, begin, spot, id=identity)


def _ended(lane: Lane, status: str, fault: str | None, spot: Spot) -> Lane:
    compaction = lane.compaction
    assert compaction is not None
    summary = str(compaction.summary)
    if summary:
        said = Text(role="assistant", text=summary, stop_reason="completed")
        lane = say(lane, said, spot, id=compaction.id)
    end = CompactionEnd(reason=_REASON, mode=_MODE, status=status, error_message=fault)
    compacted = lane.compacted.put(compaction.id, True)
    return say(evolve(lane, compaction=None, compacted=compacted), end, spot, id=compaction.id)
