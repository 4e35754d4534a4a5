"""Token counts that are cumulative, repeated, and sometimes fall.

Rules of this file (census.md X2, X3, X4):

- The cumulative count is the truth. One that didn't change says nothing, however often it is
  repeated; what it grew by is what was used since.
- A count that starts anew (it equals its own last request) is added to what was before. One that
  merely fell is an older word, or a correction: the highest stands, and nothing is counted twice.
- A fork's count goes on from its parent's: what the first one holds besides its own request, or what
  the repeated part of the file had reached, is the parent's.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from refold.messages import TokenCounts
from refold.records import evolve, evolver
from refold.sources.codex.threads import Thread, Tokens, say
from refold.sources.fields import mapping
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import first, number
from refold.sources.token_ledger import charged, counts_of

__all__ = ["token_counts"]

Raw: TypeAlias = tuple[int, int, int, int]

_with_tokens = evolver(Thread, "tokens")

_NAMES = (
    ("input_tokens", "inputTokens"),
    ("cached_input_tokens", "cachedInputTokens"),
    ("cache_write_input_tokens", "cacheWriteInputTokens"),
    ("output_tokens", "outputTokens"),
)
_TOTAL = ("total_tokens", "totalTokens")


def token_counts(thread: Thread, total: Any, last: Any, spot: Spot) -> Thread:
    """Take a count.

    Args:
        thread: the session.
        total: the cumulative count.
        last: that of the last request, if it is said.
        spot: where it was.
    """
    whole, request = _raw(total), _raw(last)
    if whole is None:
        return thread
    before = thread.tokens.seen
    if before == whole:
        return thread
    if thread.copy is not None:
        return _seen(thread, whole)
    if before is None:
        return _first(thread, whole, request, spot)
    own = _since(before, whole, request)
    return thread if own is None else _used(thread, whole, own, spot)


def _since(before: Raw, whole: Raw, request: Raw | None) -> Raw | None:
    """Return what was used between two counts, None if the later is no news."""
    fell = sum(whole) < sum(before)
    if whole == request or (request is None and fell):
        return whole
    return None if fell else _minus(whole, before)


def _first(thread: Thread, whole: Raw, request: Raw | None, spot: Spot) -> Thread:
    own = whole if request is None else request
    if not thread.forked:
        earlier = _counts(_minus(whole, own))
        if earlier is not None:
            thread = _with_tokens(thread, Tokens(seen=None, used=earlier))
    return _used(thread, whole, own, spot)


def _used(thread: Thread, whole: Raw, own: Raw, spot: Spot) -> Thread:
    request = _counts(own)
    if request is None:
        return _seen(thread, whole)
    usage = charged(thread.tokens.used, request)
    thread = _with_tokens(thread, Tokens(seen=whole, used=usage.session))
    return say(thread, usage, spot)


def _seen(thread: Thread, whole: Raw) -> Thread:
    return _with_tokens(thread, evolve(thread.tokens, seen=whole))


def _counts(raw: Raw) -> TokenCounts | None:
    whole, cached, written, output = raw
    return counts_of(input_tokens=whole, cache_read=cached, output=output, cache_write=written)


def _minus(whole: Raw, part: Raw) -> Raw:
    one, two, three, four = (max(0, a - b) for a, b in zip(whole, part, strict=True))
    return (one, two, three, four)


def _raw(usage: Any) -> Raw | None:
    """Return a count's input, cached, written and output; a total alone counts as input."""
    counted = mapping(usage)
    found = [number(first(counted, *names)) for names in _NAMES]
    total = number(first(counted, *_TOTAL))
    if all(each is None for each in found):
        return None if total is None else (total, 0, 0, 0)
    one, two, three, four = (each or 0 for each in found)
    return (one, min(two, one), three, four)
