"""Costs: exact, and never free for want of a price."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refold.analysis.costs import Cost, cost_of
from refold.analysis.prices import price_table
from refold.analysis.tokens import ModelTokens, Tokens

PRICES = price_table(
    {
        "m": {"cache_read": "0.1", "cache_write": "1.25", "output": "10"},
        "half": {"output": "10"},
        "free": {"cache_read": 0, "cache_write": 0, "output": 0},
        "none": {},
    }
)


def _of(
    model: str | None, read: int, write: int, out: int, total: int | None = None
) -> ModelTokens:
    total = read + write + out if total is None else total
    tokens = Tokens(cache_read=read, cache_write=write, output=out, total=total)
    return ModelTokens(provider=None, model=model, tokens=tokens)


def test_a_million_of_each_bucket_costs_its_price() -> None:
    million = 1_000_000
    assert cost_of([_of("m", million, million, million)], PRICES) == Cost(usd=Decimal("11.35"))


def test_a_tenth_is_a_tenth() -> None:
    three = [_of("m", 1_000_000, 0, 0)] * 3
    assert cost_of(three, PRICES).usd == Decimal("0.3")


def test_an_unknown_model_is_unpriced_and_not_free() -> None:
    assert cost_of([_of("other", 1, 2, 3)], PRICES) == Cost(usd=None, unpriced_tokens=6)
    assert cost_of([_of(None, 1, 2, 3)], PRICES) == Cost(usd=None, unpriced_tokens=6)
    assert cost_of([_of("none", 1, 2, 3)], PRICES) == Cost(usd=None, unpriced_tokens=6)


def test_a_total_says_what_of_it_is_unpriced() -> None:
    cost = cost_of([_of("m", 0, 0, 1_000_000), _of("other", 1, 2, 3)], PRICES)
    assert cost == Cost(usd=Decimal(10), unpriced_tokens=6)
    assert not cost.complete


def test_a_bucket_without_a_price_is_unpriced() -> None:
    assert cost_of([_of("half", 5, 0, 100_000)], PRICES) == Cost(usd=Decimal(1), unpriced_tokens=5)
    assert cost_of([_of("half", 5, 0, 0)], PRICES) == Cost(usd=None, unpriced_tokens=5)


def test_tokens_outside_all_buckets_are_unpriced() -> None:
    assert cost_of([_of("m", 0, 0, 100_000, total=100_007)], PRICES) == Cost(
        usd=Decimal(1), unpriced_tokens=7
    )


def test_a_price_of_zero_is_a_price() -> None:
    cost = cost_of([_of("free", 1, 2, 3)], PRICES)
    assert cost == Cost(usd=Decimal(0))
    assert cost.complete


def test_nothing_used_costs_nothing_known() -> None:
    assert cost_of([], PRICES) == Cost(usd=None)
    assert cost_of([_of("m", 0, 0, 0)], PRICES) == Cost(usd=Decimal(0))


@given(st.lists(st.tuples(*[st.integers(0, 10**60)] * 3), min_size=1, max_size=5))
def test_sums_are_exact_at_any_size(counts: list[tuple[int, int, int]]) -> None:
    cost = cost_of([_of("m", *each) for each in counts], PRICES)
    rates = Fraction(1, 10), Fraction(5, 4), Fraction(10)
    exact = sum(
        (count * rate / 10**6 for each in counts for count, rate in zip(each, rates, strict=True)),
        Fraction(0),
    )
    assert cost.usd is not None
    assert Fraction(cost.usd) == exact
