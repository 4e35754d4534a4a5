"""What a million tokens cost: an input, never fetched.

Rules of this file (analysis.md, "Cost"):

- A table maps a model's id to USD per million tokens and bucket. ``provider/model`` is looked up
  before ``model``, an exact name before a pattern ``prefix*``, a longer prefix before a shorter.
- A price is a decimal: an int, a ``Decimal`` or a decimal text. A float is refused, since what
  was meant is already lost; numbers in a JSON text are read as decimals.
- A bucket without a price is unpriced, which is not free.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from operator import itemgetter
from typing import Any

from refold.errors import DecodeError
from refold.records import record

__all__ = ["Price", "PriceTable", "price_table", "read_prices"]

_BUCKETS = ("cache_read", "cache_write", "output")
_MOST = Decimal(10) ** 9
_FINEST = -12


@record
class Price:
    """USD per million tokens, by bucket; None is unpriced."""

    cache_read: Decimal | None = None
    cache_write: Decimal | None = None
    output: Decimal | None = None


@record
class PriceTable:
    """Prices by model; make one with ``price_table`` or ``read_prices``.

    Args:
        exact: names and their prices, sorted by name.
        patterns: prefixes and their prices, the longest prefix first.
    """

    exact: tuple[tuple[str, Price], ...] = ()
    patterns: tuple[tuple[str, Price], ...] = ()

    def of(self, provider: str | None, model: str | None) -> Price | None:
        """Return what a model costs, or None if the table doesn't know it."""
        if model is None:
            return None
        names = [model] if provider is None else [f"{provider}/{model}", model]
        for name in names:
            at = bisect_left(self.exact, name, key=itemgetter(0))
            if at < len(self.exact) and self.exact[at][0] == name:
                return self.exact[at][1]
        for prefix, price in self.patterns:
            if any(name.startswith(prefix) for name in names):
                return price
        return None


def read_prices(text: str) -> PriceTable:
    """Read a price table from a JSON text.

    Args:
        text: ``{"model": {"cache_read": 0.3, "cache_write": 3.75, "output": 15}, …}`` in USD per
            million tokens; a name may end in ``*``.

    Raises:
        DecodeError: the text is no such table; the error names the JSON path.
    """
    try:
        table = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise DecodeError("a JSON text", value=text) from error
    return price_table(table)


def price_table(table: Mapping[str, Mapping[str, Any]]) -> PriceTable:
    """Make a price table from plain data.

    Args:
        table: as in ``read_prices``, prices as ints, Decimals or decimal texts.

    Raises:
        DecodeError: something in it is no price; the error names the JSON path.
    """
    if not isinstance(table, Mapping):
        raise DecodeError("an object of prices by model", value=table)
    prices = {name: _price(f"$.{name}", entry) for name, entry in table.items()}
    exact = [entry for entry in prices.items() if not entry[0].endswith("*")]
    patterns = [(name[:-1], price) for name, price in prices.items() if name.endswith("*")]
    return PriceTable(
        exact=tuple(sorted(exact, key=itemgetter(0))),
        patterns=tuple(sorted(patterns, key=lambda pattern: -len(pattern[0]))),
    )


def _price(path: str, entry: Any) -> Price:
    if not isinstance(entry, Mapping):
        raise DecodeError("an object of USD per million tokens by bucket", path=path, value=entry)
    for name in entry:
        if name not in _BUCKETS:
            raise DecodeError(f"one of {', '.join(_BUCKETS)}", path=path, value=name)
    return Price(**{name: _usd(f"{path}.{name}", value) for name, value in entry.items()})


def _usd(path: str, value: Any) -> Decimal | None:
    if value is None:
        return None
    usd = _decimal(value)
    if usd is None or not usd.is_finite() or not 0 <= usd <= _MOST or _exponent(usd) < _FINEST:
        raise DecodeError("a decimal from 0 to 10^9 with up to 12 places", path=path, value=value)
    return usd


def _decimal(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | str | Decimal):
        return None
    try:
        return Decimal(value)
    except InvalidOperation:
        return None


def _exponent(usd: Decimal) -> int:
    exponent = usd.as_tuple().exponent
    return exponent if isinstance(exponent, int) else _FINEST - 1
