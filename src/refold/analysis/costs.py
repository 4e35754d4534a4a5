"""What tokens cost, exactly.

Rules of this file (analysis.md, "Cost"):

- Arithmetic is decimal and exact: USD per million tokens times a whole number, shifted by six.
- What has no price is counted in ``unpriced_tokens`` and never as free; with nothing priced at
  all, ``usd`` is None, never 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, localcontext

from refold.analysis.prices import Price, PriceTable
from refold.analysis.tokens import ModelTokens, Tokens
from refold.records import record

__all__ = ["Cost", "cost_of", "total_cost"]

# More digits than any count that JSON lets through can have, so that nothing is ever rounded.
_DIGITS = 20_000


@record
class Cost:
    """What something cost.

    Args:
        usd: US dollars for what the table prices; None if it prices nothing of it.
        unpriced_tokens: tokens the table has no price for.
    """

    usd: Decimal | None = None
    unpriced_tokens: int = 0

    @property
    def complete(self) -> bool:
        """Whether everything is priced."""
        return self.usd is not None and self.unpriced_tokens == 0


def cost_of(usage: Iterable[ModelTokens], prices: PriceTable) -> Cost:
    """Return what tokens cost.

    Args:
        usage: tokens by model.
        prices: USD per million tokens.
    """
    usd: Decimal | None = None
    unpriced = 0
    with localcontext(prec=_DIGITS):
        for each in usage:
            part, left = _priced(each.tokens, prices.of(each.provider, each.model) or Price())
            unpriced += left
            if part is not None:
                usd = part if usd is None else usd + part
    return Cost(usd=usd, unpriced_tokens=unpriced)


def total_cost(costs: Iterable[Cost]) -> Cost:
    """Return the sum of costs."""
    usd: Decimal | None = None
    unpriced = 0
    with localcontext(prec=_DIGITS):
        for cost in costs:
            unpriced += cost.unpriced_tokens
            if cost.usd is not None:
                usd = cost.usd if usd is None else usd + cost.usd
    return Cost(usd=usd, unpriced_tokens=unpriced)


def _priced(tokens: Tokens, price: Price) -> tuple[Decimal | None, int]:
    usd, unpriced, known = Decimal(0), tokens.unbucketed, False
    for count, rate in (
        (tokens.cache_read, price.cache_read),
        (tokens.cache_write, price.cache_write),
        (tokens.output, price.output),
    ):
        if rate is None:
            unpriced += count
        else:
            usd += count * rate.scaleb(-6)
            known = known or count > 0 or tokens.total == 0
    return (usd if known else None), unpriced
