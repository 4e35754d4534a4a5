"""What changed between two ends of a sequence of items."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from refold.items import AbortItem, Item, ThinkingItem
from refold.patches import patch
from refold.patches.tails import diff_tails
from refold.views import item_json

FRONT = ["x", "y"]


def _item(number: int, version: int = 0) -> Item:
    return ThinkingItem(key=f"thinking:{number}", thinking="a", started_at_ms=version)


def _diff(old: list[Item], new: list[Item]) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = []
    diff_tails(tuple(old), tuple(new), "/items", len(FRONT), False, operations)
    document = {"items": [*FRONT, *map(item_json, old)]}
    assert patch(document, operations)["items"] == [*FRONT, *map(item_json, new)]
    return operations


def _ops(old: list[Item], new: list[Item]) -> list[tuple[str, str]]:
    return [(each["op"], each["path"]) for each in _diff(old, new)]


_ENDS = st.lists(
    st.builds(_item, st.integers(0, 7), st.integers(0, 1)),
    unique_by=lambda item: item.key,
    max_size=8,
)


@given(_ENDS, _ENDS)
def test_any_end_leads_to_any_other(old: list[Item], new: list[Item]) -> None:
    _diff(old, new)


@given(_ENDS)
def test_equal_ends_need_no_operation(items: list[Item]) -> None:
    assert _diff(items, items) == []
    assert _diff(items, [_item(int(i.key[9:]), i.started_at_ms or 0) for i in items]) == []  # type: ignore[union-attr]


def test_what_stands_at_both_ends_is_left_alone() -> None:
    last = [_item(1), _item(2)]
    assert _ops(last, [_item(3), *last]) == [("add", "/items/2")]
    assert _ops([_item(3), *last], last) == [("remove", "/items/2")]


def test_an_item_that_is_elsewhere_is_moved() -> None:
    first, last = _item(1), _item(2)
    assert _diff([first, last], [last, first]) == [
        {"op": "move", "from": "/items/3", "path": "/items/2"}
    ]


def test_an_item_with_another_key_is_another_item() -> None:
    other = AbortItem(key="abort:1")
    assert _ops([_item(1)], [other]) == [("replace", "/items/2")]
    assert _ops([_item(1), _item(2)], [_item(1), other]) == [
        ("remove", "/items/3"),
        ("add", "/items/3"),
    ]
