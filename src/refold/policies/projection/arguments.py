"""A call's arguments as every provider takes them: a JSON object, whatever the model wrote.

Rules of this file (sources/stream-json-and-acp.md 5.1 H4):

- A blank text and ``null`` are ``{}``. A text that is an object goes out as it was written.
- Anything else, JSON or not, becomes ``{"unparsed_arguments": text}``: the model sees what it
  wrote, and a provider that reads arguments isn't handed what it must refuse.
- JSON is strict here: no NaN, no number a float can't hold, no lone surrogate, bounded depth.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from refold.policies.utf8 import sendable

__all__ = ["arguments_object", "arguments_text"]

_DEEPEST = 100


def arguments_object(text: str) -> dict[str, Any]:
    """Return a call's arguments as a JSON object.

    Args:
        text: what the model wrote.
    """
    parsed = _parsed(text)
    return {"unparsed_arguments": sendable(text)} if parsed is None else parsed


def arguments_text(text: str) -> str:
    """Return a call's arguments as the text of a JSON object.

    Args:
        text: what the model wrote; returned as it is where it will do.
    """
    value = arguments_object(text)
    if text.lstrip().startswith("{") and _loads(text) == value:
        return text
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _parsed(text: str) -> dict[str, Any] | None:
    """Return the object a text stands for, fit to be sent, or None if it stands for none."""
    value = _loads(text) if text.strip() else {}
    if value is None:
        return {} if text.strip() == "null" else None
    return _cleaned(value) if isinstance(value, dict) and _is_shallow(value) else None


def _loads(text: str) -> Any:
    """Return what a strict JSON text says, or None."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(digits)
    return value


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [child for each in level for child in _children(each)]
        if not level:
            return True
    return False


def _children(value: Any) -> list[Any]:
    inside = value.values() if isinstance(value, dict) else value
    return [each for each in inside if isinstance(each, dict | list)]


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, dict):
        return {sendable(name): _cleaned(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    return value
