"""Price tables: what is read, and what is refused with which words."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from refold.analysis.prices import Price, price_table, read_prices
from refold.errors import DecodeError

TEXT = """{
  "m": {"cache_read": 0.1, "cache_write": "1.25", "output": 10},
  "p/m": {"output": 11},
  "m-2026*": {"output": 12},
  "m-*": {"output": 13}
}"""


def test_numbers_are_read_as_the_decimals_they_were_written_as() -> None:
    assert read_prices(TEXT).of(None, "m") == Price(
        cache_read=Decimal("0.1"), cache_write=Decimal("1.25"), output=Decimal(10)
    )


@pytest.mark.parametrize(
    ("provider", "model", "output"),
    [
        (None, "m", 10),
        ("q", "m", 10),
        ("p", "m", 11),
        (None, "m-2026-11-30", 12),
        (None, "m-1", 13),
    ],
)
def test_the_most_particular_name_wins(provider: str | None, model: str, output: int) -> None:
    price = read_prices(TEXT).of(provider, model)
    assert price is not None
    assert price.output == output


@pytest.mark.parametrize("model", ["n", "", None, "M"])
def test_an_unknown_model_has_no_price(model: str | None) -> None:
    assert read_prices(TEXT).of("p", model) is None


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([], "expected an object of prices by model at $, got []"),
        ({"m": 3}, "expected an object of USD per million tokens by bucket at $.m, got 3"),
        (
            {"m": {"input": 3}},
            "expected one of cache_read, cache_write, output at $.m, got 'input'",
        ),
        (
            {"m": {"output": 0.1}},
            "expected a decimal from 0 to 10^9 with up to 12 places at $.m.output, got 0.1",
        ),
        (
            {"m": {"output": -1}},
            "expected a decimal from 0 to 10^9 with up to 12 places at $.m.output, got -1",
        ),
        (
            {"m": {"output": "NaN"}},
            "expected a decimal from 0 to 10^9 with up to 12 places at $.m.output, got 'NaN'",
        ),
        (
            {"m": {"output": "1e-13"}},
            "expected a decimal from 0 to 10^9 with up to 12 places at $.m.output, got '1e-13'",
        ),
        (
            {"m": {"output": True}},
            "expected a decimal from 0 to 10^9 with up to 12 places at $.m.output, got True",
        ),
        (
            {"m": {"output": "dear"}},
            "expected a decimal from 0 to 10^9 with up to 12 places at $.m.output, got 'dear'",
        ),
    ],
)
def test_what_is_no_price_is_refused_with_its_path(table: Any, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        price_table(table)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["{", "", "[" * 100_000, "nul"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(DecodeError, match="expected a JSON text at \\$"):
        read_prices(text)
