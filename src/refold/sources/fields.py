"""Reading the fields of a foreign record, whatever they hold.

Rules of this file:

- Total: any JSON value in any place gives a value of the asked type, never an error. What is of
  another type reads like a field that is absent.
- Plain JSON data in, plain JSON data or frozen values out; what is kept is bounded in depth.
- Counts of tokens are read by ``anthropic_blocks.count``, texts of its blocks there too.
"""

from __future__ import annotations

from typing import Any

from refold.json_values import Json, JsonObject, freeze
from refold.sources.depth import clipped
from refold.times import format_ms, parse_ms

__all__ = ["frozen", "frozen_object", "listing", "mapping", "moment", "name", "position", "text"]


def text(value: Any) -> str:
    """Return a text; anything but a string is empty."""
    return value if isinstance(value, str) else ""


def name(value: Any) -> str | None:
    """Return a text that isn't empty, or None."""
    return value if isinstance(value, str) and value else None


def mapping(value: Any) -> dict[str, Any]:
    """Return an object; anything else is empty. It must not be changed."""
    return value if isinstance(value, dict) else {}


def listing(value: Any) -> list[Any]:
    """Return an array; anything else is empty. It must not be changed."""
    return value if isinstance(value, list) else []


def position(value: Any) -> str:
    """Return an index as a key; what is no integer is the empty key."""
    return str(value) if type(value) is int and abs(value) < 1 << 63 else ""


def frozen(value: Any) -> Json:
    """Return plain JSON data as a frozen value, clipped to a depth that is safe to walk."""
    return freeze(clipped(value))


def frozen_object(value: Any) -> JsonObject:
    """Return an object as a frozen one; anything else is empty."""
    found = frozen(mapping(value))
    return found if isinstance(found, JsonObject) else JsonObject()


def moment(value: Any, unit_ms: int = 1) -> str | None:
    """Return a time as a timestamp, or None if it can't be read.

    Args:
        value: an ISO 8601 text, or a number since the Unix epoch.
        unit_ms: the milliseconds of that number's unit.
    """
    if isinstance(value, str):
        return value if parse_ms(value) is not None else None
    if type(value) is not int and type(value) is not float:
        return None
    try:
        return format_ms(int(value * unit_ms))
    except (OverflowError, ValueError):
        return None
