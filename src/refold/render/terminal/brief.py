"""An item on one line.

Rules of this file:

- Time, sign, text; what is long ends in ``…`` where the line does.
- The signs and words are those of the item shown at length.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from refold.items import (
    AssistantTextItem,
    Item,
    ThinkingItem,
    ToolCallItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.records import evolve
from refold.render.terminal.arguments import argument_lines
from refold.render.terminal.cards import card_name, remarks, stop_text
from refold.render.terminal.cells import clipped, columns
from refold.render.terminal.harmless import one_line
from refold.render.terminal.items import item_lines
from refold.render.terminal.layout import Layout, clock_text
from refold.render.terminal.lines import Line, Span, Tone

__all__ = ["brief_line", "fitted"]

_LONGEST: Final = 1 << 14
_TIMES: Final = ("at_ms", "call_started_at_ms", "started_at_ms", "begin_ts_ms")
_NO_TIME: Final = " " * len("19:24:29")
_SIGNS: Final = {"user_text": "❯ ", "user_steering": "» ", "thinking": "✻ "}


def brief_line(item: Item, layout: Layout, label: str = "") -> Line:
    """Return an item as one line, an empty one if it shows nothing.

    Args:
        item: the item.
        layout: the layout; ``full`` is as long as it takes.
        label: what stands between its time and it.
    """
    spans = [span for span in _spans(item, layout) if span.text]
    if not spans:
        return ()
    time = clock_text(_time_of(item), layout) or _NO_TIME
    whole = (Span(f"{time}  ", "faint"), Span(label, "rule"), *spans)
    return whole if layout.full else fitted(whole, layout.width)


def fitted(whole: Line, width: int) -> Line:
    """Return a line that takes no more columns than there are.

    Args:
        whole: the line.
        width: how many columns there are.
    """
    shown: list[Span] = []
    for span in whole:
        left = width - sum(columns(each.text) for each in shown)
        if columns(span.text) > left:
            return (*shown, span._replace(text=clipped(span.text, left)))
        shown.append(span)
    return tuple(shown)


def _spans(item: Item, layout: Layout) -> Iterator[Span]:
    match item:
        case ToolCallItem():
            yield from _card_spans(item, layout)
        case UserTextItem() | UserSteeringItem() | AssistantTextItem():
            tone: Tone = "plain" if item.kind == "assistant_text" else "user"
            yield Span(_SIGNS.get(item.kind, "  "), tone)
            yield Span(_short(item.text, layout), tone)
            yield _stopped(item)
        case ThinkingItem():
            yield Span(_SIGNS[item.kind], "thought")
            yield Span(_short(item.thinking, layout), "thought")
            yield _stopped(item)
        case _:
            # A card of a stand-alone nested session says nothing by itself.
            yield from next(item_lines(item, evolve(layout, full=True, width=_LONGEST)), ())


def _card_spans(item: ToolCallItem, layout: Layout) -> Iterator[Span]:
    wide = evolve(layout, width=_LONGEST)
    yield from card_name(item, wide)
    title, below = argument_lines(item, _LONGEST, wide)
    for each in (title, *below):
        yield Span("  ")
        yield from each
    said = remarks(item, layout)
    if said:
        yield from (Span("  "), *said)
    output = _short(item.output, layout)
    if output:
        yield from (Span(" → ", "faint"), Span(output))


def _stopped(item: Item) -> Span:
    """Return what is said of a text that isn't complete, nothing of one that is."""
    reason: str | None = getattr(item, "stop_reason", None)
    return Span("" if reason in (None, "completed") else f" ({stop_text(reason or '')})", "bad")


def _short(text: str, layout: Layout) -> str:
    return one_line(text if layout.full else text[:_LONGEST])


def _time_of(item: Item) -> int | None:
    times: list[Any] = [getattr(item, name, None) for name in _TIMES]
    return next((each for each in times if each is not None), None)
