"""Sums of records, field by field.

Rules of this file:

- Only records whose every field is a whole number can be summed; None is no number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

__all__ = ["summed"]

T = TypeVar("T")


def summed(kind: type[T], many: Iterable[T]) -> T:
    """Return a record whose fields are the sums of those of many.

    Args:
        kind: a class made by ``record``, of whole numbers only.
        many: its instances.
    """
    sums = dict.fromkeys(kind.__annotations__, 0)
    for each in many:
        for name in sums:
            sums[name] += getattr(each, name)
    return kind(**sums)
