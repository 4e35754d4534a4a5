"""Where items stand, and what they are called (reducer.md rules 14, 15, 20)."""

from __future__ import annotations

import pytest

from refold.items import AbortItem, CompactionItem
from refold.reduce.places import (
    call_key,
    count,
    drop_floating,
    drop_placed,
    float_item,
    give_back,
    last_placed,
    next_key,
    place,
    place_compaction,
    stand,
)
from refold.session import freeze_session
from refold.state import Diagnostics, Draft, Numbers, RareNumbers


def _abort(number: int) -> AbortItem:
    return AbortItem(key=f"abort:{number}")


def _compaction(number: int) -> CompactionItem:
    return CompactionItem(key=f"compaction:{number}", reason="", mode="")


def _keys(draft: Draft) -> list[str]:
    return [*[item.key for item in draft.placed], *[item.key for item in draft.floating]]


def test_keys_count_each_kind_from_one() -> None:
    draft = Draft()
    keys = [next_key(draft, kind) for kind in ("abort", "thinking", "abort")]
    assert keys == ["abort:1", "thinking:1", "abort:2"]
    assert draft.numbers == Numbers(thinking=1, rare=RareNumbers(abort=2))


def test_a_number_given_back_is_given_again() -> None:
    draft = Draft()
    next_key(draft, "thinking")
    assert give_back(draft, "thinking") == 1
    assert next_key(draft, "thinking") == "thinking:1"


@pytest.mark.parametrize(
    ("name", "occurrence", "key"),
    [
        ("t", 1, "tool_call:t"),
        ("t", 2, "tool_call:t#2"),
        ("t#2", 1, "tool_call:t%232"),
        ("%23", 1, "tool_call:%2523"),
        ("", 3, "tool_call:#3"),
    ],
)
def test_a_cards_key_is_its_id_and_which_of_that_id(name: str, occurrence: int, key: str) -> None:
    assert call_key(name, occurrence) == key


def test_placed_items_come_in_order_and_floating_ones_behind() -> None:
    draft = Draft()
    float_item(draft, _abort(9))
    place(draft, _abort(1))
    stand(draft, _abort(2))
    place(draft, _abort(3))
    assert _keys(draft) == ["abort:1", "abort:2", "abort:3", "abort:9"]


def test_a_slot_keeps_its_number_when_others_go() -> None:
    draft = Draft()
    slots = [place(draft, _abort(number)) for number in range(3)]
    drop_placed(draft, slots[1])
    assert _keys(draft) == ["abort:0", "abort:2"]
    assert draft.placed.at(slots[2]) == _abort(2)


def test_floating_slots_begin_anew_when_none_is_left() -> None:
    draft = Draft()
    slots = [float_item(draft, _abort(number)) for number in range(2)]
    for slot in slots:
        drop_floating(draft, slot)
    assert float_item(draft, _abort(7)) == 0


def test_what_stands_unplaced_is_not_the_last_placed_item() -> None:
    draft = Draft()
    assert last_placed(draft) is None
    stand(draft, _abort(1))
    assert last_placed(draft) is None
    place(draft, _abort(2))
    slot = stand(draft, _abort(3))
    assert last_placed(draft) == _abort(2)
    drop_placed(draft, slot)
    assert last_placed(draft) == _abort(2)


def test_a_run_of_compactions_keeps_one_hole_in_front_of_it() -> None:
    draft = Draft()
    for number in (1, 2):
        place_compaction(draft, _compaction(number))
    stand(draft, _abort(1))
    place_compaction(draft, _compaction(3))
    place(draft, _abort(2))
    place_compaction(draft, _compaction(4))
    held = [None if each is None else each.key for each in draft.placed.raw()]
    assert held == [
        None,
        "compaction:1",
        "compaction:2",
        "abort:1",
        "compaction:3",
        "abort:2",
        None,
        "compaction:4",
    ]


def test_messages_are_counted_by_reason() -> None:
    draft = Draft()
    for reason in ("orphan", "late", "late", "blank", "unknown", "duplicate"):
        count(draft, reason)  # type: ignore[arg-type]
    assert freeze_session(draft).diagnostics == Diagnostics(
        orphan=1, late=2, blank=1, unknown=1, duplicate=1
    )
