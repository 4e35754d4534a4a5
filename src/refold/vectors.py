"""A persistent vector: every version stays, and a change costs the same at any length.

Rules of this file:

- A 32-way tree of plain tuples with a tail, as in Clojure. Its shape depends on nothing but how
  many slots there are, so equal vectors compare node by node and shared nodes compare at once.
- A slot keeps its number for ever. Emptying one leaves a hole that reading skips; holes are the
  bits of one integer, so finding the n-th filled slot needs no walk.
- What most changes leave alone stands apart in one tuple (``_body``): most of what a change costs
  is copying the fields of the vector. For the same reason ``append`` and ``put`` call nothing.
- Values are anything but None.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import compress, count
from operator import is_not
from typing import Any, Generic, TypeAlias, TypeVar

__all__ = ["EMPTY_VECTOR", "Vector", "vector_of"]

T = TypeVar("T")

_BITS = 5
_WIDTH = 1 << _BITS
_MASK = _WIDTH - 1
_TREE = ~_MASK
_CHUNK = 1024
_HOLE: Any = None

# The tree, its height in bits, a bit for each hole, and how many holes there are.
_Body: TypeAlias = tuple[tuple[Any, ...], int, int, int]


class Vector(Generic[T]):
    """An immutable sequence of slots. Start from ``EMPTY_VECTOR`` or ``vector_of``.

    ``slots`` counts slots, holes included; ``tail`` is the last leaf, 1 to 32 slots unless the
    vector is empty. The tree over all other leaves, its height in bits and a bit for each hole are
    private.
    """

    __slots__ = ("_body", "slots", "tail")

    slots: int
    tail: tuple[Any, ...]
    _body: _Body

    @property
    def holes(self) -> int:
        """A bit for each emptied slot."""
        return self._body[2]

    def __len__(self) -> int:
        return self.slots - self._body[3]

    def __bool__(self) -> bool:
        return len(self) > 0

    def __iter__(self) -> Iterator[T]:
        root, shift, _, _ = self._body
        for leaf in _leaves(root, shift):
            yield from (each for each in leaf if each is not None)
        yield from (each for each in self.tail if each is not None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vector):
            return NotImplemented
        return self.slots == other.slots and self.tail == other.tail and self._body == other._body

    def __hash__(self) -> int:
        return hash((self.slots, self.holes, self.tail))

    def __reduce__(self) -> tuple[Any, tuple[list[T | None]]]:
        return vector_of, (list(self.raw()),)

    def __repr__(self) -> str:
        return f"vector_of({list(self.raw())!r})"

    def at(self, slot: int) -> T:
        """Return what a filled slot holds.

        Args:
            slot: its number, from 0; it must be filled.
        """
        front = self.slots - 1 & _TREE
        if slot >= front:
            return self.tail[slot - front]  # type: ignore[no-any-return]
        node, shift, _, _ = self._body
        while shift:
            node = node[slot >> shift & _MASK]
            shift -= _BITS
        return node[slot & _MASK]  # type: ignore[no-any-return]

    def append(self, value: T) -> Vector[T]:
        """Return the vector with one more slot, numbered ``self.slots``."""
        slots = self.slots
        longer: Vector[T] = Vector()
        longer.slots = slots + 1
        if slots & _MASK or not slots:
            longer.tail = (*self.tail, value)
            longer._body = self._body
        else:
            longer.tail = (value,)
            longer._body = self._pushed()
        return longer

    def put(self, slot: int, value: T) -> Vector[T]:
        """Return the vector with another value in a filled slot."""
        changed: Vector[T] = Vector()
        changed.slots = slots = self.slots
        if slots == 1:
            changed.tail = (value,)
            changed._body = self._body
            return changed
        behind = slot - (slots - 1 & _TREE)
        if behind < 0:
            root, shift, holes, gaps = self._body
            changed.tail = self.tail
            changed._body = (_put(root, shift, slot, value), shift, holes, gaps)
            return changed
        leaf = [*self.tail]
        leaf[behind] = value
        changed.tail = tuple(leaf)
        changed._body = self._body
        return changed

    def fill(self, slot: int, value: T) -> Vector[T]:
        """Return the vector with a hole filled."""
        return self.put(slot, value)._with_holes(self.holes & ~(1 << slot))

    def without(self, slot: int) -> Vector[T]:
        """Return the vector with a filled slot emptied; the others keep their numbers."""
        return self.put(slot, _HOLE)._with_holes(self.holes | 1 << slot)

    def with_hole(self) -> Vector[T]:
        """Return the vector with one more slot, empty."""
        return self.append(_HOLE)._with_holes(self.holes | 1 << self.slots)

    def is_filled(self, slot: int) -> bool:
        """Tell whether a slot exists and holds something."""
        return 0 <= slot < self.slots and not self.holes >> slot & 1

    def rank(self, slot: int) -> int:
        """Return how many filled slots stand in front of a slot."""
        _, _, holes, gaps = self._body
        if not gaps:
            return slot
        # Counted on the shorter side: what is asked for stands near the end, or was the first.
        if slot < self.slots >> 1:
            return slot - (holes & (1 << slot) - 1).bit_count()
        return slot - gaps + (holes >> slot).bit_count()

    def select(self, rank: int) -> T:
        """Return what the filled slot with so many filled ones in front of it holds."""
        if not self._body[3]:
            return self.at(rank)
        slot = bisect_left(range(self.slots), rank + 1, key=lambda each: self.rank(each + 1))
        return self.at(slot)

    def behind(self, slot: int) -> tuple[T, ...]:
        """Return what the filled slots from a number on hold, in order."""
        slots, tail = self.slots, self.tail
        if slot >= slots - len(tail):
            rest = tail[slot - slots :] if slot < slots else ()
        else:
            rest = tuple(map(self.at, range(slot, slots)))
        return tuple([each for each in rest if each is not None]) if self._body[3] else rest

    def descending(self, skipped: int = 0) -> Iterator[int]:
        """Yield the numbers of filled slots, the last first.

        Args:
            skipped: a bit for each slot that is passed over, too.
        """
        skipped |= self.holes
        base = self.slots
        while base > 0:
            width = min(base, _CHUNK)
            base -= width
            left = ~(skipped >> base) & (1 << width) - 1
            while left:
                top = left.bit_length() - 1
                left ^= 1 << top
                yield base + top

    def changed(self, other: Vector[T], limit: int) -> list[int]:
        """Return the slots in front of a limit that two vectors don't share, ascending.

        Args:
            other: another version; shared nodes are passed by at once.
            limit: the first slot that isn't looked at; both have so many.
        """
        tail, others = self.tail, other.tail
        offset = self.slots - len(tail)
        found: list[int] = []
        if self._body[0] is not other._body[0]:
            if self.slots > other.slots:
                return other.changed(self, limit)
            found += self._changed_leaves(other)
            others = other._leaf(offset)
        if tail is not others:
            found += compress(count(offset), map(is_not, tail, others))
        if found and found[-1] >= limit:
            return [slot for slot in found if slot < limit]
        return found

    def _changed_leaves(self, longer: Vector[T]) -> list[int]:
        """Return the slots in front of the tail that a longer version doesn't share."""
        root, height, _, _ = self._body
        node, shift, _, _ = longer._body
        while shift > height:
            node, shift = node[0], shift - _BITS
        return _changed(root, node, shift, 0) if shift else []

    def _leaf(self, slot: int) -> tuple[Any, ...]:
        """Return the leaf that a slot is in."""
        if slot >= self.slots - 1 & _TREE:
            return self.tail
        node, shift, _, _ = self._body
        while shift:
            node = node[slot >> shift & _MASK]
            shift -= _BITS
        return node

    def raw(self) -> Iterator[T | None]:
        """Yield every slot in order, None for a hole."""
        root, shift, _, _ = self._body
        for leaf in _leaves(root, shift):
            yield from leaf
        yield from self.tail

    def _with_holes(self, holes: int) -> Vector[T]:
        root, shift, _, _ = self._body
        return _vector(self.slots, self.tail, (root, shift, holes, holes.bit_count()))

    def _pushed(self) -> _Body:
        """Return what stands in front of the next tail: this one becomes a leaf."""
        root, shift, holes, gaps = self._body
        if not shift:
            return (self.tail,), _BITS, holes, gaps
        if self.slots - _WIDTH == 1 << shift + _BITS:
            return (root, _path(shift, self.tail)), shift + _BITS, holes, gaps
        return _push(root, shift, self.slots - 1, self.tail), shift, holes, gaps


def _vector(slots: int, tail: tuple[Any, ...], body: _Body) -> Vector[Any]:
    """Make a vector; calling the class would cost three times as much."""
    vector: Vector[Any] = Vector()
    vector.slots = slots
    vector.tail = tail
    vector._body = body
    return vector


def vector_of(values: Iterable[T | None]) -> Vector[T]:
    """Return a vector of values in order; None makes a hole."""
    vector: Vector[T] = EMPTY_VECTOR
    for value in values:
        vector = vector.with_hole() if value is None else vector.append(value)
    return vector


EMPTY_VECTOR: Vector[Any] = _vector(0, (), ((), 0, 0, 0))


def _leaves(node: tuple[Any, ...], shift: int) -> Iterator[tuple[Any, ...]]:
    if shift > _BITS:
        for child in node:
            yield from _leaves(child, shift - _BITS)
    else:
        yield from node


def _changed(one: Any, other: Any, shift: int, base: int) -> list[int]:
    if not shift:
        return [*compress(count(base), map(is_not, one, other))]
    found: list[int] = []
    for index in compress(count(), map(is_not, one, other)):
        found += _changed(one[index], other[index], shift - _BITS, base + (index << shift))
    return found


def _put(node: tuple[Any, ...], shift: int, slot: int, value: object) -> tuple[Any, ...]:
    index = slot >> shift & _MASK
    child = _put(node[index], shift - _BITS, slot, value) if shift else value
    return _replaced(node, index, child)


def _replaced(node: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    changed = [*node]
    changed[index] = value
    return tuple(changed)


def _push(node: tuple[Any, ...], shift: int, slot: int, leaf: tuple[Any, ...]) -> tuple[Any, ...]:
    if shift == _BITS:
        return (*node, leaf)
    index = slot >> shift & _MASK
    if index < len(node):
        return (*node[:index], _push(node[index], shift - _BITS, slot, leaf))
    return (*node, _path(shift - _BITS, leaf))


def _path(shift: int, leaf: tuple[Any, ...]) -> tuple[Any, ...]:
    while shift:
        leaf, shift = (leaf,), shift - _BITS
    return leaf
