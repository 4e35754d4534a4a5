"""What changed between two versions of a record.

Rules of this file:

- Fields are compared by identity first: between neighbouring versions that is all it takes. The
  comparison is written out for each kind of record, which is several times faster than a loop.
- A rope that grew says what it grew by; the text as a whole isn't read.
- Only a value that differs becomes JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

import attrs

from refold.patches.documents import diff_documents, diff_strings
from refold.patches.operations import Operation, add, append, remove, replace
from refold.texts import GrownText, Rope, appended
from refold.views import plain

__all__ = ["Differ", "diff_values", "differ", "shown_fields"]

# From two versions of a record, where it stands, and whether operations are to be pure, to
# operations, which are put behind those in a list.
Differ: TypeAlias = Callable[[Any, Any, str, bool, list[Operation]], None]

_PLAIN = frozenset({bool, int, float, str})


def differ(names: Mapping[str, str]) -> Differ:
    """Write the comparison of two records of one kind.

    Args:
        names: the fields to be compared, and what they are called in JSON.
    """
    lines = ["def diff_fields(before, after, path, pure, into):"]
    for field, name in names.items():
        lines += [
            f"    if before.{field} is not after.{field}:",
            f"        diff_values(before.{field}, after.{field}, path + '/{name}', pure, into)",
        ]
    scope: dict[str, Any] = {"diff_values": diff_values}
    exec("\n".join(lines), scope)  # noqa: S102 - the text is made of this package's field names
    written: Differ = scope["diff_fields"]
    return written


def shown_fields(kind: type[Any], *hidden: str) -> dict[str, str]:
    """Return the fields of a kind of record and their names in JSON, some left out.

    Args:
        kind: a class made by ``record``.
        hidden: the names of fields that no JSON shows.
    """
    fields = attrs.fields(kind)
    return {each.name: each.alias or each.name for each in fields if each.name not in hidden}


def diff_values(old: Any, new: Any, path: str, pure: bool, into: list[Operation]) -> None:
    """Put operations behind a list that turn one value of a field into another.

    Args:
        old: the earlier value; None is unset.
        new: the later one.
        path: where it stands.
        pure: RFC 6902 only, no ``append``.
        into: what gets the operations.
    """
    kind = type(new)
    if old is None:
        into.append(add(path, new if kind in _PLAIN else plain(new)))
    elif new is None:
        into.append(remove(path))
    elif kind is Rope or type(old) is Rope:
        _diff_ropes(old, new, path, pure, into)
    elif kind is not type(old) or kind not in _PLAIN:
        _diff_parts(old, new, path, pure, into)
    elif kind is str:
        if old != new:
            into += diff_strings(old, new, path, pure)
    elif old != new:
        into.append(replace(path, new))


def _diff_parts(old: Any, new: Any, path: str, pure: bool, into: list[Operation]) -> None:
    """Put operations for values that have parts: records field by field, others as JSON."""
    kind = type(new)
    if kind is type(old) and attrs.has(kind):
        _differ_of(kind)(old, new, path, pure, into)
    else:
        into += diff_documents(plain(old), plain(new), path, pure)


@cache
def _differ_of(kind: type[Any]) -> Differ:
    return differ(shown_fields(kind))


def _diff_ropes(
    old: GrownText, new: GrownText, path: str, pure: bool, into: list[Operation]
) -> None:
    """Put the operation that turns one text into another, which most often continues it."""
    piece = appended(old, new) if type(new) is Rope and not pure else None
    if piece is None:
        into += diff_strings(str(old), str(new), path, pure)
    elif piece:
        into.append(append(path, piece))
