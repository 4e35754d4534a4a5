"""Texts and thinkings: pieces that stream, and the completes that settle them.

Rules of this file (reducer.md rules 5-7, 14, 36):

- One fragment of each kind is waited for at most: ``open``, then ``pending``, or closed ``early``.
- A piece is added at a cost that depends on nothing but the piece.
- A complete decides in the end; what streamed before it is only ever replaced.
- The two kinds differ in names only: a ``Strand`` says which.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from refold.items import AssistantTextItem, Position, ThinkingItem
from refold.maps import Map
from refold.markers import is_blank
from refold.messages import Message, PartialText, PartialThinking, Text, Thinking
from refold.records import evolver, positional, record
from refold.reduce.arrival import started_at_ms
from refold.reduce.places import (
    count,
    drop_floating,
    drop_placed,
    give_back,
    next_key,
    place,
    stand,
)
from refold.state import Calls, Draft, Fragment
from refold.texts import GrownText, Rope, grow
from refold.times import parse_ms

__all__ = [
    "TEXT",
    "THINKING",
    "Strand",
    "close_early",
    "close_fragments",
    "discard_fragment",
    "discard_open",
    "grow_text",
    "grow_thinking",
    "open_text",
    "open_thinking",
    "remember_thinking_start",
    "remove_fragment",
    "settle_text",
    "settle_thinking",
    "stop_text",
    "stop_thinking",
    "text_start_ms",
    "thinking_start_ms",
]

StrandItem: TypeAlias = AssistantTextItem | ThinkingItem


@record
class Strand:
    """What tells texts and thinkings apart.

    Args:
        name: the slot of the draft.
        kind: of the item.
        given_up: the counter of keys given back.
        made: an item of key, text, ``streaming``, ``stop_reason``, time of start and None.
        body: the text of an item.
        stopped: an item with another text, ``streaming`` and ``stop_reason``.
        renamed: an item with another key, ``streaming`` and ``stop_reason``.
    """

    name: Literal["text", "thinking"]
    kind: Literal["assistant_text", "thinking"]
    given_up: str
    made: Callable[..., StrandItem]
    body: Callable[[Any], GrownText]
    stopped: Callable[..., StrandItem]
    renamed: Callable[..., StrandItem]


_text_item = positional(AssistantTextItem)
_thinking_item = positional(ThinkingItem)
_text_grown = evolver(AssistantTextItem, "_text")
_thinking_grown = evolver(ThinkingItem, "_thinking")
_timed = evolver(ThinkingItem, "duration_ms")

TEXT = Strand(
    name="text",
    kind="assistant_text",
    given_up="given_up_text",
    made=_text_item,
    body=lambda item: item._text,
    stopped=evolver(AssistantTextItem, "_text", "streaming", "stop_reason"),
    renamed=evolver(AssistantTextItem, "key", "streaming", "stop_reason"),
)
THINKING = Strand(
    name="thinking",
    kind="thinking",
    given_up="given_up_thinking",
    made=_thinking_item,
    body=lambda item: item._thinking,
    stopped=evolver(ThinkingItem, "_thinking", "streaming", "stop_reason"),
    renamed=evolver(ThinkingItem, "key", "streaming", "stop_reason"),
)

_fragment = positional(Fragment)
_remembered = evolver(Calls, "thinking_start_ms")


# --- pieces -----------------------------------------------------------------------------------


def open_text(draft: Draft, payload: PartialText, message: Message) -> None:
    """Open a text with what its start carries; an earlier one is forgotten (rule 5)."""
    if draft.text is not None:
        _forget(draft, TEXT)
    draft.text = _opened(draft, TEXT, payload.text, message)


def open_thinking(draft: Draft, payload: PartialThinking, message: Message) -> None:
    """Open a thinking with what its start carries; an earlier one is forgotten (rule 5)."""
    if draft.thinking is not None:
        _forget(draft, THINKING)
    draft.thinking = _opened(draft, THINKING, payload.thinking, message)


def _opened(draft: Draft, strand: Strand, piece: str, message: Message) -> Fragment:
    """Let an item float for a fragment that opens, and return the fragment."""
    key, floating = next_key(draft, strand.kind), draft.floating
    item = strand.made(key, piece, True, None, parse_ms(message.timestamp), None)
    draft.floating = floating.append(item)
    return _fragment("open", floating.slots)


def grow_text(draft: Draft, payload: PartialText, message: Message) -> None:
    """Add a piece to the open text."""
    fragment, piece = draft.text, payload.text
    if fragment is None or fragment.phase != "open":
        count(draft, "orphan")
    elif piece:
        floating, slot = draft.floating, fragment.slot
        item: Any = floating.at(slot)
        text = item._text
        text = text.append(piece) if type(text) is Rope else grow(text, piece)
        draft.floating = floating.put(slot, _text_grown(item, text))


def grow_thinking(draft: Draft, payload: PartialThinking, message: Message) -> None:
    """Add a piece to the open thinking: ``grow_text`` with other names, for speed."""
    fragment, piece = draft.thinking, payload.thinking
    if fragment is None or fragment.phase != "open":
        count(draft, "orphan")
    elif piece:
        floating, slot = draft.floating, fragment.slot
        item: Any = floating.at(slot)
        text = item._thinking
        text = text.append(piece) if type(text) is Rope else grow(text, piece)
        draft.floating = floating.put(slot, _thinking_grown(item, text))


def stop_text(draft: Draft, payload: PartialText, message: Message) -> None:
    """Add the last piece of a text."""
    _stop(draft, TEXT, payload.text, payload.stop_reason, message)


def stop_thinking(draft: Draft, payload: PartialThinking, message: Message) -> None:
    """Add the last piece of a thinking, whose duration shows until its complete settles it."""
    _stop(draft, THINKING, payload.thinking, payload.stop_reason, message)


def _stop(
    draft: Draft, strand: Strand, piece: str, stop_reason: str | None, message: Message
) -> None:
    """Add the last piece and leave the fragment pending its complete."""
    fragment = getattr(draft, strand.name)
    if fragment is None or fragment.phase != "open":
        count(draft, "orphan")
        return
    slot = fragment.slot
    item: Any = draft.floating.at(slot)
    reason = item.stop_reason if stop_reason is None else stop_reason
    stopped = strand.stopped(item, grow(strand.body(item), piece), False, reason)
    if type(stopped) is ThinkingItem:
        stopped = _timed(stopped, _lasted(stopped.started_at_ms, parse_ms(message.timestamp)))
    draft.floating = draft.floating.put(slot, stopped)
    setattr(draft, strand.name, _fragment("pending", slot))


# --- completes --------------------------------------------------------------------------------


def settle_text(draft: Draft, payload: Text, at_ms: int | None, message: Message) -> None:
    """Settle the assistant's text, or place it if nothing streamed (rules 6 and 7)."""
    key = _settled_key(draft, TEXT, draft.text, payload.text)
    if key is None:
        return
    transport = message.transport
    trace = None if transport is None else transport.trace_position
    position = (
        None if trace is None else Position(file_index=trace.file_index, ordinal=trace.ordinal)
    )
    item = _text_item(key, payload.text, False, payload.stop_reason, at_ms, position)
    place(draft, item)
    if draft.aside.nest is None:
        draft.said = draft.said.append(item)


def settle_thinking(
    draft: Draft,
    payload: Thinking,
    at_ms: int | None,
    message: Message,
    now_ms: int,
    decided: Map[bool],
) -> None:
    """Settle the assistant's thinking, or place it if nothing streamed (rules 6, 7 and 36)."""
    start_ms = None
    if draft.thinking is not None or draft.calls.thinking_start_ms is not None:
        start_ms = thinking_start_ms(draft, payload)
        remember_thinking_start(draft, None)
    key = _settled_key(draft, THINKING, draft.thinking, payload.thinking)
    if key is None:
        return
    if start_ms is None:
        start_ms = started_at_ms(message)
    if start_ms is None:
        start_ms = draft.previous_ms
    lasted = _lasted(start_ms, at_ms)
    place(
        draft,
        _thinking_item(key, payload.thinking, False, payload.stop_reason, start_ms, lasted),
    )


def thinking_start_ms(draft: Draft, payload: Thinking) -> int | None:
    """Return the start that a complete thinking would take from what streamed (rule 36)."""
    if _would_settle(draft, THINKING, payload.thinking):
        item = _item(draft, THINKING)
        if item.started_at_ms is not None:
            return item.started_at_ms  # type: ignore[no-any-return]
    return draft.calls.thinking_start_ms


def text_start_ms(draft: Draft, body: str) -> int | None:
    """Return when the fragment began that a complete text would settle, in Unix ms, if known."""
    at_ms: int | None = None
    if _would_settle(draft, TEXT, body):
        at_ms = _item(draft, TEXT).at_ms
    return at_ms


def remember_thinking_start(draft: Draft, at_ms: int | None) -> None:
    """Keep the time of a start that was ignored for the next complete thinking, or forget it."""
    if draft.calls.thinking_start_ms != at_ms:
        draft.calls = _remembered(draft.calls, at_ms)


def discard_fragment(draft: Draft, strand: Strand, body: str) -> None:
    """Remove the fragment that a complete would settle; one that streams only if it fits (39)."""
    fragment = getattr(draft, strand.name)
    if fragment is None:
        return
    if fragment.phase == "pending" or _fits(draft, strand, body):
        _remove(draft, strand)


def discard_open(draft: Draft, strand: Strand, *, pending: bool = False) -> None:
    """Remove the fragment if it is open (rule 39).

    Args:
        draft: the session.
        strand: texts or thinkings.
        pending: whether one that waits for its complete goes, too.
    """
    fragment = getattr(draft, strand.name)
    if fragment is None or fragment.phase == "early":
        return
    if pending or fragment.phase == "open":
        _remove(draft, strand)


def remove_fragment(draft: Draft, strand: Strand, body: str) -> None:
    """Remove the fragment that a complete would settle (rule 29)."""
    if _would_settle(draft, strand, body):
        _remove(draft, strand)


# --- closing ----------------------------------------------------------------------------------


def close_fragments(draft: Draft, reason: str) -> None:
    """Close open texts and thinkings early (rules 19, 28 and 32)."""
    close_early(draft, TEXT, reason)
    close_early(draft, THINKING, reason)


def close_early(draft: Draft, strand: Strand, reason: str) -> None:
    """Close an open fragment early: it stands unplaced and waits for a complete that fits."""
    fragment = getattr(draft, strand.name)
    if fragment is None or fragment.phase != "open":
        return
    item = _item(draft, strand)
    slot = _given_up(draft, strand, item.stop_reason or reason)
    setattr(draft, strand.name, _fragment("early", slot))


def _forget(draft: Draft, strand: Strand) -> None:
    fragment = getattr(draft, strand.name)
    if fragment is None:
        return
    if fragment.phase == "open":
        _given_up(draft, strand, _item(draft, strand).stop_reason or "aborted")
    elif fragment.phase == "pending":
        _given_up(draft, strand, _item(draft, strand).stop_reason)
    setattr(draft, strand.name, None)


def _given_up(draft: Draft, strand: Strand, stop_reason: str | None) -> int:
    """Let the floating fragment stand under the key of one that gave its number back (rule 15)."""
    fragment = getattr(draft, strand.name)
    item = draft.floating.at(fragment.slot)
    drop_floating(draft, fragment.slot)
    give_back(draft, strand.kind)
    given_up = next_key(draft, strand.given_up).rpartition(":")[2]
    return stand(draft, strand.renamed(item, f"{item.key}~{given_up}", False, stop_reason))


def _settled_key(draft: Draft, strand: Strand, fragment: Fragment | None, body: str) -> str | None:
    """Clear the way for a complete and return its key, or None if it is blank and never shows."""
    if is_blank(body):
        remove_fragment(draft, strand, body)
        count(draft, "blank")
        return None
    if fragment is None or (fragment.phase == "early" and not _fits(draft, strand, body)):
        return next_key(draft, strand.kind)
    setattr(draft, strand.name, None)
    slot = fragment.slot
    if fragment.phase == "early":
        drop_placed(draft, slot)
        return next_key(draft, strand.kind)
    key = draft.floating.at(slot).key
    drop_floating(draft, slot)
    return key


def _fits(draft: Draft, strand: Strand, body: str) -> bool:
    """Tell whether a complete continues what streamed of the fragment."""
    return body.startswith(_streamed(draft, strand))


def _would_settle(draft: Draft, strand: Strand, body: str) -> bool:
    fragment = getattr(draft, strand.name)
    if fragment is None:
        return False
    return fragment.phase != "early" or _fits(draft, strand, body)


def _remove(draft: Draft, strand: Strand) -> None:
    """Remove the fragment; a floating one gives its number back, one that stands did so before."""
    fragment = getattr(draft, strand.name)
    if fragment.phase == "early":
        drop_placed(draft, fragment.slot)
    else:
        drop_floating(draft, fragment.slot)
        give_back(draft, strand.kind)
    setattr(draft, strand.name, None)


def _streamed(draft: Draft, strand: Strand) -> str:
    return str(strand.body(_item(draft, strand)))


def _item(draft: Draft, strand: Strand) -> Any:
    fragment = getattr(draft, strand.name)
    where = draft.placed if fragment.phase == "early" else draft.floating
    return where.at(fragment.slot)


def _lasted(start_ms: int | None, end_ms: int | None) -> int | None:
    return None if start_ms is None or end_ms is None else max(0, end_ms - start_ms)
