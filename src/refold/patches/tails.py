"""What changed between two ends of a sequence of items.

Rules of this file:

- Items are matched by key, which is unique in a sequence: one that stands elsewhere is moved, so that
  a fragment that settles keeps its element.
- Operations are in order: each is right for the document that those before it left.
"""

from __future__ import annotations

from itertools import takewhile
from operator import is_
from typing import TypeAlias

from refold.items import Item
from refold.patches.items import diff_items
from refold.patches.operations import Operation, add, move, remove
from refold.views import item_json

__all__ = ["Items", "diff_tails"]

Items: TypeAlias = tuple[Item, ...]


def diff_tails(
    old: Items, new: Items, path: str, front: int, pure: bool, into: list[Operation]
) -> None:
    """Put operations behind a list that turn one end of a sequence into another.

    Args:
        old: the items of the earlier version.
        new: those of the later one.
        path: where the sequence stands.
        front: how many elements stand before the end.
        pure: RFC 6902 only, no ``append``.
        into: what gets the operations.
    """
    if len(old) == len(new) == 1:
        diff_items(old[0], new[0], f"{path}/{front}", pure, into)
        return
    shared = _shared_end(old, new)
    old, new = old[: len(old) - shared], new[: len(new) - shared]
    if old:
        _match(old, new, path, front, pure, into)
    else:
        into += [add(f"{path}/{front + n}", item_json(item)) for n, item in enumerate(new)]


def _shared_end(old: Items, new: Items) -> int:
    """Return how many items are the same objects at both ends."""
    same = map(is_, reversed(old), reversed(new))
    return sum(1 for _ in takewhile(bool, same))


def _match(
    old: Items, new: Items, path: str, front: int, pure: bool, into: list[Operation]
) -> None:
    wanted = {item.key for item in new}
    into += [
        remove(f"{path}/{front + index}")
        for index in reversed(range(len(old)))
        if old[index].key not in wanted
    ]
    left = [item for item in old if item.key in wanted]
    known = {item.key for item in left}
    for index, item in enumerate(new):
        if index < len(left) and left[index] is item:
            continue
        at = f"{path}/{front + index}"
        if item.key not in known:
            into.append(add(at, item_json(item)))
            left.insert(index, item)
            continue
        found = next(n for n in range(index, len(left)) if left[n].key == item.key)
        if found != index:
            into.append(move(f"{path}/{front + found}", at))
            left.insert(index, left.pop(found))
        diff_items(left[index], item, at, pure, into)
