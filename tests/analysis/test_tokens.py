"""Tokens by bucket and model."""

from __future__ import annotations

from refold.analysis.tokens import ModelTokens, Tokens, added, by_model, tokens_of, total_of
from refold.messages import TokenCounts


def _of(model: str | None, output: int) -> ModelTokens:
    return ModelTokens(provider="p", model=model, tokens=Tokens(output=output, total=output))


def test_sums_are_bucket_wise() -> None:
    one = Tokens(cache_read=1, cache_write=2, output=3, total=6)
    other = Tokens(cache_read=10, cache_write=20, output=30, total=61)
    assert added(one, other) == Tokens(cache_read=11, cache_write=22, output=33, total=67)
    assert total_of([one, other, other]) == Tokens(
        cache_read=21, cache_write=42, output=63, total=128
    )
    assert total_of([]) == Tokens()


def test_the_senders_total_is_kept_and_what_it_hides_is_named() -> None:
    tokens = tokens_of(TokenCounts(cache_read=1, cache_write=2, output=3, total=10))
    assert tokens.total == 10
    assert tokens.unbucketed == 4
    assert Tokens(output=5, total=3).unbucketed == 0


def test_cache_hit_rate_is_the_share_of_input() -> None:
    assert Tokens(cache_read=3, cache_write=1, output=99).cache_hit_rate == 0.75
    assert Tokens(output=99).cache_hit_rate is None
    assert Tokens(cache_read=10**400, cache_write=0).cache_hit_rate == 1.0


def test_models_are_kept_apart_in_order_of_appearance() -> None:
    assert by_model([_of("b", 1), _of(None, 2), _of("b", 3), _of("a", 4)]) == (
        _of("b", 4),
        _of(None, 2),
        _of("a", 4),
    )
