"""Operations: RFC 6902, and one word more.

Rules of this file:

- ``add``, ``remove``, ``replace`` and ``move`` are RFC 6902's. ``append`` puts a text behind the
  string at its path: the one thing RFC 6902 can't say at the cost of the change.
- A path is a JSON pointer (RFC 6901).
"""

from __future__ import annotations

from typing import Any, TypeAlias

__all__ = ["Operation", "add", "append", "escaped", "move", "remove", "replace"]

Operation: TypeAlias = dict[str, Any]


def add(path: str, value: Any) -> Operation:
    """Return an operation that sets a member, or puts an element in front of an index."""
    return {"op": "add", "path": path, "value": value}


def remove(path: str) -> Operation:
    """Return an operation that takes a value away."""
    return {"op": "remove", "path": path}


def replace(path: str, value: Any) -> Operation:
    """Return an operation that puts another value in place of one."""
    return {"op": "replace", "path": path, "value": value}


def move(origin: str, path: str) -> Operation:
    """Return an operation that takes a value away and adds it elsewhere."""
    return {"op": "move", "from": origin, "path": path}


def append(path: str, text: str) -> Operation:
    """Return an operation that puts a text behind a string."""
    return {"op": "append", "path": path, "value": text}


def escaped(name: str) -> str:
    """Return a name as a token of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1") if "~" in name or "/" in name else name
