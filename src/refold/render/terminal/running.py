"""What runs and streams at a moment, in few lines: to be written over at the next.

Rules of this file:

- Of what streams its end is shown: that is where it grows.
- Only the task that runs is looked through, and of it no more than fits.
- The clock is an argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from refold.items import (
    AssistantTextItem,
    CompactionItem,
    Item,
    McpConnectItem,
    ThinkingItem,
    ToolCallItem,
)
from refold.render.numbers import count_text, duration_text
from refold.render.terminal.brief import fitted
from refold.render.terminal.cards import call_lines
from refold.render.terminal.items import item_lines, nested_of
from refold.render.terminal.layout import Layout, narrowed, prose
from refold.render.terminal.lines import BLANK, Line, Span, Tone, behind, line
from refold.render.terminal.news import starts_task
from refold.session import Session

__all__ = ["running_lines"]

_FRAMES: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAME_MS: Final = 125
_STREAMED_ROWS: Final = 4
_LONGEST: Final = 4000
_FARTHEST: Final = 400
_BAR: Final = (Span("│ ", "rule"),)
_INDENT: Final = (Span("  "),)


def running_lines(session: Session, layout: Layout, *, now_ms: int, most: int) -> list[Line]:
    """Return what runs and streams, with how long and how much so far at the end.

    Args:
        session: the session.
        layout: the layout.
        now_ms: the clock that the session was folded by, in Unix ms.
        most: how many lines to return at most, 3 at least.
    """
    lines = list(islice(_running(session, layout), 10 * most))
    return [BLANK, *lines[-(most - 2) :], *_status(session, layout, now_ms)]


def _running(session: Session, layout: Layout) -> Iterator[Line]:
    for item in _recent(session):
        name = nested_of(item)
        nested = None if name is None else session.subagents.get(name)
        yield from _item_lines(item, layout)
        if nested is not None and not (isinstance(item, ToolCallItem) and item.output_complete):
            yield from behind(_BAR, _BAR, _running(nested, narrowed(layout, 2)))


def _recent(session: Session) -> list[Item]:
    """Return the items of the running task, of a long one the last."""
    recent: list[Item] = []
    for item in islice(reversed(session.items), _FARTHEST):
        recent.append(item)
        if starts_task(item):
            break
    return recent[::-1]


def _item_lines(item: Item, layout: Layout) -> Iterator[Line]:
    match item:
        case AssistantTextItem(streaming=True):
            yield from _streamed(item.text, "plain", layout)
        case ThinkingItem(streaming=True):
            yield from _streamed(item.thinking, "thought", layout)
        case ToolCallItem(output_complete=False):
            yield next(iter(call_lines(item, layout)))
            yield from behind(_INDENT, _INDENT, _streamed(item.output, "faint", layout))
        case CompactionItem(running=True) | McpConnectItem(running=True):
            yield from islice(item_lines(item, layout), 1)


def _streamed(text: str, tone: Tone, layout: Layout) -> Iterator[Line]:
    rows = prose(text[-_LONGEST:], narrowed(layout, 2), None) if text.strip() else []
    return behind(_INDENT, _INDENT, [line(row, tone) for row in rows[-_STREAMED_ROWS:]])


def _status(session: Session, layout: Layout, now_ms: int) -> list[Line]:
    stats, start_ms = session.stats, session.task_start_local_ms
    parts = [f"{count_text(stats.session_total + stats.subagent_total)} tokens"]
    parts.append(f"context {count_text(stats.context_now)}")
    sign = Span("· ", "faint")
    if start_ms is not None:
        parts.insert(0, duration_text(max(0, now_ms - start_ms)))
        sign = Span(f"{_FRAMES[now_ms // _FRAME_MS % len(_FRAMES)]} ", "waiting")
    return [fitted((sign, Span(" · ".join(parts), "faint")), layout.width)]
