"""Approvals by another agent.

Rules of this file (codex-acp's guardian):

- A review of a call is a card of its own, and its verdict is a decision about the call it names.
"""

from __future__ import annotations

from typing import Any

from refold.sources.acp.card_outputs import decide
from refold.sources.acp.lanes import Lane
from refold.sources.fields import mapping, name, text
from refold.sources.logs.spots import Spot

__all__ = ["reviewed"]

_VERDICTS = {"approved": "allow", "denied": "deny", "rejected": "deny"}


def reviewed(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    """Return the lane with a review's verdict as a decision, if the update holds one.

    Args:
        lane: the session.
        update: a call's update; ``rawOutput`` has ``{targetItemId, review: {status}}``.
        spot: where it was.
    """
    output = mapping(update.get("rawOutput"))
    target = name(output.get("targetItemId"))
    verdict = _VERDICTS.get(text(mapping(output.get("review")).get("status")))
    return lane if target is None or verdict is None else decide(lane, target, verdict, spot)
