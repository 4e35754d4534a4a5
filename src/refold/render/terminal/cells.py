"""How many columns a text takes in a terminal, and how to cut and wrap it to some.

Rules of this file (Unicode Standard Annex 11, and what terminals do):

- Wide and fullwidth characters take two columns, marks and joiners none, the rest one.
- A line breaks at spaces, and within a word only where a word alone is too long.
- Texts are harmless already: there is nothing here but lines, and no tab.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

__all__ = ["clipped", "columns", "padded", "rows", "unfinished"]

ELLIPSIS: Final = "…"

# A character may take no column, but not for ever: what is far too long isn't measured.
_PER_COLUMN: Final = 8

_WORDS: Final = re.compile(r"\s*\S+")


def columns(text: str) -> int:
    """Return how many columns a text takes."""
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def clipped(text: str, width: int) -> str:
    """Return a text that takes no more columns than there are; what is cut off ends in ``…``."""
    if len(text) <= width * _PER_COLUMN and columns(text) <= width:
        return text
    return text[: _fitting(text, max(width - 1, 0))] + (ELLIPSIS if width > 0 else "")


def unfinished(row: str, width: int) -> str:
    """Return a row that says that it goes on: with a ``…`` at its end."""
    return row[: _fitting(row, width - 1)] + ELLIPSIS


def padded(text: str, width: int) -> str:
    """Return a text with spaces behind it up to a width."""
    return text + " " * (width - columns(text))


def rows(text: str, width: int) -> Iterator[str]:
    """Yield a line in rows of at most so many columns, spaces at breaks and at its end left out.

    Args:
        text: one line.
        width: how many columns there are, 2 at least.
    """
    text = text.rstrip()
    if len(text) <= width and text.isascii():
        yield text
        return
    # An indentation leaves room for what is indented, however deep.
    indent = min(len(text) - len(text.lstrip()), width // 2)
    row, used = "", 0
    for found in _WORDS.finditer(" " * indent + text.lstrip()):
        word = found[0]
        needs = columns(word) if len(word) <= width * _PER_COLUMN else width + 1
        if used + needs <= width:
            row, used = row + word, used + needs
            continue
        if row.strip():
            yield row.rstrip()
        *full, row = _broken(word.lstrip() if row.strip() else word, width)
        yield from full
        used = columns(row)
    yield row


def _broken(word: str, width: int) -> Iterator[str]:
    """Yield a word in pieces that fit, the last of which may be short."""
    at = 0
    while True:
        piece = word[at : at + width * _PER_COLUMN]
        end = at + max(_fitting(piece, width), 1)
        yield word[at:end]
        if end >= len(word):
            return
        at = end


def _fitting(text: str, width: int) -> int:
    """Return how many characters of a text fit, with the marks that belong to them."""
    used = 0
    for at, character in enumerate(text):
        used += _columns_of(character)
        if used > width:
            return at
    return len(text)


@lru_cache(maxsize=4096)
def _columns_of(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
