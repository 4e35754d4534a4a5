"""Numbers as people read them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from refold.analysis import Cost
from refold.render.numbers import (
    bar,
    cost_text,
    count_text,
    duration_text,
    is_date,
    rate_text,
    share_text,
)


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (None, "–"),
        (0, "0 ms"),
        (999, "999 ms"),
        (1_000, "1.0 s"),
        (59_999, "59.9 s"),
        (60_000, "1 min 00 s"),
        (3_599_999, "59 min 59 s"),
        (3_600_000, "1 h 00 min"),
        (86_399_999, "23 h 59 min"),
        (90_000_000, "1 d 01 h"),
        (10**15, "11,574,074 d 01 h"),
    ],
)
def test_durations(ms: int | None, text: str) -> None:
    assert duration_text(ms) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (None, "–"),
        (0, "0"),
        (99_999, "99,999"),
        (100_000, "100 k"),
        (4_595_896, "4.60 M"),
        (45_958_960, "46.0 M"),
        (-124_000, "-124 k"),
        (10**13, "10.0 T"),
        (10**15, "1.00e+15"),
        (10**400, "1.00e+400"),
    ],
)
def test_counts(count: int | None, text: str) -> None:
    assert count_text(count) == text


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (None, ""),
        (Cost(), "–"),
        (Cost(unpriced_tokens=3), "unpriced"),
        (Cost(usd=Decimal(0)), "$0.00"),
        (Cost(usd=Decimal("1234.567")), "$1,234.57"),
        (Cost(usd=Decimal("0.01")), "$0.01"),
        (Cost(usd=Decimal(10) ** 30), "$1.00e+30"),
        (Cost(usd=Decimal("0.00114366")), "$0.0011"),
        (Cost(usd=Decimal("0.0000012")), "$1.2e-6"),
        (Cost(usd=Decimal("1.5"), unpriced_tokens=3), "$1.50+"),
    ],
)
def test_costs(cost: Cost | None, text: str) -> None:
    assert cost_text(cost) == text


def test_shares_and_rates() -> None:
    assert (share_text(1, 8), share_text(1, 0)) == ("12.5 %", "–")
    assert (rate_text(None), rate_text(7.9707), rate_text(25.377)) == ("–", "7.97/s", "25.4/s")
    assert rate_text(121_000.0) == "121,000/s"


@pytest.mark.parametrize(
    ("part", "whole", "length"),
    [(0, 10, 0), (1, 10, 1), (1, 1000, 1), (5, 10, 5), (10, 10, 10), (30, 10, 10), (1, 0, 0)],
)
def test_bars_are_as_long_as_the_share(part: int, whole: int, length: int) -> None:
    assert bar(part, whole, 10) == "█" * length


@pytest.mark.parametrize(
    ("ms", "known"), [(0, False), (31_000, False), (1_783_209_600_000, True), (-1, True)]
)
def test_a_time_of_1970_is_no_date(ms: int, known: bool) -> None:
    assert is_date(ms) is known
