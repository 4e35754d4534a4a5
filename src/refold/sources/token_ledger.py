"""Token usage per request, summed over a session.

Rules of this file:

- A provider says what a request used, often several times and growing; the last word of a request
  counts once (sources/census.md 7.3). Whoever reads the stream calls ``charged`` once a request.
- Buckets as everywhere: what was read from a cache, all other input, output (claude-code.md 8.4).
"""

from __future__ import annotations

from refold.json_values import EMPTY, JsonObject
from refold.messages import TokenCounts, TokenUsage

__all__ = ["NO_TOKENS", "charged", "counts_of"]

NO_TOKENS = TokenCounts()


def counts_of(
    *, input_tokens: int, cache_read: int, output: int, cache_write: int = 0
) -> TokenCounts | None:
    """Return the counts of a request whose input includes what was cached, or None if all are 0.

    Args:
        input_tokens: all tokens of the prompt, cached ones included.
        cache_read: those of them that a cache gave.
        output: all tokens generated, reasoning included.
        cache_write: those of the prompt that were written to a cache; they and the fresh ones are
            one bucket, ``extra.input`` tells the fresh ones for who prices them.
    """
    uncached = max(0, input_tokens - cache_read)
    total = cache_read + uncached + output
    if total == 0:
        return None
    fresh = max(0, uncached - cache_write)
    return TokenCounts(
        cache_read=cache_read,
        cache_write=uncached,
        output=output,
        total=total,
        extra=JsonObject({"input": fresh}) if fresh else EMPTY,
    )


def charged(session: TokenCounts, request: TokenCounts) -> TokenUsage:
    """Return the usage event of a request, its ``session`` the session's counts behind it.

    Args:
        session: what the session used before.
        request: what the request used.
    """
    after = TokenCounts(
        cache_read=session.cache_read + request.cache_read,
        cache_write=session.cache_write + request.cache_write,
        output=session.output + request.output,
        total=session.total + request.total,
    )
    return TokenUsage(session=after, request=request)
