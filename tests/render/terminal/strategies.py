"""Texts that a terminal should not see as they are, and items that hold them."""

from __future__ import annotations

from hypothesis import strategies as st

__all__ = ["HOSTILE", "texts"]

HOSTILE = (
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x9b2J",
    "over\rwritten\bby\x7f",
    "user\u202egnp.exe",
    "\u2066isolated\u2069",
    "tag\U000e0041\U000e0042",
    "\ud800 alone \udfff",
    "\x00\x01\x02",
    "a\u2028b\u2029c",
)

_PIECES = (
    *HOSTILE,
    "word ",
    "日本語の文章",
    "👩\u200d👩\u200d👧",
    "e\u0301",
    "\t",
    "\n",
    "\r\n",
    "    ",
    "**bold** `code` ",
    "```\n",
    "- item ",
    "> quoted ",
    "# ",
    "x" * 150,
    "\u0301" * 40,
    '{"a": 1}',
)


def texts() -> st.SearchStrategy[str]:
    """Texts of awkward pieces, and any text at all."""
    awkward = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)
    return awkward | st.text(max_size=60)
