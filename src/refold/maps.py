"""Persistent maps from names to values: every version stays, a change is O(log32 n).

Rules of this file:

- ``Map`` is a hash array mapped trie. It iterates in the order of its names, never of their
  hashes: two processes with different hash seeds see the same.
- ``Sequel`` is a map that remembers the order in which names came, or were last moved to the end.
- Equality is that of mappings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

from refold.vectors import EMPTY_VECTOR, Vector

__all__ = ["EMPTY_MAP", "EMPTY_SEQUEL", "Map", "Sequel"]

V = TypeVar("V")

_BITS = 5
_MASK = 31
_HASH = (1 << 60) - 1
_DEEPEST = 60


class _Node:
    __slots__ = ("bitmap", "children")

    def __init__(self, bitmap: int, children: tuple[Any, ...]) -> None:
        self.bitmap = bitmap
        self.children = children


class _Bucket:
    """Leaves whose names have one hash."""

    __slots__ = ("leaves",)

    def __init__(self, leaves: tuple[tuple[int, str, Any], ...]) -> None:
        self.leaves = leaves


_EMPTY_NODE = _Node(0, ())
_ABSENT: Any = object()


class Map(Mapping[str, V], Generic[V]):
    """An immutable mapping from strings. Start from ``EMPTY_MAP``.

    Args:
        root: the trie.
        length: how many names it holds.
    """

    __slots__ = ("_length", "_root")

    def __init__(self, root: _Node, length: int) -> None:
        self._root = root
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(name for _, name, _ in _leaves(self._root)))

    def __getitem__(self, name: str) -> V:
        found = _find(self._root, name)
        if found is _ABSENT:
            raise KeyError(name)
        return cast("V", found)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a name, or ``default``."""
        found = _find(self._root, name)
        return default if found is _ABSENT else found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _find(self._root, name) is not _ABSENT

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Map):
            return NotImplemented
        if self._root is other._root:
            return True
        return self._length == other._length and all(
            _find(other._root, name) == value for _, name, value in _leaves(self._root)
        )

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Map({dict(self)!r})"

    def put(self, name: str, value: V) -> Map[V]:
        """Return the map with a name set to a value."""
        leaf = (hash(name) & _HASH, name, value)
        root, added = _put(self._root, 0, leaf)
        return Map(root, self._length + added)

    def without(self, name: str) -> Map[V]:
        """Return the map without a name; the same map if it isn't there."""
        if _find(self._root, name) is _ABSENT:
            return self
        root = _without(self._root, 0, hash(name) & _HASH, name)
        return Map(cast("_Node", root) or _EMPTY_NODE, self._length - 1)


class Sequel(Mapping[str, V], Generic[V]):
    """An immutable mapping from strings that keeps an order. Start from ``EMPTY_SEQUEL``.

    Args:
        entries: names and values, a slot each.
        index: the slot of each name.
    """

    __slots__ = ("_entries", "_index")

    def __init__(self, entries: Vector[tuple[str, V]], index: Map[int]) -> None:
        self._entries = entries
        self._index = index

    def __len__(self) -> int:
        return len(self._index)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._entries)

    def __getitem__(self, name: str) -> V:
        return self._entries.at(self._index[name])[1]

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a name, or ``default``."""
        slot = self._index.get(name)
        return default if slot is None else self._entries.at(slot)[1]

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Sequel):
            return NotImplemented
        return len(self) == len(other) and all(
            name in other and other[name] == value for name, value in self._entries
        )

    def __hash__(self) -> int:
        return hash(self._index)

    def __repr__(self) -> str:
        return f"Sequel({dict(self)!r})"

    def put(self, name: str, value: V) -> Sequel[V]:
        """Return the map with a name set; a new name comes last, a known one keeps its place."""
        slot = self._index.get(name)
        if slot is not None:
            return Sequel(self._entries.put(slot, (name, value)), self._index)
        entries = self._entries.append((name, value))
        return Sequel(entries, self._index.put(name, self._entries.slots))

    def moved_to_end(self, name: str) -> Sequel[V]:
        """Return the map with a name, which must be there, in the last place."""
        slot = self._index[name]
        entry = self._entries.at(slot)
        entries = self._entries.without(slot)
        return Sequel(entries.append(entry), self._index.put(name, entries.slots))


EMPTY_MAP: Map[Any] = Map(_EMPTY_NODE, 0)
EMPTY_SEQUEL: Sequel[Any] = Sequel(EMPTY_VECTOR, EMPTY_MAP)


def _find(node: _Node, name: str) -> Any:
    code = hash(name) & _HASH
    while True:
        bit = 1 << (code & _MASK)
        if not node.bitmap & bit:
            return _ABSENT
        child = node.children[(node.bitmap & bit - 1).bit_count()]
        if type(child) is tuple:
            return child[2] if child[1] == name else _ABSENT
        if type(child) is _Bucket:
            return next((each[2] for each in child.leaves if each[1] == name), _ABSENT)
        node = child
        code >>= _BITS


def _leaves(node: _Node) -> Iterator[tuple[int, str, Any]]:
    for child in node.children:
        if type(child) is tuple:
            yield child
        elif type(child) is _Bucket:
            yield from child.leaves
        else:
            yield from _leaves(child)


def _put(node: _Node, shift: int, leaf: tuple[int, str, Any]) -> tuple[_Node, int]:
    bit = 1 << (leaf[0] >> shift & _MASK)
    at = (node.bitmap & bit - 1).bit_count()
    children = node.children
    if not node.bitmap & bit:
        return _Node(node.bitmap | bit, (*children[:at], leaf, *children[at:])), 1
    child, added = _put_in_child(children[at], shift + _BITS, leaf)
    return _Node(node.bitmap, (*children[:at], child, *children[at + 1 :])), added


def _put_in_child(child: Any, shift: int, leaf: tuple[int, str, Any]) -> tuple[Any, int]:
    if type(child) is _Node:
        return _put(child, shift, leaf)
    if type(child) is _Bucket:
        others = tuple(each for each in child.leaves if each[1] != leaf[1])
        return _Bucket((*others, leaf)), len(others) == len(child.leaves)
    if child[1] == leaf[1]:
        return leaf, 0
    if shift >= _DEEPEST:
        return _Bucket((child, leaf)), 1
    return _put(_put(_EMPTY_NODE, shift, child)[0], shift, leaf)


def _without(node: _Node, shift: int, code: int, name: str) -> Any:
    bit = 1 << (code >> shift & _MASK)
    at = (node.bitmap & bit - 1).bit_count()
    children = node.children
    child = _without_in_child(children[at], shift + _BITS, code, name)
    if child is not None:
        return _Node(node.bitmap, (*children[:at], child, *children[at + 1 :]))
    if len(children) == 1:
        return None
    return _Node(node.bitmap & ~bit, (*children[:at], *children[at + 1 :]))


def _without_in_child(child: Any, shift: int, code: int, name: str) -> Any:
    if type(child) is _Node:
        return _without(child, shift, code, name)
    if type(child) is _Bucket:
        leaves = tuple(each for each in child.leaves if each[1] != name)
        return _Bucket(leaves) if len(leaves) > 1 else leaves[0]
    return None
