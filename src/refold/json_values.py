"""JSON values that can't change.

Rules of this file:

- An object is a ``JsonObject``, an array a tuple, the rest are Python's own immutable values.
- Equality is structural: the order of keys doesn't matter.
- ``freeze`` and ``thaw`` convert at the edges and nowhere else; both bound their depth only by
  what decoding let through.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

__all__ = ["EMPTY", "Json", "JsonObject", "freeze", "thaw"]


class JsonObject(Mapping[str, "Json"]):
    """An immutable, hashable JSON object.

    Args:
        entries: frozen values by name; the mapping is taken over, not copied.
    """

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[str, Json] | None = None) -> None:
        self._entries: Mapping[str, Json] = {} if entries is None else entries

    def __getitem__(self, name: str) -> Json:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, JsonObject):
            return self._entries == other._entries
        return NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return f"JsonObject({self._entries!r})"

    def __reduce__(self) -> tuple[type[JsonObject], tuple[dict[str, Json]]]:
        return JsonObject, (dict(self._entries),)


Json: TypeAlias = bool | int | float | str | tuple["Json", ...] | JsonObject | None

EMPTY = JsonObject()


def freeze(value: Any) -> Json:
    """Return plain JSON data as an immutable value."""
    if type(value) is dict:
        return JsonObject({name: freeze(each) for name, each in value.items()})
    if type(value) is list:
        return tuple([freeze(each) for each in value])
    return value  # type: ignore[no-any-return]


def thaw(value: Any) -> Any:
    """Return an immutable value as plain JSON data (dicts and lists)."""
    if isinstance(value, JsonObject):
        return {name: thaw(each) for name, each in value.items()}
    if type(value) is tuple:
        return [thaw(each) for each in value]
    return value
