"""What changed between two versions of a session's items.

Rules of this file:

- Vectors that share nodes are compared where they don't; so a change costs itself, wherever it is.
- Placed items are changed in place. What stands behind those that both versions have (new ones, a
  row, what floats) is matched by key: a fragment that settles keeps its element.
- Operations are in order: each is right for the document that those before it left.
"""

from __future__ import annotations

from itertools import chain

from refold.figures import row_slot, stats_row
from refold.items import Item
from refold.patches.items import diff_items
from refold.patches.operations import Operation, add, move, remove, replace
from refold.session import Session
from refold.vectors import Vector
from refold.views import item_json

__all__ = ["diff_sequences"]


def diff_sequences(before: Session, after: Session, path: str, pure: bool) -> list[Operation]:
    """Return operations that turn the items of one version into those of another.

    Args:
        before: the earlier version.
        after: the later one.
        path: where the items stand.
        pure: RFC 6902 only, no ``append``.
    """
    cut = min(_shared(before), _shared(after))
    operations = _diff_slots(before.placed, after.placed, cut, path, 0, pure)
    front = after.placed.rank(cut)
    if before.placed is after.placed and not _at_rest(before) and not _at_rest(after):
        few = min(before.floating.slots, after.floating.slots)
        operations += _diff_slots(before.floating, after.floating, few, path, front, pure)
        if before.floating.slots == after.floating.slots:
            return operations
        front += after.floating.rank(few)
        old, new = before.floating.behind(few), after.floating.behind(few)
    else:
        old, new = _behind(before, cut), _behind(after, cut)
    return operations + _diff_tails(list(old), list(new), path, front, pure)


def _diff_slots(
    before: Vector[Item], after: Vector[Item], limit: int, path: str, front: int, pure: bool
) -> list[Operation]:
    """Return operations for the slots in front of a limit, of elements ``front`` on."""
    if before is after:
        return []
    operations: list[Operation] = []
    for slot in before.changed(after, limit):
        at = f"{path}/{front + after.rank(slot)}"
        if not after.is_filled(slot):
            operations.append(remove(at))
        elif not before.is_filled(slot):
            operations.append(add(at, item_json(after.at(slot))))
        else:
            operations += _diff_pair(before.at(slot), after.at(slot), at, pure)
    return operations


def _diff_tails(
    old: list[Item], new: list[Item], path: str, front: int, pure: bool
) -> list[Operation]:
    """Return operations that turn one end of a sequence into another, matching keys."""
    wanted = {item.key for item in new}
    operations = [
        remove(f"{path}/{front + index}")
        for index in reversed(range(len(old)))
        if old[index].key not in wanted
    ]
    left = [item for item in old if item.key in wanted]
    known = {item.key for item in left}
    for index, item in enumerate(new):
        at = f"{path}/{front + index}"
        if item.key not in known:
            operations.append(add(at, item_json(item)))
            left.insert(index, item)
            continue
        found = next(n for n in range(index, len(left)) if left[n].key == item.key)
        if found != index:
            operations.append(move(f"{path}/{front + found}", at))
            left.insert(index, left.pop(found))
        operations += _diff_pair(left[index], item, at, pure)
    return operations


def _diff_pair(old: Item, new: Item, at: str, pure: bool) -> list[Operation]:
    if old.key != new.key:
        return [replace(at, item_json(new))]
    return diff_items(old, new, at, pure)


def _at_rest(session: Session) -> bool:
    """Tell whether a row is derived, which stands among the items without a slot of its own."""
    return session.task is not None and session.task.provisional


def _shared(session: Session) -> int:
    """Return the slot behind which elements don't follow from slots alone."""
    slot = row_slot(session) if _at_rest(session) else None
    return session.placed.slots if slot is None else slot


def _behind(session: Session, cut: int) -> chain[Item]:
    """Yield the items from a slot on, a derived row among them."""
    placed, floating = session.placed, session.floating
    row = stats_row(session) if _at_rest(session) else None
    if row is None:
        return chain(placed.behind(cut), floating)
    slot = row_slot(session)
    at = placed.slots if slot is None else slot
    front = (placed.at(each) for each in range(cut, at) if placed.is_filled(each))
    return chain(front, (row,), placed.behind(at), floating)
