"""A persistent vector: every version stays, and a change costs the same at any length.

Rules of this file:

- A 32-way tree of plain tuples with a tail, as in Clojure. Its shape depends on nothing but how
  many slots there are, so equal vectors compare node by node and shared nodes compare at once.
- A slot keeps its number for ever. Emptying one leaves a hole that reading skips; holes are the
  bits of one integer, so finding the n-th filled slot needs no walk.
- Values are anything but None.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

__all__ = ["EMPTY_VECTOR", "Vector", "vector_of"]

T = TypeVar("T")

_BITS = 5
_WIDTH = 1 << _BITS
_MASK = _WIDTH - 1
_CHUNK = 1024
_HOLE: Any = None
_new = object.__new__


class Vector(Generic[T]):
    """An immutable sequence of slots. Start from ``EMPTY_VECTOR`` or ``vector_of``.

    ``slots`` counts slots, holes included; ``holes`` has a bit for each emptied one; ``tail`` is the
    last leaf, 1 to 32 slots unless the vector is empty. The tree over all other leaves, and how many
    slots those hold, are private.
    """

    __slots__ = ("_front", "_root", "_shift", "holes", "slots", "tail")

    slots: int
    _front: int
    _shift: int
    _root: tuple[Any, ...]
    tail: tuple[Any, ...]
    holes: int

    def __len__(self) -> int:
        return self.slots - self.holes.bit_count() if self.holes else self.slots

    def __bool__(self) -> bool:
        return len(self) > 0

    def __iter__(self) -> Iterator[T]:
        for leaf in _leaves(self._root, self._shift):
            yield from (each for each in leaf if each is not None)
        yield from (each for each in self.tail if each is not None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vector):
            return NotImplemented
        return (
            self.slots == other.slots
            and self.holes == other.holes
            and self.tail == other.tail
            and self._root == other._root
        )

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
        front = self._front
        if slot >= front:
            return self.tail[slot - front]  # type: ignore[no-any-return]
        node, shift = self._root, self._shift
        while shift:
            node = node[slot >> shift & _MASK]
            shift -= _BITS
        return node[slot & _MASK]  # type: ignore[no-any-return]

    def append(self, value: T) -> Vector[T]:
        """Return the vector with one more slot, numbered ``self.slots``."""
        slots = self.slots
        if slots - self._front < _WIDTH:
            # Written out, as in ``put``: these two are what a message costs.
            longer: Vector[T] = _new(Vector)
            longer.slots = slots + 1
            longer._front = self._front
            longer._shift = self._shift
            longer._root = self._root
            longer.tail = (*self.tail, value)
            longer.holes = self.holes
            return longer
        root, shift = self._pushed()
        return _vector(slots + 1, slots, shift, root, (value,), self.holes)

    def put(self, slot: int, value: T) -> Vector[T]:
        """Return the vector with another value in a filled slot."""
        tail, root, behind = self.tail, self._root, slot - self._front
        if behind < 0:
            root = _put(root, self._shift, slot, value)
        elif self.slots - self._front == 1:
            tail = (value,)
        else:
            tail = _replaced(tail, behind, value)
        changed: Vector[T] = _new(Vector)
        changed.slots = self.slots
        changed._front = self._front
        changed._shift = self._shift
        changed._root = root
        changed.tail = tail
        changed.holes = self.holes
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
        return slot - (self.holes & (1 << slot) - 1).bit_count() if self.holes else slot

    def select(self, rank: int) -> T:
        """Return what the filled slot with so many filled ones in front of it holds."""
        if not self.holes:
            return self.at(rank)
        slot = bisect_left(range(self.slots), rank + 1, key=lambda each: self.rank(each + 1))
        return self.at(slot)

    def behind(self, slot: int) -> Iterator[T]:
        """Yield what the filled slots from a number on hold, in order."""
        return (self.at(each) for each in range(slot, self.slots) if not self.holes >> each & 1)

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
        small, large = (self, other) if self.slots <= other.slots else (other, self)
        node, shift = large._root, large._shift
        while shift > small._shift:
            node, shift = node[0], shift - _BITS
        found = list(_changed(small._root, node, shift, 0)) if shift else []
        offset = small._front
        if small.tail is not large.tail:
            found += [
                offset + index
                for index, value in enumerate(small.tail)
                if value is not large.at(offset + index)
            ]
        return [slot for slot in found if slot < limit]

    def raw(self) -> Iterator[T | None]:
        """Yield every slot in order, None for a hole."""
        for leaf in _leaves(self._root, self._shift):
            yield from leaf
        yield from self.tail

    def _with_holes(self, holes: int) -> Vector[T]:
        return _vector(self.slots, self._front, self._shift, self._root, self.tail, holes)

    def _pushed(self) -> tuple[tuple[Any, ...], int]:
        if not self._shift:
            return (self.tail,), _BITS
        if self.slots - _WIDTH == 1 << self._shift + _BITS:
            return (self._root, _path(self._shift, self.tail)), self._shift + _BITS
        return _push(self._root, self._shift, self.slots - 1, self.tail), self._shift


def _vector(
    slots: int, front: int, shift: int, root: tuple[Any, ...], tail: tuple[Any, ...], holes: int
) -> Vector[Any]:
    """Make a vector; calling the class would cost three times as much."""
    vector: Vector[Any] = _new(Vector)
    vector.slots = slots
    vector._front = front
    vector._shift = shift
    vector._root = root
    vector.tail = tail
    vector.holes = holes
    return vector


def vector_of(values: Iterable[T | None]) -> Vector[T]:
    """Return a vector of values in order; None makes a hole."""
    vector: Vector[T] = EMPTY_VECTOR
    for value in values:
        vector = vector.with_hole() if value is None else vector.append(value)
    return vector


EMPTY_VECTOR: Vector[Any] = _vector(0, 0, 0, (), (), 0)


def _leaves(node: tuple[Any, ...], shift: int) -> Iterator[tuple[Any, ...]]:
    if shift > _BITS:
        for child in node:
            yield from _leaves(child, shift - _BITS)
    else:
        yield from node


def _changed(one: Any, other: Any, shift: int, base: int) -> Iterator[int]:
    for index, (mine, others) in enumerate(zip(one, other, strict=False)):
        if mine is not others:
            if shift:
                yield from _changed(mine, others, shift - _BITS, base + (index << shift))
            else:
                yield base + index


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
