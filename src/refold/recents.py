"""A persistent map that holds what was put last in front.

Rules of this file:

- What is put and looked up again and again under one name costs no way through a trie.
- It equals, iterates and pickles as a ``Map`` does; what was put last is no part of its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

from refold.maps import EMPTY_MAP, Map

__all__ = ["EMPTY_RECENT", "Recent"]

V = TypeVar("V")


class Recent(Mapping[str, V], Generic[V]):
    """An immutable mapping from strings, quick for the name put last. Start from ``EMPTY_RECENT``.

    Its trie holds all other names, and may hold an older value of that one.
    """

    __slots__ = ("_behind", "_name", "_value")

    _name: str | None
    _value: Any
    _behind: Map[V]

    def __len__(self) -> int:
        return len(self._behind) + (self._name is not None and self._name not in self._behind)

    def __iter__(self) -> Iterator[str]:
        return iter(self._settled())

    def __getitem__(self, name: str) -> V:
        return cast("V", self._value) if name == self._name else self._behind[name]

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a name, or ``default``."""
        return self._value if name == self._name else self._behind.get(name, default)

    def __contains__(self, name: object) -> bool:
        return (name == self._name and name is not None) or name in self._behind

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recent):
            return NotImplemented
        if self._behind is other._behind and self._name == other._name:
            return bool(self._value == other._value)
        return self._settled() == other._settled()

    def __hash__(self) -> int:
        return hash(self._settled())

    def __reduce__(self) -> tuple[Any, tuple[dict[str, V]]]:
        return _recent_of, (dict(self),)

    def __repr__(self) -> str:
        return f"Recent({dict(self)!r})"

    def put(self, name: str, value: V) -> Recent[V]:
        """Return the map with a name set to a value."""
        behind = self._behind
        if self._name is not None and self._name != name:
            behind = behind.put(self._name, self._value)
        return _recent(name, value, behind)

    def without(self, name: str) -> Recent[V]:
        """Return the map without a name; the same map if it isn't there."""
        if name not in self:
            return self
        if name == self._name:
            return _recent(None, None, self._behind.without(name))
        return _recent(self._name, self._value, self._behind.without(name))

    def _settled(self) -> Map[V]:
        name = self._name
        return self._behind if name is None else self._behind.put(name, self._value)


def _recent(name: str | None, value: Any, behind: Map[Any]) -> Recent[Any]:
    """Make a map; calling the class with arguments would cost three times as much."""
    made: Recent[Any] = Recent()
    made._name = name
    made._value = value
    made._behind = behind
    return made


EMPTY_RECENT: Recent[Any] = _recent(None, None, EMPTY_MAP)


def _recent_of(values: Mapping[str, V]) -> Recent[V]:
    made: Recent[V] = EMPTY_RECENT
    for name, value in values.items():
        made = made.put(name, value)
    return made
