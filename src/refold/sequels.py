"""A persistent map that remembers an order.

Rules of this file:

- The order is that in which names came, or were last moved to the end.
- Equality is that of mappings: the order is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

from refold.maps import EMPTY_MAP, Map
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = ["EMPTY_SEQUEL", "Sequel"]

V = TypeVar("V")


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
        return self._index._length

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

    def __reduce__(self) -> tuple[Any, tuple[dict[str, V]]]:
        return _sequel_of, (dict(self),)

    def __repr__(self) -> str:
        return f"Sequel({dict(self)!r})"

    def put(self, name: str, value: V) -> Sequel[V]:
        """Return the map with a name set; a new name comes last, a known one keeps its place."""
        slot = self._index.get(name)
        if slot is not None:
            return Sequel(self._entries.put(slot, (name, value)), self._index)
        entries = self._entries.append((name, value))
        return Sequel(entries, self._index.put(name, self._entries.slots))

    def changed(self, before: Sequel[V]) -> list[tuple[str, V | None, V | None]]:
        """Return names whose values aren't those of another version, with the value now and then.

        Args:
            before: the other version. A name that only one of them has is None in the other.
        """
        old, new = before._entries, self._entries
        if self._index is before._index:
            return [(*new.at(slot), old.at(slot)[1]) for slot in old.changed(new, new.slots)]
        slots = old.changed(new, min(old.slots, new.slots))
        names = [*_names(old, slots, new.slots), *_names(new, slots, old.slots)]
        return [(name, self.get(name), before.get(name)) for name in dict.fromkeys(names)]

    def without(self, name: str) -> Sequel[V]:
        """Return the map without a name; the same map if it isn't there."""
        slot = self._index.get(name)
        if slot is None:
            return self
        return Sequel(self._entries.without(slot), self._index.without(name))

    def moved_to_end(self, name: str) -> Sequel[V]:
        """Return the map with a name, which must be there, in the last place."""
        slot = self._index[name]
        entry = self._entries.at(slot)
        entries = self._entries.without(slot)
        return Sequel(entries.append(entry), self._index.put(name, entries.slots))


EMPTY_SEQUEL: Sequel[Any] = Sequel(EMPTY_VECTOR, EMPTY_MAP)


def _names(entries: Vector[tuple[str, Any]], slots: list[int], behind: int) -> Iterator[str]:
    """Yield the names in some slots, as far as they are filled, and in those from a number on."""
    yield from (entries.at(slot)[0] for slot in slots if entries.is_filled(slot))
    yield from (name for name, _ in entries.behind(behind))


def _sequel_of(values: Mapping[str, V]) -> Sequel[V]:
    made: Sequel[V] = EMPTY_SEQUEL
    for name, value in values.items():
        made = made.put(name, value)
    return made
