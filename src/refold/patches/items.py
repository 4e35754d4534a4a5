"""What changed between two versions of an item.

Rules of this file:

- Every kind of item stands in a table, made once; a test proves that it covers the union.
- An item that became one of another kind or key is another item, and replaces the first.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from refold.items import Item
from refold.patches.fields import Differ, differ, shown_fields
from refold.patches.operations import Operation, replace
from refold.views import item_json

__all__ = ["DIFFERS", "diff_items"]

DIFFERS: Final[dict[type[Any], Differ]] = {
    kind: differ(shown_fields(kind, "key")) for kind in get_args(Item)
}
"""How two items of a kind and key are compared."""


def diff_items(before: Item, after: Item, path: str, pure: bool, into: list[Operation]) -> None:
    """Put operations behind a list that turn one item into another.

    Args:
        before: the earlier item.
        after: the later one.
        path: where it stands.
        pure: RFC 6902 only, no ``append``.
        into: what gets the operations.
    """
    kind = type(after)
    if type(before) is kind and before.key == after.key:
        DIFFERS[kind](before, after, path, pure, into)
    else:
        into.append(replace(path, item_json(after)))
