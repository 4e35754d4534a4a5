"""Tool cards: finding one by id, changing it, moving it, closing it.

Rules of this file (reducer.md rules 2, 9, 14, 19, 20):

- The latest card of an id is the one that messages mean.
- While only an idle has closed a card, it is kept as it is underneath (``reopened``): whatever
  comes changes that, and what is placed shows it closed.
- ``running`` and ``streaming`` are logs, checked when they are read: closing all cards costs what
  was opened since the last closing, however many wait for their completes. A log of one is emptied
  when that one ends, so that calls made one by one leave nothing to read.
"""

from __future__ import annotations

from refold.items import ToolCallItem
from refold.maps import EMPTY_MAP
from refold.records import evolver, positional
from refold.reduce.places import call_key, drop_floating, drop_placed, place, put_placed, stand
from refold.state import Calls, Card, Draft
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = [
    "card_item",
    "close_calls",
    "close_card",
    "close_running",
    "close_running_provisionally",
    "float_card",
    "keep_card",
    "log_streaming",
    "make_card",
    "new_key",
    "note_ended",
    "place_card",
    "place_running",
    "put_card",
    "remove_card",
    "reopen_running",
    "streaming_calls",
    "with_cards",
]

SPAWNER = "run_subagent"

make_card = positional(Card)
with_cards = evolver(Calls, "cards")
_moved = evolver(Card, "where", "slot")
_underneath = evolver(Card, "reopened")
_closed = evolver(ToolCallItem, "output_streaming", "output_complete", "output_stop_reason")
_call_stopped = evolver(ToolCallItem, "call_streaming", "call_stop_reason")
_with_running = evolver(Calls, "running")
_with_streaming = evolver(Calls, "streaming")
_with_streaming_card = evolver(Calls, "cards", "streaming")
_with_running_card = evolver(Calls, "cards", "running", "streaming")
_with_spawning = evolver(Calls, "spawning")


def new_key(draft: Draft, tool_call_id: str, before: Card | None) -> tuple[str, int]:
    """Return the key of another card of an id, and which of that id it is."""
    occurrence, earlier = 1, draft.calls.earlier
    if before is not None:
        occurrence = before.occurrence + 1
    elif earlier is not EMPTY_MAP:
        occurrence = earlier.get(tool_call_id, 0) + 1
    return call_key(tool_call_id, occurrence), occurrence


def card_item(draft: Draft, card: Card) -> ToolCallItem:
    """Return a card's item, as it is underneath."""
    if card.reopened is not None:
        return card.reopened
    item = (draft.floating if card.where == "floating" else draft.placed).at(card.slot)
    assert type(item) is ToolCallItem
    return item


def keep_card(draft: Draft, tool_call_id: str, card: Card) -> None:
    """Make a card the latest of its id."""
    draft.calls = with_cards(draft.calls, draft.calls.cards.put(tool_call_id, card))


def put_card(draft: Draft, tool_call_id: str, card: Card, item: ToolCallItem) -> Card:
    """Change a card's item; return the card, which may have changed with it."""
    if card.where == "floating":
        draft.floating = draft.floating.put(card.slot, item)
        return card
    if card.reopened is None:
        draft.placed = draft.placed.put(card.slot, item)
    else:
        still = None if item.output_complete else item
        put_placed(draft, card.slot, item if still is None else _aborted(item))
        card = _underneath(card, still)
        keep_card(draft, tool_call_id, card)
    if item.name == SPAWNER and card.where == "placed":
        _note_spawning(draft, card.slot, item)
    return card


def place_card(draft: Draft, tool_call_id: str, card: Card, item: ToolCallItem) -> Card:
    """Place a card at the end, unless it is placed already."""
    if card.where == "placed":
        return put_card(draft, tool_call_id, card, item)
    _take_up(draft, card)
    card = _moved(card, "placed", place(draft, item))
    keep_card(draft, tool_call_id, card)
    if item.name == SPAWNER:
        _note_spawning(draft, card.slot, item)
    return card


def place_running(draft: Draft, tool_call_id: str, card: Card, item: ToolCallItem) -> None:
    """Place a card whose call completed with its output open, and note that it runs."""
    if card.where == "placed":
        put_card(draft, tool_call_id, card, item)
    else:
        _take_up(draft, card)
        card = _moved(card, "placed", place(draft, item))
        if item.name == SPAWNER:
            _note_spawning(draft, card.slot, item)
    calls = draft.calls
    cards, running = calls.cards.put(tool_call_id, card), calls.running.append(tool_call_id)
    streaming = EMPTY_VECTOR if _is_only(tool_call_id, calls.streaming) else calls.streaming
    draft.calls = _with_running_card(calls, cards, running, streaming)


def note_ended(draft: Draft, tool_call_id: str) -> None:
    """Note that a card whose call is complete runs no more."""
    if _is_only(tool_call_id, draft.calls.running):
        draft.calls = _with_running(draft.calls, EMPTY_VECTOR)


def float_card(draft: Draft, tool_call_id: str, occurrence: int, item: ToolCallItem) -> None:
    """Let a card float as the latest of its id."""
    calls, floating = draft.calls, draft.floating
    card = make_card("floating", floating.slots, occurrence, None, None)
    cards = calls.cards.put(tool_call_id, card)
    draft.calls = _with_streaming_card(calls, cards, calls.streaming.append(tool_call_id))
    draft.floating = floating.append(item)


def remove_card(draft: Draft, tool_call_id: str, card: Card) -> None:
    """Remove a card that floats or stands."""
    _take_up(draft, card)
    draft.calls = with_cards(draft.calls, draft.calls.cards.without(tool_call_id))


def log_streaming(draft: Draft, tool_call_id: str) -> None:
    """Note that the call of a card streams again."""
    draft.calls = _with_streaming(draft.calls, draft.calls.streaming.append(tool_call_id))


# --- closing ----------------------------------------------------------------------------------


def close_calls(draft: Draft, reason: str) -> None:
    """Close the calls that stream early (rules 19, 28 and 32)."""
    for tool_call_id in streaming_calls(draft):
        _close_call(draft, tool_call_id, draft.calls.cards[tool_call_id], reason)
    if draft.calls.streaming.slots:
        draft.calls = _with_streaming(draft.calls, EMPTY_VECTOR)


def streaming_calls(draft: Draft) -> list[str]:
    """Return the ids whose call streams, each once, in the order of their cards."""
    cards = draft.calls.cards
    found = [name for name in dict.fromkeys(draft.calls.streaming) if name in cards]
    streaming = [name for name in found if card_item(draft, cards[name]).call_streaming]
    return sorted(streaming, key=lambda name: cards[name].slot)


def close_running(draft: Draft) -> None:
    """Close cards whose call is complete and whose output is open, for good (rule 19)."""
    for tool_call_id in _running(draft):
        card = draft.calls.cards[tool_call_id]
        put_placed(draft, card.slot, _aborted(card_item(draft, card)))
        keep_card(draft, tool_call_id, _underneath(card, None))
    if draft.calls.running.slots or draft.calls.spawning:
        draft.calls = _with_spawning(_with_running(draft.calls, EMPTY_VECTOR), 0)


def close_running_provisionally(draft: Draft) -> None:
    """Show running cards closed until something shows that the task goes on (rule 20)."""
    still: Vector[str] = EMPTY_VECTOR
    for tool_call_id in _running(draft):
        card = draft.calls.cards[tool_call_id]
        item = card_item(draft, card)
        put_placed(draft, card.slot, _aborted(item))
        keep_card(draft, tool_call_id, _underneath(card, item))
        still = still.append(tool_call_id)
    draft.calls = _with_running(draft.calls, still)


def reopen_running(draft: Draft) -> None:
    """Show cards that only an idle has closed as they are underneath."""
    for tool_call_id in _running(draft):
        card = draft.calls.cards[tool_call_id]
        if card.reopened is not None:
            put_placed(draft, card.slot, card.reopened)
            keep_card(draft, tool_call_id, _underneath(card, None))


def _running(draft: Draft) -> list[str]:
    """Return the ids that run, each once, in the order in which they began to."""
    found: dict[str, None] = {}
    for tool_call_id in draft.calls.running:
        card = draft.calls.cards.get(tool_call_id)
        if card is not None:
            item = card_item(draft, card)
            if item.call_complete and not item.output_complete:
                found[tool_call_id] = None
    return list(found)


def _is_only(tool_call_id: str, log: Vector[str]) -> bool:
    return log.slots == 1 and log.tail[0] == tool_call_id


def close_card(item: ToolCallItem, reason: str) -> ToolCallItem:
    """Return a card's item with its output closed."""
    return _closed(item, False, True, reason)


def _aborted(item: ToolCallItem) -> ToolCallItem:
    return close_card(item, item.output_stop_reason or "aborted")


def _close_call(draft: Draft, tool_call_id: str, card: Card, reason: str) -> None:
    item = card_item(draft, card)
    item = _call_stopped(item, False, item.call_stop_reason or reason)
    if card.where != "floating":
        put_card(draft, tool_call_id, card, item)
        return
    drop_floating(draft, card.slot)
    keep_card(draft, tool_call_id, _moved(card, "standing", stand(draft, item)))


def _take_up(draft: Draft, card: Card) -> None:
    if card.where == "floating":
        drop_floating(draft, card.slot)
    elif card.where == "standing":
        drop_placed(draft, card.slot)


# --- who may have started a nested session ------------------------------------------------------


def _note_spawning(draft: Draft, slot: int, item: ToolCallItem) -> None:
    """Keep the slots of placed cards that a nested session may be inferred for (rule 2)."""
    spawning, bit = draft.calls.spawning, 1 << slot
    may = item.decision == "allow" and item.subagent_session_id is None and not item.output_complete
    if may != bool(spawning & bit):
        draft.calls = _with_spawning(draft.calls, spawning ^ bit)
