"""How many of a response's tool calls are taken.

Rules of this file (sources/stream-json-and-acp.md 5.3, H3):

- The first calls up to the limit are kept, the rest dropped, before anything is recorded,
  announced or run: a dropped call never needs a result.
- The limit is per response of the model, not per prompt.
"""

from __future__ import annotations

from collections.abc import Sequence

from refold.policies.history import Call
from refold.records import record

__all__ = ["MAX_CALLS", "CappedCalls", "cap_calls"]

MAX_CALLS = 64


@record
class CappedCalls:
    """The calls that are taken, and how many were not."""

    kept: tuple[Call, ...]
    dropped: int = 0


def cap_calls(calls: Sequence[Call], limit: int = MAX_CALLS) -> CappedCalls:
    """Keep the first calls of one response.

    Args:
        calls: all calls of the response, in order.
        limit: the most that are taken; below 0 counts as 0.
    """
    kept = tuple(calls[: max(0, limit)])
    return CappedCalls(kept=kept, dropped=len(calls) - len(kept))
