"""Applying a JSON Patch to a frozen value.

Rules of this file (RFC 6902, RFC 6901):

- Total: operations are any JSON value; a patch of which one operation can't be applied is refused
  as a whole and the document stays.
- A changed document shares what didn't change with the one before.
- Hostile patches stay small: ``copy`` and ``move`` can double a document per operation, so what
  they copied is counted against a budget, and pointers deeper than a safe walk are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refold.json_values import Json, JsonObject
from refold.records import record
from refold.sources.depth import DEEPEST
from refold.sources.fields import frozen, mapping

__all__ = ["Patched", "patched"]

_COPIES = 1_000_000


@record
class Patched:
    """A document behind a patch.

    Args:
        document: the document; the one before if the patch was refused.
        copied: how many values its patches have copied so far.
        applied: whether the patch was applied.
    """

    document: Json
    copied: int = 0
    applied: bool = True


class _RefusedError(Exception):
    """An operation can't be applied."""


def patched(document: Json, operations: Any, copied: int = 0) -> Patched:
    """Apply a patch.

    Args:
        document: a frozen JSON value.
        operations: the patch as plain JSON data, of any type.
        copied: what earlier patches of the document copied (``Patched.copied``).
    """
    if not isinstance(operations, list):
        return Patched(document=document, copied=copied, applied=False)
    after, budget = document, copied
    try:
        for each in operations:
            after, budget = _applied(after, mapping(each), budget)
    except _RefusedError:
        return Patched(document=document, copied=copied, applied=False)
    return Patched(document=after, copied=budget)


def _applied(document: Json, operation: dict[str, Any], copied: int) -> tuple[Json, int]:
    kind = operation.get("op")
    path = _steps(operation.get("path"))
    if kind == "move" or kind == "copy":
        return _from_elsewhere(document, kind, operation, path, copied)
    if kind == "test":
        if _found(document, path) != _value(operation, path):
            raise _RefusedError
        return document, copied
    change = _CHANGES.get(kind) if isinstance(kind, str) else None
    if change is None:
        raise _RefusedError
    return change(document, path, operation), copied


def _from_elsewhere(
    document: Json, kind: str, operation: dict[str, Any], path: list[str], copied: int
) -> tuple[Json, int]:
    source = _steps(operation.get("from"))
    value = _found(document, source)
    copied += _size(value, _COPIES - copied, DEEPEST - len(path))
    if kind == "move":
        if path[: len(source)] == source and len(path) > len(source):
            raise _RefusedError
        document = _without(document, source)
    return _with(document, path, value, insert=True), copied


def _add(document: Json, path: list[str], operation: dict[str, Any]) -> Json:
    return _with(document, path, _value(operation, path), insert=True)


def _replace(document: Json, path: list[str], operation: dict[str, Any]) -> Json:
    _found(document, path)
    return _with(document, path, _value(operation, path), insert=False)


def _remove(document: Json, path: list[str], operation: dict[str, Any]) -> Json:
    return _without(document, path)


_CHANGES: dict[str, Callable[[Json, list[str], dict[str, Any]], Json]] = {
    "add": _add,
    "replace": _replace,
    "remove": _remove,
}


def _steps(pointer: Any) -> list[str]:
    if not isinstance(pointer, str) or (pointer and pointer[0] != "/"):
        raise _RefusedError
    steps = pointer.split("/")[1:]
    if len(steps) > DEEPEST:
        raise _RefusedError
    return [each.replace("~1", "/").replace("~0", "~") for each in steps]


def _value(operation: dict[str, Any], path: list[str]) -> Json:
    if "value" not in operation:
        raise _RefusedError
    value = frozen(operation["value"])
    _size(value, _COPIES, DEEPEST - len(path))
    return value


def _found(document: Json, path: list[str]) -> Json:
    for step in path:
        document = _child(document, step)
    return document


def _child(container: Json, step: str) -> Json:
    if isinstance(container, JsonObject) and step in container:
        return container[step]
    if isinstance(container, tuple):
        return container[_index(step, len(container) - 1)]
    raise _RefusedError


def _index(step: str, last: int) -> int:
    if not (step.isascii() and step.isdigit()) or (step[0] == "0" and step != "0"):
        raise _RefusedError
    if len(step) > len(str(last)) or int(step) > last:
        raise _RefusedError
    return int(step)


def _with(document: Json, path: list[str], value: Json, *, insert: bool) -> Json:
    if not path:
        return value
    step, rest = path[0], path[1:]
    if rest:
        return _put(document, step, _with(_child(document, step), rest, value, insert=insert))
    if insert and isinstance(document, tuple):
        at = len(document) if step == "-" else _index(step, len(document))
        return (*document[:at], value, *document[at:])
    return _put(document, step, value)


def _put(container: Json, step: str, value: Json) -> Json:
    if isinstance(container, JsonObject):
        return JsonObject({**container, step: value})
    if isinstance(container, tuple):
        at = _index(step, len(container) - 1)
        return (*container[:at], value, *container[at + 1 :])
    raise _RefusedError


def _without(document: Json, path: list[str]) -> Json:
    if not path:
        return None
    step, rest = path[0], path[1:]
    child = _child(document, step)
    if rest:
        return _put(document, step, _without(child, rest))
    if isinstance(document, JsonObject):
        return JsonObject({name: each for name, each in document.items() if name != step})
    if isinstance(document, tuple):
        at = _index(step, len(document) - 1)
        return (*document[:at], *document[at + 1 :])
    raise _RefusedError


def _size(value: Json, most: int, deepest: int) -> int:
    """Count the values in a value; refuse one that is larger or deeper than allowed."""
    level, counted = [value], 1
    for _ in range(max(0, deepest) + 1):
        below: list[Json] = []
        for each in level:
            below += _children(each)
            if counted + len(below) > most:
                raise _RefusedError
        if not below:
            return counted
        counted += len(below)
        level = below
    raise _RefusedError


def _children(value: Json) -> tuple[Json, ...]:
    if isinstance(value, JsonObject):
        return tuple(value.values())
    return value if isinstance(value, tuple) else ()
