"""Where items stand, and what they are called.

Rules of this file (reducer.md rules 14, 15 and 20):

- A complete or an event places an item at the end of ``placed``; a start makes it float behind.
- A fragment closed early or forgotten stands from then on at the end of ``placed``, unplaced.
- A slot keeps its number: what is removed leaves a hole, what is added comes last.
- In front of each run of compactions a hole is kept for the row of the task that ends behind it.
- Everything that numbers an item goes through ``next_key``.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.items import Item
from refold.records import evolver, field_names
from refold.state import Diagnostics, Draft, Numbers, RareNumbers
from refold.vectors import EMPTY_VECTOR

__all__ = [
    "Reason",
    "call_key",
    "count",
    "drop_floating",
    "drop_placed",
    "float_item",
    "give_back",
    "last_placed",
    "next_key",
    "place",
    "place_compaction",
    "put_floating",
    "put_placed",
    "stand",
]

Reason: TypeAlias = Literal["orphan", "unknown", "duplicate", "blank", "late"]

_texts_numbered = evolver(Numbers, "assistant_text")
_thinkings_numbered = evolver(Numbers, "thinking")
_rare = evolver(Numbers, "rare")
_RARE = {name: evolver(RareNumbers, name) for name in field_names(RareNumbers)}
_COUNTED = {name: evolver(Diagnostics, name) for name in field_names(Diagnostics)}


def count(draft: Draft, reason: Reason) -> None:
    """Count a message that changes no item, or not as it says."""
    before = draft.diagnostics
    draft.diagnostics = _COUNTED[reason](before, getattr(before, reason) + 1)


def next_key(draft: Draft, kind: str) -> str:
    """Number the next item of a kind and return its key."""
    return f"{kind}:{_moved(draft, kind, 1)}"


def give_back(draft: Draft, kind: str) -> int:
    """Take the last number of a kind back and return it."""
    return _moved(draft, kind, -1) + 1


def _moved(draft: Draft, kind: str, by: int) -> int:
    """Move the number of a kind and return it."""
    numbers = draft.numbers
    if kind == "assistant_text":
        number = numbers.assistant_text + by
        draft.numbers = _texts_numbered(numbers, number)
    elif kind == "thinking":
        number = numbers.thinking + by
        draft.numbers = _thinkings_numbered(numbers, number)
    else:
        number = getattr(numbers.rare, kind) + by
        draft.numbers = _rare(numbers, _RARE[kind](numbers.rare, number))
    return number


def call_key(tool_call_id: str, occurrence: int) -> str:
    """Return the key of a card: its id, percent-encoded where needed, and which card of that id."""
    name = tool_call_id
    if "%" in name or "#" in name:
        name = name.replace("%", "%25").replace("#", "%23")
    return f"tool_call:{name}" if occurrence == 1 else f"tool_call:{name}#{occurrence}"


def place(draft: Draft, item: Item) -> int:
    """Place an item behind the placed ones and return its slot."""
    slot = draft.placed.slots
    draft.placed = draft.placed.append(item)
    return slot


def place_compaction(draft: Draft, item: Item) -> int:
    """Place a compaction; at the start of a run, leave the hole for a row in front of it."""
    last = last_placed(draft)
    if last is None or last.kind != "compaction":
        draft.placed = draft.placed.with_hole()
    return place(draft, item)


def stand(draft: Draft, item: Item) -> int:
    """Let a fragment stand, unplaced, behind the placed items and return its slot."""
    draft.standing |= 1 << draft.placed.slots
    return place(draft, item)


def put_placed(draft: Draft, slot: int, item: Item) -> None:
    """Change an item that is placed or stands."""
    draft.placed = draft.placed.put(slot, item)


def drop_placed(draft: Draft, slot: int) -> None:
    """Remove an item that is placed or stands."""
    draft.placed = draft.placed.without(slot)
    draft.standing &= ~(1 << slot)


def float_item(draft: Draft, item: Item) -> int:
    """Let an item float behind all others and return its slot."""
    slot = draft.floating.slots
    draft.floating = draft.floating.append(item)
    return slot


def put_floating(draft: Draft, slot: int, item: Item) -> None:
    """Change a floating item."""
    draft.floating = draft.floating.put(slot, item)


def drop_floating(draft: Draft, slot: int) -> None:
    """Remove a floating item; when none is left, slots begin at 0 again."""
    floating = draft.floating
    last = floating.slots == 1 or len(floating) == 1
    draft.floating = EMPTY_VECTOR if last else floating.without(slot)


def last_placed(draft: Draft) -> Item | None:
    """Return the last placed item; what stands unplaced doesn't count."""
    slot = next(draft.placed.descending(draft.standing), None)
    return None if slot is None else draft.placed.at(slot)
