"""A whole text of JSON values to these values: an array, or values one after another.

Rules of this file:

- Values may span lines, as printed for people; each comes with the line it begins on.
- Of an array, its elements are the values; so a file that was cut in the middle of one still gives
  those that are whole.
- Behind what can't be read, reading goes on at the next line that opens a value with the same
  indentation: printed values indent all but their ends. So JSON Lines come out right, too.
- The text is held whole, and read lazily. After too many faults the rest is given up: every one of
  them may have cost a look at all that follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from refold.decode.json_lines import placed
from refold.decode.json_text import scan, within_depth
from refold.errors import DecodeError

__all__ = ["json_documents"]

_WHITE = re.compile("[ \t\r\n\ufeff]*")
_INDENTATION = re.compile("[ \t]*")
_MAX_FAULTS = 256


def json_documents(text: str, *, name: str | None = None) -> Iterator[tuple[int, Any]]:
    """Yield line numbers (1-based) and values; what can't be read is a ``DecodeError`` in place.

    Args:
        text: the whole file.
        name: what errors call it.
    """
    line, counted = 1, 0
    for start, value in _values(text):
        line += text.count("\n", counted, start)
        counted = start
        yield line, placed(value, line, name)


def _values(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the index at which each value begins, and the value."""
    at, in_array, faults = _behind_white(text, 0), False, 0
    while at < len(text) and faults < _MAX_FAULTS:
        if text[at] == "[" and not in_array:
            in_array, end = True, at + 1
        elif in_array and text[at] in ",]":
            in_array, end = text[at] == ",", at + 1
        else:
            value, end = _value(text, at)
            faults += isinstance(value, DecodeError)
            yield at, value
        at = _behind_white(text, end)


def _value(text: str, at: int) -> tuple[Any, int]:
    try:
        value, end = scan(text, at)
    except DecodeError as error:
        return error, _next_opening(text, at)
    try:
        return within_depth(value, text[at:end]), end
    except DecodeError as error:
        return error, end


def _next_opening(text: str, at: int) -> int:
    begin = text.rfind("\n", 0, at) + 1
    indentation = _INDENTATION.match(text, begin)
    opening = "\n" + (indentation[0] if indentation else "")
    found = re.compile(re.escape(opening) + r"[\[{]").search(text, at)
    return len(text) if found is None else found.end() - 1


def _behind_white(text: str, at: int) -> int:
    white = _WHITE.match(text, at)
    return at if white is None else white.end()
