"""A session for a terminal: its tasks, its nested sessions, and what it came to.

Rules of this file:

- A task begins with a rule that numbers it; nested sessions stand behind a bar, under their card.
- Lazy: a session of any length is laid out line by line.
- Sessions nest as deep as decoding lets them; from some depth on, they aren't indented any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, TypeAlias

from refold.items import Item, ToolCallItem, UserImageItem, UserTextItem
from refold.render.numbers import count_text, duration_text
from refold.render.terminal.cells import clipped, columns
from refold.render.terminal.harmless import one_line
from refold.render.terminal.items import item_lines, nested_of
from refold.render.terminal.layout import (
    LEAST_WIDTH,
    Layout,
    clock_text,
    date_text,
    narrowed,
    prose,
)
from refold.render.terminal.lines import BLANK, Line, Span, behind, line
from refold.session import Session
from refold.views import View

__all__ = [
    "beneath",
    "heading_lines",
    "nested_lines",
    "nested_title",
    "session_lines",
    "task_rule",
    "totals_lines",
    "when_text",
]

Shown: TypeAlias = Session | View

_BAR: Final = (Span("│ ", "rule"),)
_FACTS: Final = ("model", "cwd", "git_branch")
_REASONS: Final = ("orphan", "unknown", "duplicate", "blank", "late")


def session_lines(session: Shown, layout: Layout) -> Iterator[Line]:
    """Yield a session's lines, from its title to its totals.

    Args:
        session: a main session, or its view.
        layout: the layout.
    """
    blocks = chain(
        [heading_lines(session, layout)],
        _numbered(_blocks(session, layout), layout),
        [totals_lines(session, layout)],
    )
    return _spaced(blocks)


def heading_lines(session: Shown, layout: Layout) -> Iterator[Line]:
    """Yield what is known of a session as a whole: its title, its model, where it ran."""
    title = session.facts.get("title")
    if isinstance(title, str) and title.strip():
        yield line(clipped(one_line(title), layout.width), "strong")
    known = [session.facts.get(name) for name in _FACTS]
    told = [one_line(each) for each in known if isinstance(each, str) and each.strip()]
    if told:
        yield line(clipped(" · ".join(told), layout.width), "faint")


def nested_lines(session: Shown, name: str, layout: Layout) -> Iterator[Line]:
    """Yield a nested session behind a bar.

    Args:
        session: the nested session.
        name: its id.
        layout: the layout outside the bar.
    """
    bar = _BAR if layout.width > LEAST_WIDTH else BLANK
    blocks = (lines for _, lines in _blocks(session, narrowed(layout, 2)))
    yield line(clipped(f"╭ {nested_title(session, name)}", layout.width), "rule")
    yield from behind(bar, bar, _spaced(blocks))
    yield line("╰", "rule")


def nested_title(session: Shown, name: str) -> str:
    """Return what a nested session is called: who, on what, how long, its id."""
    meta, parts = session.meta, []
    if meta is not None:
        parts = [one_line(each) for each in (meta.agent_id, meta.model_id) if each]
    if session.first_ts_ms is not None and session.last_activity_ts_ms is not None:
        parts.append(duration_text(max(0, session.last_activity_ts_ms - session.first_ts_ms)))
    if session.binding == "inferred":
        parts.append("which call began it is guessed")
    # An id says least to a person, unless there is nothing else.
    parts.insert(len(parts) if meta is not None else 0, one_line(name))
    return " · ".join(parts)


# --- blocks -----------------------------------------------------------------------------------


def _blocks(session: Shown, layout: Layout) -> Iterator[tuple[Item, Iterator[Line]]]:
    """Yield the items that show something, each with its lines."""
    for item in session.items:
        lines = item_lines(item, layout, beneath(item, session, layout))
        first = next(lines, None)
        if first is not None:
            yield item, chain([first], lines)


def _numbered(
    blocks: Iterable[tuple[Item, Iterator[Line]]], layout: Layout
) -> Iterator[Iterator[Line]]:
    """Yield the blocks of a main session, with a rule in front of each task."""
    number, day = 0, ""
    for item, lines in blocks:
        if not isinstance(item, UserTextItem | UserImageItem):
            yield lines
            continue
        number += 1
        when, day = when_text(item.at_ms, day, layout)
        yield chain([task_rule(number, when, layout)], lines)


def _spaced(blocks: Iterable[Iterator[Line]]) -> Iterator[Line]:
    """Yield the lines of blocks, an empty one between them."""
    begun = False
    for block in blocks:
        for count, each in enumerate(block):
            if begun and not count:
                yield BLANK
            begun = True
            yield each


def beneath(item: Item, session: Shown, layout: Layout) -> Iterator[Line]:
    """Yield the nested session that an item of a session stands for, if it does.

    Args:
        item: the item.
        session: the session that holds it.
        layout: the layout of the item.
    """
    name = nested_of(item)
    nested = None if name is None else session.subagents.get(name)
    if name is not None and nested is not None:
        yield from nested_lines(nested, name, narrowed(layout, 2))


def when_text(at_ms: int | None, day: str, layout: Layout) -> tuple[str, str]:
    """Return when a task began, with the day if it is another, and that day.

    Args:
        at_ms: when, in Unix ms.
        day: the day that was told last.
        layout: the layout.
    """
    today, clock = date_text(at_ms, layout), clock_text(at_ms, layout)
    return clock if today in (day, "") else f"{today} {clock}", today or day


def task_rule(number: int, when: str, layout: Layout) -> Line:
    """Return the rule in front of a task.

    Args:
        number: which task it is, from 1.
        when: the time it began, or nothing.
        layout: the layout.
    """
    front, end = f"── {number} ", f" {when} ──" if when else ""
    dashes = "─" * max(layout.width - columns(front) - columns(end), 0)
    return (Span(front + dashes + end, "rule"),)


def totals_lines(session: Shown, layout: Layout) -> Iterator[Line]:
    """Yield what a session came to, and what of it changed nothing."""
    tasks = sum(isinstance(item, UserTextItem | UserImageItem) for item in session.items)
    calls = sum(isinstance(item, ToolCallItem) for item in session.items)
    stats = session.stats
    tokens = stats.session_total + stats.subagent_total
    parts = [
        _counted(tasks, "task"),
        _counted(calls, "tool call"),
        _counted(len(session.subagents), "nested session"),
        _counted(tokens, "token"),
        duration_text(stats.session_elapsed_ms) if stats.session_elapsed_ms else "",
    ]
    told = " · ".join(filter(None, parts)) or _counted(len(session.items), "item") or "no items"
    yield line("─" * layout.width, "rule")
    yield from (line(row, "faint") for row in prose(told, layout, None))
    yield from _diagnostics_lines(session, layout)


def _diagnostics_lines(session: Shown, layout: Layout) -> Iterator[Line]:
    if isinstance(session, View):
        return
    counts = {name: getattr(session.diagnostics, name) for name in _REASONS}
    told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    if told:
        text = f"messages that changed nothing: {told}"
        yield from (line(row, "faint") for row in prose(text, layout, None))


def _counted(count: int, noun: str) -> str:
    """Return a count with its noun, nothing for none."""
    if not count:
        return ""
    return f"{count} {noun}" if count == 1 else f"{count_text(count)} {noun}s"
