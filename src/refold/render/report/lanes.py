"""The lanes of a session's time line.

Rules of this file:

- A lane tells of one thing: tasks, the model, a tool, approvals, waits for a retry, stops, nested
  sessions. One that has nothing to show is left out.
- Figures in words are those of the analysis.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from refold.analysis import Tool
from refold.analysis.findings import SessionFigures
from refold.analysis.marks import Reconnect
from refold.records import evolve
from refold.render.numbers import duration_text
from refold.render.report.bars import Bar, Lane, Stripe, bounded, packed, rows_of
from refold.render.report.links import session_id
from refold.render.report.model_lane import from_to, model_lane
from refold.render.report.moments import Scale
from refold.render.report.names import count_words, session_name, task_name
from refold.render.report.subject import Subject

__all__ = ["lanes_of"]

_MOST_TOOLS: Final = 12
_RAN: Final = (None, "completed")


def lanes_of(subject: Subject, scale: Scale) -> tuple[Lane, ...]:
    """Return the lanes of a session, those that have nothing to show left out.

    Args:
        subject: the session.
        scale: the time line, which says what is too small to be seen.
    """
    main = subject.analysis.main
    found = [
        _tasks(subject, main),
        model_lane(subject, main),
        *_tools(subject, main),
        _approvals(subject, main),
        _retries(subject, main),
        _stops(subject, main),
        _children(subject),
    ]
    return tuple([bounded(lane, scale) for lane in found if lane.bars or lane.stripes])


# --- the lanes ----------------------------------------------------------------------------------


def _tasks(subject: Subject, main: SessionFigures) -> Lane:
    bars = [
        Bar(
            interval=(task.begin_ms, max(task.begin_ms, task.end_ms)),
            tone="task" if task.kind == "task" else "compaction",
            says=f"{task_name(task)} · {duration_text(task.times.elapsed_ms)}",
            places=subject.places_of(0, [task.ordinal]),
        )
        for task in main.tasks
        if task.begin_ms is not None and task.end_ms is not None
    ]
    compactions = sum(task.kind == "compaction" for task in main.tasks)
    note = count_words(len(main.tasks) - compactions, "task")
    if compactions:
        note += f" · {count_words(compactions, 'compaction')}"
    return packed("tasks", note, bars)


def _tools(subject: Subject, main: SessionFigures) -> list[Lane]:
    ran = sorted([tool for tool in main.tools if tool.interval is not None], key=_name)
    groups = [(name, list(group)) for name, group in groupby(ran, key=_name)]
    groups.sort(key=lambda group: (-_summed(group[1]), group[0]))
    shown, rest = groups[:_MOST_TOOLS], groups[_MOST_TOOLS:]
    if rest:
        others = [tool for _, group in rest for tool in group]
        shown.append((count_words(len(rest), "other tool"), others))
    return [
        packed(
            name or "(no name)",
            f"{count_words(len(group), 'call')} · {duration_text(_summed(group))}",
            [_tool_bar(subject, tool) for tool in group],
        )
        for name, group in shown
    ]


def _tool_bar(subject: Subject, tool: Tool) -> Bar:
    assert tool.interval is not None
    ended = tool.output_stop_reason or ("ended" if tool.ended_by else "never ended")
    return Bar(
        interval=tool.interval,
        tone="tool" if tool.output_stop_reason in _RAN else "failed",
        says=f"{tool.name or '(no name)'} · {duration_text(tool.run_ms)} · {ended}",
        places=subject.places_of(0, [tool.ordinal]),
    )


def _approvals(subject: Subject, main: SessionFigures) -> Lane:
    bars = [
        Bar(
            interval=(min(tool.call_ms, tool.approval_ms), tool.approval_ms),
            tone="waiting" if tool.decision == "allow" else "failed",
            says=f"{tool.decision} {tool.name} · waited {duration_text(tool.wait_ms)}",
            places=subject.places_of(0, [tool.ordinal]),
        )
        for tool in main.tools
        if tool.call_ms is not None and tool.approval_ms is not None
    ]
    waited = duration_text(main.approvals.wait_ms)
    return packed("approvals", f"{count_words(len(bars), 'decision')} · waited {waited}", bars)


def _retries(subject: Subject, main: SessionFigures) -> Lane:
    bars = [
        Bar(
            interval=(each.at_ms, max(each.at_ms, _retried_ms(each))),
            tone="retry",
            says=f"{each.status}, attempt {each.attempt} · waited {duration_text(each.wait_ms)}",
            places=subject.places_of(0, [each.ordinal]),
        )
        for each in main.reconnects
        if each.at_ms is not None
    ]
    return packed("waits for a retry", count_words(len(bars), "failed request"), bars)


def _retried_ms(reconnect: Reconnect) -> int:
    return reconnect.retried_ms if reconnect.retried_ms is not None else reconnect.at_ms or 0


def _stops(subject: Subject, main: SessionFigures) -> Lane:
    bars = [
        Bar(
            interval=(each.at_ms, each.at_ms),
            tone="failed",
            says=f"aborted {each.reason or ''}".rstrip(),
            places=subject.places_of(0, [each.ordinal]),
        )
        for each in main.aborts
        if each.at_ms is not None
    ]
    return packed("aborts", count_words(len(bars), "abort"), bars)


def _children(subject: Subject) -> Lane:
    bars, places = [], []
    for place, session in enumerate(subject.analysis.sessions):
        interval = from_to(session.first_ms, session.last_ms)
        if place and interval is not None:
            places.append(place)
            bars.append(
                Bar(
                    interval=interval,
                    tone="child",
                    says=f"{session_name(session)} · {duration_text(session.wall_ms)}",
                    places=(session_id(place),),
                )
            )
    lane = packed("nested sessions", count_words(len(bars), "session"), bars)
    stripes = [
        _activity(subject.analysis.sessions[place], row)
        for place, row in zip(places, rows_of(bars), strict=True)
    ]
    return evolve(lane, stripes=tuple([stripe for group in stripes for stripe in group]))


def _activity(session: SessionFigures, row: int) -> tuple[Stripe, ...]:
    asked = [from_to(each.begin_ms, each.end_ms) for each in session.requests]
    ran = [tool.interval for tool in session.tools]
    return (
        Stripe(tone="model", row=row, intervals=tuple([each for each in asked if each])),
        Stripe(tone="tool", row=row, intervals=tuple([each for each in ran if each])),
    )


# --- words ------------------------------------------------------------------------------------------


def _summed(tools: Iterable[Tool]) -> int:
    return sum([tool.run_ms or 0 for tool in tools])


def _name(tool: Tool) -> str:
    return tool.name
