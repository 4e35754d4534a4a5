"""Persistent maps from names to values: every version stays, a change is O(log16 n).

Rules of this file:

- ``Map`` is a trie over the hashes of its names, 16 ways wide. It iterates in the order of its names, never of their
  hashes: two processes with different hash seeds see the same.
- Equality is that of mappings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeAlias, TypeVar, cast

__all__ = ["EMPTY_MAP", "Map"]

V = TypeVar("V")

_BITS = 4
_WIDTH = 1 << _BITS
_MASK = _WIDTH - 1
_DEEPEST = 60
_HASH = (1 << _DEEPEST) - 1


class _Leaf:
    """A name and its value; ``rest`` holds others whose names have the same hash."""

    __slots__ = ("code", "name", "rest", "value")

    def __init__(self, code: int, name: str, value: Any, rest: tuple[_Leaf, ...] = ()) -> None:
        self.code = code
        self.name = name
        self.value = value
        self.rest = rest


_Node: TypeAlias = tuple[Any, ...]

_EMPTY_NODE: _Node = (None,) * _WIDTH
_ABSENT: Any = object()
_new = object.__new__


class Map(Mapping[str, V], Generic[V]):
    """An immutable mapping from strings. Start from ``EMPTY_MAP``.

    Args:
        root: the trie.
        length: how many names it holds.
    """

    __slots__ = ("_length", "_root")

    _length: int
    _root: _Node

    def __init__(self, root: _Node, length: int) -> None:
        self._root = root
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(leaf.name for leaf in _leaves(self._root)))

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
            _find(other._root, leaf.name) == leaf.value for leaf in _leaves(self._root)
        )

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Any, tuple[dict[str, V]]]:
        # Hashes differ from process to process, so what is pickled are names and values.
        return _map_of, (dict(self),)

    def __repr__(self) -> str:
        return f"Map({dict(self)!r})"

    def put(self, name: str, value: V) -> Map[V]:
        """Return the map with a name set to a value."""
        changed: Map[V] = _new(Map)
        leaf = _Leaf(hash(name) & _HASH, name, value)
        changed._root, added = _put(self._root, 0, leaf)
        changed._length = self._length + added
        return changed

    def without(self, name: str) -> Map[V]:
        """Return the map without a name; the same map if it isn't there."""
        if _find(self._root, name) is _ABSENT:
            return self
        root = _without(self._root, hash(name) & _HASH, name)
        return Map(_EMPTY_NODE if root is None else root, self._length - 1)

    def changed_names(self, before: Map[V]) -> list[str]:
        """Return the names, in order, whose values aren't those of another version."""
        old, new = before._root, self._root
        leaves = *_unshared(old, new), *_unshared(new, old)
        names = {each.name for leaf in leaves for each in (leaf, *leaf.rest)}
        return sorted(name for name in names if _find(old, name) is not _find(new, name))


EMPTY_MAP: Map[Any] = Map(_EMPTY_NODE, 0)


def _map_of(values: Mapping[str, V]) -> Map[V]:
    made: Map[V] = EMPTY_MAP
    for name, value in values.items():
        made = made.put(name, value)
    return made


def _find(node: _Node, name: str) -> Any:
    code = hash(name) & _HASH
    child = node[code & _MASK]
    while type(child) is tuple:
        code >>= _BITS
        child = child[code & _MASK]
    if child is None:
        return _ABSENT
    if child.name == name:
        return child.value
    return next((each.value for each in child.rest if each.name == name), _ABSENT)


def _leaves(node: _Node) -> Iterator[_Leaf]:
    for child in node:
        if type(child) is tuple:
            yield from _leaves(child)
        elif child is not None:
            yield child
            yield from child.rest


def _unshared(node: _Node, other: _Node) -> Iterator[_Leaf]:
    """Yield the leaves of a node, but for those that stand at their place in another, too."""
    for child, others in zip(node, other, strict=True):
        if child is others or child is None:
            continue
        if type(child) is tuple:
            yield from _unshared(child, others if type(others) is tuple else _EMPTY_NODE)
        else:
            yield child


def _put(node: _Node, shift: int, leaf: _Leaf) -> tuple[_Node, int]:
    at = leaf.code >> shift & _MASK
    before = node[at]
    child: Any
    if before is None:
        child, added = leaf, 1
    elif type(before) is tuple:
        child, added = _put(before, shift + _BITS, leaf)
    elif before.code == leaf.code:
        if before.name == leaf.name and not before.rest:
            child, added = leaf, 0
        else:
            child, added = _joined(before, leaf)
    else:
        below, _ = _put(_EMPTY_NODE, shift + _BITS, before)
        child, added = _put(below, shift + _BITS, leaf)
    changed = [*node]
    changed[at] = child
    return tuple(changed), added


def _joined(before: _Leaf, leaf: _Leaf) -> tuple[_Leaf, int]:
    """Return a leaf with another of the same hash put to it."""
    leaves = [before, *before.rest]
    others = tuple([each for each in leaves if each.name != leaf.name])
    return _Leaf(leaf.code, leaf.name, leaf.value, others), len(others) == len(leaves)


def _without(node: _Node, code: int, name: str) -> _Node | None:
    """Return a node without a name that it holds, or None if it held no other."""
    at = code & _MASK
    child = node[at]
    if type(child) is tuple:
        left: Any = _without(child, code >> _BITS, name)
    else:
        others = [each for each in (child, *child.rest) if each.name != name]
        left = _leaf_of(others)
    if left is None and node.count(None) == _WIDTH - 1:
        return None
    return (*node[:at], left, *node[at + 1 :])


def _leaf_of(leaves: list[_Leaf]) -> _Leaf | None:
    """Return leaves of one hash as one leaf, or None for none."""
    if not leaves:
        return None
    first = leaves[0]
    return _Leaf(first.code, first.name, first.value, tuple(leaves[1:]))
