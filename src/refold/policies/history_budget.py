"""Keep a history within a byte budget.

Rules of this file (sources/stream-json-and-acp.md 5.5):

- What goes is the oldest group, again and again: everything in front of the next user turn. So
  what is kept begins with a user turn, and no result loses its call.
- The newest user turn and everything behind it stay, even when they alone exceed the budget.
- With ``protect_prompt`` only prompts part groups: a steering or a summary is no reason to lose
  the prompt its task began with.
"""

from __future__ import annotations

from refold.policies.history import History, HistoryItem, UserTurn
from refold.policies.measures import wire_bytes
from refold.records import record

__all__ = ["FittedHistory", "fit_history"]


@record
class FittedHistory:
    """What is left of a history.

    Args:
        history: the items kept.
        dropped_groups: how many groups went.
        bytes: what the kept items weigh on the wire; above the budget if the newest group alone is.
    """

    history: History
    dropped_groups: int
    bytes: int


def fit_history(
    history: History, budget_bytes: int, *, protect_prompt: bool = False
) -> FittedHistory:
    """Drop the oldest groups of a history until it fits.

    Args:
        history: paired turns (``pairing.paired``).
        budget_bytes: the most they may weigh on the wire.
        protect_prompt: cut in front of prompts only, not of steering or summaries.
    """
    weights = [wire_bytes((item,)) for item in history]
    left, start, dropped = sum(weights), 0, 0
    for cut in range(1, len(history)):
        if left <= budget_bytes:
            break
        if _parts_groups(history[cut], protect_prompt):
            left -= sum(weights[start:cut])
            start, dropped = cut, dropped + 1
    return FittedHistory(history=history[start:], dropped_groups=dropped, bytes=left)


def _parts_groups(item: HistoryItem, protect_prompt: bool) -> bool:
    return isinstance(item, UserTurn) and (item.purpose == "prompt" or not protect_prompt)
