"""Single values of a message, checked strictly.

Rules of this file (protocol.md, "Strictness"):

- A string is a string, a count a whole number of at least 0: a bool is none, a float without a
  fraction is one. Nothing is converted that isn't exactly what it says.
- What is kept verbatim must be JSON: finite numbers, names that are strings, a depth that is safe
  to walk. A value that a caller made in Python may be anything.
- An error's path is relative to the value; whoever knows where that stands puts it in front.
"""

from __future__ import annotations

import math
from typing import Any, Final

from refold.decode.json_text import MAX_DEPTH, MAX_DIGITS
from refold.errors import DecodeError
from refold.json_values import EMPTY, Json, JsonObject

__all__ = [
    "ABSENT",
    "HUGE",
    "below",
    "count",
    "frozen",
    "frozen_object",
    "remainder",
    "string",
    "strings",
]

HUGE = 10**MAX_DIGITS

_A_COUNT = "a whole number of at least 0"


class _Absent:
    """What stands where a field doesn't."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()


def below(error: DecodeError, path: str) -> DecodeError:
    """Return an error with a path in front of its own."""
    return DecodeError(error.expected, path=path + error.path, value=error.value)


def string(value: Any) -> str:
    """Return a string.

    Raises:
        DecodeError: the value is none.
    """
    if type(value) is str:
        return value
    raise DecodeError("a string", path="", value=value)


def count(value: Any) -> int:
    """Return a whole number of at least 0.

    Raises:
        DecodeError: the value is none, or has more digits than can be written.
    """
    number = int(value) if type(value) is float and value.is_integer() else value
    if type(number) is not int or number < 0:
        raise DecodeError(_A_COUNT, path="", value=value)
    return _written(number)


def strings(value: Any) -> tuple[str, ...]:
    """Return a list of strings as a tuple.

    Raises:
        DecodeError: the value is none.
    """
    if type(value) is not list:
        raise DecodeError("a list", path="", value=value)
    for each in value:
        if type(each) is not str:
            at = next(at for at, other in enumerate(value) if other is each)
            raise DecodeError("a string", path=f"[{at}]", value=each)
    return tuple(value)


def frozen_object(value: Any) -> JsonObject:
    """Return an object as an immutable one.

    Raises:
        DecodeError: the value is no object, or something in it isn't JSON.
    """
    if type(value) is dict:
        return _frozen_entries(value, 1)
    raise DecodeError("an object", path="", value=value)


def frozen(value: Any) -> Json:
    """Return a JSON value as an immutable one.

    Raises:
        DecodeError: it or something in it isn't JSON, or nests deeper than ``MAX_DEPTH``.
    """
    return _frozen(value, 1)


def remainder(value: dict[str, Any], known: frozenset[str]) -> JsonObject:
    """Return the fields of an object that aren't known, frozen.

    Raises:
        DecodeError: one of them isn't JSON.
    """
    unknown = {name: each for name, each in value.items() if name not in known}
    return frozen_object(unknown) if unknown else EMPTY


def _frozen(value: Any, depth: int) -> Json:
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return value  # type: ignore[no-any-return]
    if kind is int:
        return _written(value)
    if kind is float and math.isfinite(value):
        return value  # type: ignore[no-any-return]
    if kind is dict:
        return _frozen_entries(value, depth)
    if kind is list:
        _check_depth(value, depth)
        return tuple([_frozen(each, depth + 1) for each in value])
    raise DecodeError("a JSON value", path="", value=value)


def _frozen_entries(value: dict[Any, Any], depth: int) -> JsonObject:
    _check_depth(value, depth)
    entries = {}
    for name, each in value.items():
        try:
            entries[string(name)] = _frozen(each, depth + 1)
        except DecodeError as error:
            if depth > 1:
                raise
            raise below(error, f".{name}") from None
    return JsonObject(entries)


def _check_depth(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise DecodeError(f"at most {MAX_DEPTH} levels of nesting", path="", value=value)


def _written(number: int) -> int:
    if -HUGE < number < HUGE:
        return number
    raise DecodeError(f"an integer of at most {MAX_DIGITS} digits", path="", value=number)
