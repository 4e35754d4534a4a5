"""JSON texts to plain values, strictly and in bounded depth.

Rules of this file (RFC 8259):

- What JSON doesn't have is refused: NaN, Infinity, and numbers that only an infinity could hold.
- Lone surrogates are kept, whether escaped or (in bytes) encoded as if they were characters.
- The outcome is the same with the ``fast`` extra and without: msgspec only ever parses what it
  accepts, and what it accepts it reads like the standard parser.
- Everything refused is a ``DecodeError``, however deep or long the text.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

from refold.errors import DecodeError

__all__ = [
    "MAX_DEPTH",
    "MAX_DIGITS",
    "fits",
    "line_parser",
    "parse",
    "scan",
    "scan_once",
    "text_of",
    "within_depth",
]

MAX_DEPTH = 128
MAX_DIGITS = 4000

_IN_FRONT = 20

# Counting the brackets of a longer text costs more than looking at the value.
_LONG = 4096

_A_VALUE = "a JSON value"
_TOO_DEEP = f"at most {MAX_DEPTH} levels of nesting"
_TOO_LONG = f"an integer of at most {MAX_DIGITS} digits"

LineParser: TypeAlias = Callable[[Any], Any]


class _RefusedError(ValueError):
    """A number that the grammar or the parser has but JSON doesn't."""


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _RefusedError(digits)
    return number


def _no_constant(name: str) -> NoReturn:
    raise _RefusedError(name)


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)
# A text and where to begin, to a value and where it ends; what it raises, ``scan`` says in words.
# The scanner itself is half of what ``raw_decode`` costs on a short line.
scan_once = _DECODER.scan_once  # type: ignore[attr-defined]


def parse(text: str | bytes) -> Any:
    """Parse a text that is one JSON value, white space around it allowed.

    Args:
        text: the text, or its UTF-8 bytes.

    Raises:
        DecodeError: it is anything else, or nests deeper than ``MAX_DEPTH``.
    """
    whole = text_of(text).strip(" \t\r\n")
    value, end = scan(whole)
    if end != len(whole):
        raise DecodeError("the end of the JSON value", value=whole[end:])
    return within_depth(value, whole)


def scan(text: str, start: int = 0) -> tuple[Any, int]:
    """Parse the JSON value that begins at an index.

    Args:
        text: what holds the value, and anything behind it.
        start: where its first character is; white space is none.

    Returns:
        The value, and the index behind it.

    Raises:
        DecodeError: no value begins there, or it can't be read; its value is the text from there.
    """
    try:
        return scan_once(text, start)  # type: ignore[no-any-return]
    except (StopIteration, json.JSONDecodeError):
        raise DecodeError(_A_VALUE, value=text[start:]) from None
    except _RefusedError as refused:
        raise DecodeError("a finite number", value=str(refused)) from None
    except ValueError:
        # CPython refuses to read integers from very long texts (sys.set_int_max_str_digits).
        raise DecodeError(_TOO_LONG, value=text[start:]) from None
    except RecursionError:
        raise DecodeError(_TOO_DEEP, value=text[start:]) from None


def text_of(raw: str | bytes) -> str:
    """Return the text that bytes encode.

    Args:
        raw: UTF-8, surrogates encoded as if they were characters included; a text is itself.

    Raises:
        DecodeError: it is not UTF-8; its value begins a little before what isn't.
    """
    if isinstance(raw, str):
        return raw
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise DecodeError("UTF-8", value=raw[max(error.start - _IN_FRONT, 0) :]) from None


def within_depth(value: Any, raw: Any) -> Any:
    """Return a parsed value if it nests at most ``MAX_DEPTH`` levels.

    Args:
        value: what was parsed.
        raw: the text or bytes it was parsed from: if that is short and has few brackets, there is
            nothing to look at.

    Raises:
        DecodeError: it nests deeper.
    """
    size = len(raw)
    if size <= MAX_DEPTH:
        return value
    if size <= _LONG:
        is_text = type(raw) is str
        brackets = raw.count("{" if is_text else b"{") + raw.count("[" if is_text else b"[")
        if brackets <= MAX_DEPTH:
            return value
    if not fits(value):
        raise DecodeError(_TOO_DEEP, value=raw)
    return value


def fits(value: Any, deepest: int = MAX_DEPTH) -> bool:
    """Tell whether a parsed value nests no deeper than so many levels of containers."""
    if type(value) is not dict and type(value) is not list:
        return True
    level = [value]
    for _ in range(deepest):
        level = [
            each
            for some in level
            for each in (some.values() if type(some) is dict else some)
            if type(each) is dict or type(each) is list
        ]
        if not level:
            return True
    return False


def line_parser(*, fast: bool = True) -> LineParser:
    """Return a parser for the text or bytes of one line.

    It parses one value and raises any ``Exception`` for a line that isn't plainly that; ``parse``
    and ``scan`` then say what it is.

    Args:
        fast: whether the ``fast`` extra is used, if it is installed.
    """
    return (_fast_parser() if fast else None) or _plain


def _plain(raw: str | bytes) -> Any:
    text = raw if type(raw) is str else raw.decode()  # type: ignore[union-attr]
    value, end = scan_once(text, 0)
    if end != len(text) and text[end:] != "\n" and text[end:].strip(" \t\r\n"):
        raise ValueError
    return value


@functools.cache
def _fast_parser() -> LineParser | None:
    """Return msgspec's parser if the ``fast`` extra is installed."""
    try:
        import msgspec  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    return msgspec.json.Decoder().decode
