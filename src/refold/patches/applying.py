"""Operations applied to a JSON document.

Rules of this file:

- The document given stays as it was: containers on the way to a change are copied once.
- An operation that doesn't fit is refused with its path; nothing is half done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from refold.errors import RefoldError, shorten
from refold.patches.operations import Operation

__all__ = ["PatchError", "patch"]


_BAD_ESCAPE = re.compile("~(?![01])")


class PatchError(RefoldError):
    """An operation that doesn't fit the document; the message names it and its path."""


def patch(document: Any, operations: Iterable[Operation]) -> Any:
    """Return a JSON document with operations applied.

    Args:
        document: plain JSON values; it isn't changed.
        operations: as ``diff`` gives them: RFC 6902's ``add``, ``remove``, ``replace``, ``move``,
            ``copy`` and ``test``, and ``append``.

    Raises:
        PatchError: an operation is of another form, or doesn't fit the document.
    """
    patching = _Patching(document)
    for operation in operations:
        try:
            patching.apply(operation)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise PatchError(
                f"expected an operation that fits the document, got {shorten(operation)}"
            ) from error
    return patching.root[0]


class _Patching:
    """A document being patched, and which of its containers are copies already."""

    def __init__(self, document: Any) -> None:
        self.root = [document]
        self._own: set[int] = {id(self.root)}
        self._kept: list[Any] = []

    def apply(self, operation: Operation) -> None:
        match operation:
            case {"op": "add", "path": path, "value": value}:
                self._add(path, value)
            case {"op": "remove", "path": path}:
                self._take(path)
            case {"op": "replace", "path": path, "value": value}:
                container, token = self._reach(path)
                container[_existing(container, token)] = value
            case {"op": "append", "path": path, "value": str(text)}:
                container, token = self._reach(path)
                at = _existing(container, token)
                if type(container[at]) is not str:
                    raise TypeError("append needs a string")
                container[at] += text
            case {"op": "move", "from": origin, "path": path}:
                self._move(origin, path)
            case {"op": "copy", "from": origin, "path": path}:
                container, token = self._reach(origin)
                value = container[_existing(container, token)]
                self._own.clear()
                self._own.add(id(self.root))
                self._add(path, value)
            case {"op": "test", "path": path, "value": value}:
                container, token = self._reach(path)
                if not _equal(container[_existing(container, token)], value):
                    raise ValueError("test failed")
            case _:
                raise ValueError("unknown operation")

    def _add(self, path: str, value: Any) -> None:
        container, token = self._reach(path)
        if container is self.root:
            container[0] = value
        elif type(container) is list:
            container.insert(
                len(container) if token == "-" else _index(token, len(container)), value
            )
        else:
            container[token] = value

    def _move(self, origin: str, path: str) -> None:
        if origin == path:
            container, token = self._reach(origin)
            _existing(container, token)
            return
        if path.startswith(f"{origin}/"):
            raise ValueError("a value can't move into itself")
        self._add(path, self._take(origin))

    def _take(self, path: str) -> Any:
        container, token = self._reach(path)
        if container is self.root:
            raise ValueError("a document can't be taken away")
        return container.pop(_existing(container, token))

    def _reach(self, path: str) -> tuple[Any, Any]:
        """Return the container of a pointer's last token, a copy of our own, and that token."""
        if path == "":
            return self.root, 0
        if not path.startswith("/"):
            raise ValueError("a pointer begins with /")
        if _BAD_ESCAPE.search(path):
            raise ValueError("a tilde is followed by 0 or 1")
        tokens = [token.replace("~1", "/").replace("~0", "~") for token in path[1:].split("/")]
        container = self._owned(self.root, 0)
        for token in tokens[:-1]:
            container = self._owned(container, _existing(container, token))
        return container, tokens[-1]

    def _owned(self, container: Any, at: Any) -> Any:
        value = container[at]
        if type(value) not in (dict, list):
            raise TypeError("a pointer leads through objects and arrays")
        if id(value) not in self._own:
            value = container[at] = value.copy()
            self._own.add(id(value))
            self._kept.append(value)
        return value


def _equal(one: Any, other: Any) -> bool:
    """Tell whether two JSON values are equal: numbers by value, and true is no number."""
    if type(one) is dict and type(other) is dict:
        return one.keys() == other.keys() and all(_equal(one[name], other[name]) for name in one)
    if type(one) is list and type(other) is list:
        return len(one) == len(other) and all(map(_equal, one, other))
    return (type(one) is bool) == (type(other) is bool) and bool(one == other)


def _existing(container: Any, token: Any) -> Any:
    """Return a token as the key of a member that exists."""
    if type(container) is list and type(token) is str:
        return _index(token, len(container) - 1)
    if token not in container and type(container) is dict:
        raise KeyError(token)
    return token


def _index(token: str, highest: int) -> int:
    if not (token.isascii() and token.isdigit()) or (len(token) > 1 and token[0] == "0"):
        raise ValueError("an index is a decimal number")
    if int(token) > highest:
        raise IndexError(token)
    return int(token)
