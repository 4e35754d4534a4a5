"""A session that goes on, as lines that are written once.

Rules of this file:

- Pure: from what was told and the next version to what to tell now.
- A nested session's lines stand behind bars, under a line that names it whenever somebody else
  spoke in between.
- At length, items are what ``sessions`` shows; in brief, a line each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from refold.items import UserImageItem, UserTextItem
from refold.records import evolve, record
from refold.render.terminal.brief import brief_line
from refold.render.terminal.cells import clipped
from refold.render.terminal.harmless import one_line
from refold.render.terminal.items import item_lines
from refold.render.terminal.layout import LEAST_WIDTH, Layout, narrowed
from refold.render.terminal.lines import BLANK, Line, Span, behind, line
from refold.render.terminal.news import News, news, standing_news, starts_task
from refold.render.terminal.sessions import beneath, nested_title, task_rule, when_text
from refold.session import Session

__all__ = ["Tail", "advanced", "opened"]

_LABEL: Final = 8


@record
class Tail:
    """What was told of a session.

    Args:
        session: the version that was told.
        brief: whether items are told on a line each.
        chain: the nested session that spoke last, outer to inner.
        tasks: how many tasks began so far.
        day: the day that was told last.
    """

    session: Session
    brief: bool = False
    chain: tuple[str, ...] = ()
    tasks: int = 0
    day: str = ""


def opened(
    session: Session, layout: Layout, *, brief: bool, tasks: int | None
) -> tuple[Tail, list[Line]]:
    """Return what to tell of a session that goes on, at the beginning.

    Args:
        session: the session so far.
        layout: the layout.
        brief: whether items are told on a line each.
        tasks: how many tasks to tell, the last ones; None is all there is.
    """
    starts = [at for at, item in enumerate(session.items) if starts_task(item)]
    start, before = 0, 0
    if tasks is not None and tasks < len(starts):
        before = len(starts) - tasks
        start = starts[before] if tasks else len(session.items)
    told = standing_news(session, start, whole=not brief)
    return _told(Tail(session=session, brief=brief, tasks=before), told, layout)


def advanced(tail: Tail, session: Session, layout: Layout) -> tuple[Tail, list[Line]]:
    """Return what to tell of the next version of a session.

    Args:
        tail: what was told.
        session: the next version.
        layout: the layout.
    """
    found = news(tail.session, session)
    return _told(evolve(tail, session=session), found, layout)


def _told(tail: Tail, found: Iterable[News], layout: Layout) -> tuple[Tail, list[Line]]:
    lines: list[Line] = []
    for each in found:
        tail, more = _one_told(tail, each, layout)
        lines += more
    return tail, lines


def _one_told(tail: Tail, told: News, layout: Layout) -> tuple[Tail, list[Line]]:
    if tail.brief:
        row = _brief(told, layout)
        return tail, [row] if row else []
    lines = list(_at_length(told, layout))
    if not lines:
        return tail, []
    bars = _bars(told.chain, layout)
    if told.chain and told.chain != tail.chain:
        gap, lines = BLANK, [*_title(told, layout), *lines]
    else:
        gap = next(behind(bars, bars, [BLANK]))
    if starts_task(told.item) and not told.chain:
        tail, lines = _with_rule(tail, told, lines, layout)
    return evolve(tail, chain=told.chain), [gap, *lines]


def _with_rule(
    tail: Tail, told: News, lines: list[Line], layout: Layout
) -> tuple[Tail, list[Line]]:
    item, number = told.item, tail.tasks + 1
    assert isinstance(item, UserTextItem | UserImageItem)
    when, day = when_text(item.at_ms, tail.day, layout)
    return evolve(tail, tasks=number, day=day), [task_rule(number, when, layout), *lines]


def _at_length(told: News, layout: Layout) -> Iterator[Line]:
    """Yield an item's lines behind the bars of its session."""
    bars = _bars(told.chain, layout)
    inside = narrowed(layout, 2 * len(told.chain))
    nested = beneath(told.item, told.session, inside) if told.whole else ()
    return behind(bars, bars, item_lines(told.item, inside, nested))


def _brief(told: News, layout: Layout) -> Line:
    session_id = one_line(told.chain[-1])[-_LABEL:] if told.chain else ""
    label = "│ " * len(told.chain) + f"{session_id}  " if session_id else ""
    return brief_line(told.item, layout, label)


def _title(told: News, layout: Layout) -> Iterator[Line]:
    outside = _bars(told.chain[:-1], layout)
    inside = narrowed(layout, 2 * (len(told.chain) - 1))
    title = f"╭ {nested_title(told.session, told.chain[-1])}"
    return behind(outside, outside, [line(clipped(title, inside.width), "rule")])


def _bars(chain: tuple[str, ...], layout: Layout) -> Line:
    """Return the bars of a session, of one that is nested too deep as many as leave room."""
    depth = min(len(chain), max(layout.width - LEAST_WIDTH, 0) // 2)
    return (Span("│ " * depth, "rule"),) if depth else BLANK
