"""Bounding how deep a foreign JSON value may nest.

Rules of this file:

- A record that decoded may still nest deeper than what freezes, encodes or compares it may recurse.
- The bound is a constant, never the interpreter's stack of the moment: the same record gives the
  same message everywhere (laws.md, law 1).
- Nothing here recurses without that bound.
"""

from __future__ import annotations

from typing import Any

from refold.decode.json_text import fits

__all__ = ["DEEPEST", "clipped"]

DEEPEST = 100
_CUT = "…"


def clipped(value: Any, deepest: int = DEEPEST) -> Any:
    """Return plain JSON data with what nests deeper than ``deepest`` replaced by an ellipsis.

    Args:
        value: plain JSON data (dicts and lists).
        deepest: how many containers may nest; a scalar has none.

    Returns:
        The value itself if it nests no deeper.
    """
    return value if deepest > 0 and fits(value, deepest) else _clip(value, deepest)


def _clip(value: Any, left: int) -> Any:
    if type(value) is not dict and type(value) is not list:
        return value
    if left == 0:
        return _CUT
    if type(value) is dict:
        return {name: _clip(each, left - 1) for name, each in value.items()}
    return [_clip(each, left - 1) for each in value]
