"""Words and heads that several sections of the stats table have."""

from __future__ import annotations

from refold.analysis.tokens import Tokens
from refold.render.numbers import share_text
from refold.render.sections import Head

__all__ = ["BAR", "SHOWN", "hit_rate", "left_out", "note_head", "some", "trace_head"]

BAR = 30
SHOWN = 10


def note_head() -> Head:
    """Return the head of a column of remarks."""
    return Head(title="", align="left", tone="faint")


def trace_head() -> Head:
    """Head a column that is empty, and so left out, where there is only one trace."""
    return Head(title="trace", align="left", elastic=True, tone="faint")


def hit_rate(tokens: Tokens) -> str:
    """Return the share of input tokens that were read from a cache."""
    return share_text(tokens.cache_read, tokens.cache_read + tokens.cache_write)


def some(count: int, one: str, many: str | None = None) -> str:
    """Return how many there are of something; nothing for none.

    Args:
        count: how many.
        one: what one is called.
        many: what several are called, if not the same with an ``s``.
    """
    if not count:
        return ""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def left_out(count: int, one: str) -> str:
    """Return a remark about how many are not shown; nothing for none."""
    return f"and {some(count, one)}" if count > 0 else ""
