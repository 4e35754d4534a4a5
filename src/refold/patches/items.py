"""What changed between two versions of an item.

Rules of this file:

- Fields are compared by identity first: between neighbouring versions that is all it takes.
- A rope that grew says what it grew by; the text as a whole isn't read.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import attrs

from refold.items import Item
from refold.patches.documents import diff_documents, diff_strings
from refold.patches.operations import Operation, add, append, remove, replace
from refold.texts import Rope, appended
from refold.views import item_json, plain

__all__ = ["diff_items"]

_fields: dict[type[Any], tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]] = {}


def diff_items(before: Item, after: Item, path: str, pure: bool) -> list[Operation]:
    """Return operations that turn one version of an item into another.

    Args:
        before: the earlier version.
        after: the later one.
        path: where the item stands.
        pure: RFC 6902 only, no ``append``.
    """
    kind = type(after)
    if type(before) is not kind:
        return [replace(path, item_json(after))]
    names, values = _reader(kind)
    operations: list[Operation] = []
    for name, old, new in zip(names, values(before), values(after), strict=True):
        if old is not new:
            operations += _diff_field(old, new, f"{path}/{name}", pure)
    return operations


def _diff_field(old: Any, new: Any, path: str, pure: bool) -> list[Operation]:
    if old is None:
        return [add(path, _text_or_plain(new))]
    if new is None:
        return [remove(path)]
    if type(new) is Rope or type(old) is Rope:
        return _diff_texts(old, new, path, pure)
    return diff_documents(plain(old), plain(new), path, pure)


def _diff_texts(old: str | Rope, new: str | Rope, path: str, pure: bool) -> list[Operation]:
    piece = None if pure else appended(old, new)
    if piece is None:
        return diff_strings(str(old), str(new), path, pure)
    return [append(path, piece)] if piece else []


def _text_or_plain(value: Any) -> Any:
    return str(value) if type(value) is Rope else plain(value)


def _reader(kind: type[Any]) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """Return the JSON names of a kind's fields, and how to read them all at once."""
    found = _fields.get(kind)
    if found is None:
        fields = attrs.fields(kind)
        names = tuple(field.alias or field.name for field in fields)
        found = _fields[kind] = names, attrgetter(*[field.name for field in fields])
    return found
