"""Tokens a prompt used.

Rules of this file (stream-json-and-acp.md 8, census.md A14):

- What a prompt's response says is that prompt's, not the session's: the session's is their sum.
- Agents differ in whether the input they count holds what a cache gave; the total tells.
- A usage update is the fill of the context, never a count of what was used: that is a fact.
"""

from __future__ import annotations

from typing import Any

from refold.messages import TokenCounts
from refold.records import evolve
from refold.sources.acp.lanes import Lane, say
from refold.sources.fields import mapping
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import first, number
from refold.sources.token_ledger import charged, counts_of

__all__ = ["prompt_usage"]


def prompt_usage(lane: Lane, result: dict[str, Any], spot: Spot) -> Lane:
    """Take the tokens that a prompt's response counts, if it does.

    Args:
        lane: the session.
        result: the response's, or an idle state's of version 2.
        spot: where it was.
    """
    request = _usage(mapping(result.get("usage"))) or _quota(mapping(result.get("_meta")))
    if request is None:
        return lane
    usage = charged(lane.used, request)
    return say(evolve(lane, used=usage.session), usage, spot)


def _usage(usage: dict[str, Any]) -> TokenCounts | None:
    fresh, read = _tokens(usage, "inputTokens"), _tokens(usage, "cachedReadTokens")
    output, written = _tokens(usage, "outputTokens"), _tokens(usage, "cachedWriteTokens")
    cached_inside = number(usage.get("totalTokens")) == fresh + output
    whole = fresh if cached_inside else fresh + read + written
    return counts_of(input_tokens=whole, cache_read=read, output=output, cache_write=written)


def _quota(meta: dict[str, Any]) -> TokenCounts | None:
    counted = mapping(mapping(meta.get("quota")).get("token_count"))
    return counts_of(
        input_tokens=_tokens(counted, "input_tokens"),
        cache_read=0,
        output=_tokens(counted, "output_tokens"),
    )


def _tokens(usage: dict[str, Any], field: str) -> int:
    return number(first(usage, field)) or 0
