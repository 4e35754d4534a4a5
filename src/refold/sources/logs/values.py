"""More readings of foreign JSON: the first of several names, the objects of a list, compact text.

Rules of this file:

- Total, like ``fields``: what is of another type reads like a field that is absent.
- Different agents and versions write one thing under several names; the first that holds it counts.
"""

from __future__ import annotations

import json
from typing import Any, Final

from refold.sources.depth import clipped
from refold.sources.fields import listing

__all__ = ["compact", "first", "first_text", "number", "objects"]

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects among a list's members; anything but a list has none."""
    return [each for each in listing(value) if isinstance(each, dict)]


def first(fields: dict[str, Any], *names: str) -> Any:
    """Return the first of the named fields that is there and not null, or None."""
    for each in names:
        value = fields.get(each)
        if value is not None:
            return value
    return None


def first_text(fields: dict[str, Any], *names: str) -> str | None:
    """Return the first of the named fields that holds a text which isn't empty, or None."""
    for each in names:
        value = fields.get(each)
        if value and isinstance(value, str):
            return value
    return None


def number(value: Any) -> int | None:
    """Return a whole number from 0; a float without a fraction is one, anything else None."""
    if type(value) is float and value.is_integer():
        value = int(value)
    return value if type(value) is int and value >= 0 else None


def compact(value: Any) -> str:
    """Return a JSON value as compact text: keys in their order, nothing escaped needlessly."""
    return _ENCODER.encode(clipped(value))
