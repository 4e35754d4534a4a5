"""What differs between two versions of a session, at the cost of the difference.

Rules of this file:

- Versions share what didn't change, so equal parts are the same objects: a walk that skips shared
  nodes meets the changed slots and their paths only. Versions that share nothing are walked whole.
- An item is the same item as one with its key in the other version, wherever it stands.
- Nothing here says what a difference means; projections do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias, TypeVar

from refold.items import Item
from refold.records import record
from refold.sequels import Sequel
from refold.session import Items
from refold.vectors import Vector

__all__ = ["ItemChange", "changed_names", "changed_slots", "item_changes"]

T = TypeVar("T")

# An item, whether it floats, and its slot.
Place: TypeAlias = tuple[Item, bool, int]
Found: TypeAlias = dict[str, Place]

_ROW = -1


@record
class ItemChange:
    """An item in two versions.

    Args:
        before: the item as it was; None if it is new.
        after: the item as it is; None if it is gone.
        floated: it streamed then, behind all that was placed or stood.
        floats: it streams now.
        moved: it was at rest and is, in another place.
    """

    before: Item | None
    after: Item | None
    floated: bool = False
    floats: bool = False
    moved: bool = False


def item_changes(before: Items, after: Items) -> tuple[ItemChange, ...]:
    """Return the items that differ, those gone first, then the others in the later order.

    Args:
        before: the items of the earlier version.
        after: the items of the later one.
    """
    old: Found = {}
    new: Found = {}
    for vectors, floating in _vectors(before, after):
        for slot, was, now in changed_slots(*vectors):
            if was is not None:
                old[was.key] = (was, floating, slot)
            if now is not None:
                new[now.key] = (now, floating, slot)
    _add_rows(before, after, old, new)
    gone = [_change(old[key], None) for key in old if key not in new]
    return (*gone, *[_change(old.get(key), now) for key, now in new.items()])


def _change(was: Place | None, now: Place | None) -> ItemChange:
    before, floated, slot = was or (None, False, 0)
    after, floats, later = now or (None, False, 0)
    at_rest = before is not None and after is not None and not (floated or floats)
    moved = at_rest and slot != later
    return ItemChange(before=before, after=after, floated=floated, floats=floats, moved=moved)


def changed_names(before: Sequel[Any], after: Sequel[Any]) -> tuple[str, ...]:
    """Return the names that a later mapping holds with another value, or newly, in its order."""
    if before is after:
        return ()
    entries = changed_slots(before._entries, after._entries)
    names = dict.fromkeys(now[0] for _, _, now in entries if now is not None)
    return tuple([name for name in names if before.get(name) is not after[name]])


def changed_slots(before: Vector[T], after: Vector[T]) -> Iterator[tuple[int, T | None, T | None]]:
    """Yield the slots that hold another object, with what they held and hold, in order.

    Args:
        before: the earlier version.
        after: the later one.
    """
    few = min(before.slots, after.slots)
    for slot in before.changed(after, few):
        yield slot, before.at(slot), after.at(slot)
    for slot in range(few, before.slots):
        if before.is_filled(slot):
            yield slot, before.at(slot), None
    for slot in range(few, after.slots):
        if after.is_filled(slot):
            yield slot, None, after.at(slot)


def _vectors(before: Items, after: Items) -> Iterator[tuple[tuple[Vector[Any], Vector[Any]], bool]]:
    """Yield the vectors that aren't the same, and whether they hold what floats."""
    if before._placed is not after._placed:
        yield (before._placed, after._placed), False
    if before._floating is not after._floating:
        yield (before._floating, after._floating), True


def _add_rows(before: Items, after: Items, old: Found, new: Found) -> None:
    """Add the row of a task that only an idle closed, which is derived anew for every version."""
    was, now = before._row, after._row
    if was is not None and was != now:
        old.setdefault(was.key, (was, False, _ROW))
    if now is not None and was != now:
        new.setdefault(now.key, (now, False, _ROW))
