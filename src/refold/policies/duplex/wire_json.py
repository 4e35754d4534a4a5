"""One line of the wire as JSON, and back.

Rules of this file (sources/stream-json-and-acp.md 2.2, 12.14-12.17):

- Blank is ASCII white space alone: space, tab, LF, FF, CR.
- What strict JSON parsers refuse is refused: NaN, infinities and numbers beyond a double, lone
  surrogates, a byte order mark, nesting beyond ``DEEPEST``. A refused line is skipped; its length
  and the class of the error are all that is said about it.
- What is written is ASCII, compact and one line, whatever is in it.
"""

from __future__ import annotations

import json
import math
from typing import Any, ClassVar, Literal, TypeAlias

from refold.decode.json_text import fits
from refold.json_values import Json, freeze, thaw
from refold.records import record

__all__ = ["DEEPEST", "Blank", "Malformed", "Parsed", "line_bytes", "parse"]

DEEPEST = 127

ErrorClass: TypeAlias = Literal["syntax", "number", "surrogate", "depth"]


@record
class Blank:
    """A line of white space."""

    kind: ClassVar[Literal["blank"]] = "blank"


@record
class Malformed:
    """A line that is no JSON; ``length`` counts its characters."""

    kind: ClassVar[Literal["malformed"]] = "malformed"

    length: int
    error: ErrorClass


@record
class Parsed:
    """A line's value."""

    kind: ClassVar[Literal["parsed"]] = "parsed"

    value: Json


class _NumberError(ValueError):
    """A number that no double holds, or a word that is no JSON number."""


def parse(text: str) -> Blank | Malformed | Parsed:
    """Read a frame's text.

    Args:
        text: the line without its end.
    """
    if not text.strip(" \t\n\f\r"):
        return Blank()
    try:
        value = json.loads(text, parse_constant=_refused, parse_float=_double)
    except _NumberError:
        return Malformed(length=len(text), error="number")
    except RecursionError:
        return Malformed(length=len(text), error="depth")
    except ValueError:
        return Malformed(length=len(text), error="syntax")
    return _checked(text, value)


def line_bytes(value: Json) -> bytes:
    """Return a value as a line to write: ASCII JSON and a newline."""
    text = json.dumps(thaw(value), separators=(",", ":"), ensure_ascii=True)
    return text.encode("ascii") + b"\n"


def _refused(word: str) -> Any:
    raise _NumberError(word)


def _double(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _NumberError(digits)
    return number


def _checked(text: str, value: Any) -> Malformed | Parsed:
    if not fits(value, DEEPEST):
        return Malformed(length=len(text), error="depth")
    if "\\u" in text and _has_lone_surrogate(value):
        return Malformed(length=len(text), error="surrogate")
    return Parsed(value=freeze(value))


def _has_lone_surrogate(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
