"""Tokens by bucket, and their sums.

Rules of this file:

- ``total`` is the sender's own sum and is never recomputed; what it counts beyond the three
  buckets is ``unbucketed``.
- Sums keep the models apart: a price belongs to a model. None is "a model nobody named".
- Plain integers of any size; nothing here divides but ``cache_hit_rate``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from refold.messages import TokenCounts
from refold.records import positional, record

__all__ = [
    "NO_TOKENS",
    "Metered",
    "ModelTokens",
    "Tokens",
    "added",
    "by_model",
    "tokens_of",
    "total_of",
]


@record
class Tokens:
    """Tokens by bucket.

    Args:
        cache_read: input tokens read from a cache.
        cache_write: input tokens that were not.
        output: tokens the model wrote.
        total: the sender's own sum.
    """

    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    total: int = 0

    @property
    def unbucketed(self) -> int:
        """Tokens of the total that no bucket accounts for, never negative."""
        return max(0, self.total - self.cache_read - self.cache_write - self.output)

    @property
    def cache_hit_rate(self) -> float | None:
        """The share of input tokens read from a cache, 0 to 1; None with no input."""
        read = self.cache_read
        return None if read + self.cache_write == 0 else read / (read + self.cache_write)


@record
class ModelTokens:
    """Tokens of one model; ``provider`` and ``model`` are None where nobody named them."""

    provider: str | None
    model: str | None
    tokens: Tokens


class Metered(Protocol):
    """Whatever says which model used which tokens."""

    @property
    def provider(self) -> str | None:
        """Whose model, if known."""
        ...

    @property
    def model(self) -> str | None:
        """Which, if known."""
        ...

    @property
    def tokens(self) -> Tokens:
        """What it used."""
        ...


NO_TOKENS = Tokens()
_tokens = positional(Tokens)


def tokens_of(counts: TokenCounts) -> Tokens:
    """Return the tokens a usage event counts."""
    return _tokens(counts.cache_read, counts.cache_write, counts.output, counts.total)


def added(one: Tokens, other: Tokens) -> Tokens:
    """Return the bucket-wise sum of two."""
    return _tokens(
        one.cache_read + other.cache_read,
        one.cache_write + other.cache_write,
        one.output + other.output,
        one.total + other.total,
    )


def total_of(many: Iterable[Tokens]) -> Tokens:
    """Return the bucket-wise sum of any number."""
    total = NO_TOKENS
    for each in many:
        total = added(total, each)
    return total


def by_model(many: Iterable[Metered]) -> tuple[ModelTokens, ...]:
    """Return one sum per model, in order of first appearance."""
    sums: dict[tuple[str | None, str | None], list[int]] = {}
    for each in many:
        tokens = each.tokens
        sum_ = sums.setdefault((each.provider, each.model), [0, 0, 0, 0])
        sum_[0] += tokens.cache_read
        sum_[1] += tokens.cache_write
        sum_[2] += tokens.output
        sum_[3] += tokens.total
    return tuple(
        [
            ModelTokens(provider=provider, model=model, tokens=_tokens(*sum_))
            for (provider, model), sum_ in sums.items()
        ]
    )
