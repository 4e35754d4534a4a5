"""The time line: its scale, its rows, and where on it each item stands.

Rules of this file:

- Everything on it stands on one scale, so that what happened at one time stands in one column.
- Without its script it is whole, at its first width; the script only widens it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Final

from refold.analysis import Interval
from refold.analysis.findings import SessionFigures
from refold.records import record
from refold.render.numbers import duration_text, is_date
from refold.render.report.bars import Lane
from refold.render.report.drawing import lane_row, plot_row, row
from refold.render.report.html import Attributes, Html, element, joined
from refold.render.report.lanes import lanes_of
from refold.render.report.moments import WIDTH, Scale, scale_of, spoken, ticks_of
from refold.render.report.names import count_words
from refold.render.report.plots import Plot
from refold.render.report.subject import Subject
from refold.render.report.usage import plots_of

__all__ = ["Timeline", "timeline_html", "timeline_of"]

_AXIS: Final = 18
_ORDER: Final = "What was used, in its order: when isn't known."
_HELP: Final = (
    "Time line. Plus and minus zoom, the arrows move; Enter goes to the bars, "
    "where the arrows go from bar to bar and Enter to the message; Escape comes back."
)


@record
class Timeline:
    """What is on a time line, and the ids of its bars.

    Args:
        scale: None if no times are known.
        lanes: its lanes.
        plots: its plots.
        in_order: plots of usage in its order, where their times aren't known.
        numbers: the ids of the bars of each lane.
        bars: the id of the bar that tells of an item, by the item's id.
    """

    scale: Scale | None
    lanes: tuple[Lane, ...]
    plots: tuple[Plot, ...]
    in_order: tuple[Plot, ...]
    numbers: tuple[tuple[str, ...], ...]
    bars: Mapping[str, str]


def timeline_of(subject: Subject) -> Timeline:
    """Lay out the time line of a session."""
    scale = _scale(subject)
    lanes = () if scale is None else lanes_of(subject, scale)
    serial = count(1)
    numbers = tuple([tuple([f"b{next(serial)}" for _ in lane.bars]) for lane in lanes])
    plots = () if scale is None else plots_of(subject, scale)
    return Timeline(
        scale=scale,
        lanes=lanes,
        plots=plots,
        in_order=() if plots else plots_of(subject, None),
        numbers=numbers,
        bars=_bars(lanes, numbers),
    )


def timeline_html(timeline: Timeline) -> Html | None:
    """Return the time line, or None if there is nothing on it."""
    parts: list[Html] = []
    if timeline.scale is not None:
        parts += _in_time(timeline, timeline.scale)
    if timeline.in_order:
        parts.append(element("p", {"class": "note"}, _ORDER))
        parts.append(_track([plot_row(plot) for plot in timeline.in_order], "[]"))
    return joined(parts) if parts else None


def _in_time(timeline: Timeline, scale: Scale) -> list[Html]:
    lanes = zip(timeline.lanes, timeline.numbers, strict=True)
    rows = [
        _bands(scale),
        _axis(scale),
        *[lane_row(lane, scale, numbers) for lane, numbers in lanes],
        *[plot_row(plot) for plot in timeline.plots],
    ]
    return [element("p", {"class": "note"}, _about(scale)), _track(rows, _pieces(scale))]


def _track(rows: Iterable[Html], pieces: str) -> Html:
    track = element("div", {"class": "track", "data-pieces": pieces}, *rows)
    attributes: Attributes = {
        "class": "scroller",
        "tabindex": 0,
        "role": "group",
        "aria-label": _HELP,
    }
    return element("div", {"class": "timeline"}, element("div", attributes, track))


def _bars(lanes: Iterable[Lane], numbers: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """Return where each item stands: in a lane of its own rather than in its request."""
    bars: dict[str, str] = {}
    for lane, ids in zip(lanes, numbers, strict=True):
        for number, bar in zip(ids, lane.bars, strict=True):
            for place in bar.places:
                if bar.tone != "waiting" or place not in bars:
                    bars[place] = number
    return bars


# --- scale ----------------------------------------------------------------------------------------


def _scale(subject: Subject) -> Scale | None:
    known: list[int] = []
    work: list[Interval] = []
    for session in subject.analysis.sessions:
        known += [ms for ms in (session.first_ms, session.last_ms) if ms is not None]
        work += _work(session)
    known += [ms for interval in work for ms in interval]
    return scale_of(known, work)


def _work(session: SessionFigures) -> list[Interval]:
    asked = [(request.begin_ms, request.end_ms) for request in session.requests]
    # Where requests have no times, all of a task is taken for work.
    asked += [(task.begin_ms, task.end_ms) for task in session.tasks if not task.timed_requests]
    reported = [
        (point.at_ms, point.at_ms + 1) for point in session.trend if point.at_ms is not None
    ]
    ran = [tool.interval for tool in session.tools if tool.interval is not None]
    known = [(begin, end) for begin, end in asked if begin is not None and end is not None]
    return [*known, *ran, *reported]


# --- axis -----------------------------------------------------------------------------------------


def _axis(scale: Scale) -> Html:
    ticks = [
        element("text", {"x": _percent(tick.x), "y": 12}, duration_text(tick.after_ms))
        for tick in ticks_of(scale)
    ]
    attributes: Attributes = {
        "class": "axis",
        "height": _AXIS,
        "role": "group",
        "aria-label": "time since the begin",
    }
    return row(["time"], ["since the begin"], element("svg", attributes, *ticks))


def _bands(scale: Scale) -> Html:
    bands = [
        element(
            "g",
            {},
            element("title", {}, f"pause of {duration_text(piece.end_ms - piece.begin_ms)}"),
            element(
                "rect",
                {"x": piece.begin_x, "y": 0, "width": piece.end_x - piece.begin_x, "height": 1},
            ),
        )
        for piece in scale.pauses
    ]
    view = {"class": "bands", "viewBox": f"0 0 {WIDTH} 1", "preserveAspectRatio": "none"}
    return element("svg", {**view, "role": "group", "aria-label": "pauses"}, *bands)


def _about(scale: Scale) -> str:
    begin, end = scale.pieces[0].begin_ms, scale.pieces[-1].end_ms
    between = f"From {spoken(begin)} to {spoken(end)} UTC, " if is_date(begin) else ""
    said = f"{between}{duration_text(end - begin)}."
    if not scale.pauses:
        return said
    pauses = count_words(len(scale.pauses), "shaded pause")
    cut_ms = sum(piece.end_ms - piece.begin_ms for piece in scale.pauses)
    return f"{said} Cut short: {pauses}, {duration_text(cut_ms)}, with nothing known to work."


def _pieces(scale: Scale) -> str:
    """Return the scale for the script: begin, end, where they stand, and whether it is a pause."""
    pieces = [
        [each.begin_ms, each.end_ms, each.begin_x, each.end_x, int(each.pause)]
        for each in scale.pieces
    ]
    return json.dumps(pieces, separators=(",", ":"))


def _percent(x: int) -> str:
    return f"{100 * x / WIDTH:.2f}%"
