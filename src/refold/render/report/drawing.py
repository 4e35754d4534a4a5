"""Lanes and plots as rows of SVG, all on one time line.

Rules of this file:

- A row is a label over, or beside, a drawing as wide as the time line; making the time line wider
  is all that zooming takes. Strokes don't grow with it.
- Colours are classes: the style sheet has those of the light and the dark.
- Every bar and point has its words in a ``title``, which browsers show and readers read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from refold.render.report.bars import Bar, Lane, Stripe
from refold.render.report.html import Attributes, Content, Html, element, joined, link
from refold.render.report.links import to_place
from refold.render.report.moments import WIDTH, Scale
from refold.render.report.plots import HEIGHT, Area, Mark, Plot

__all__ = ["lane_row", "plot_row", "row"]

_BAR: Final = 14
_GAP: Final = 3
_STRIPE: Final = 5
_PLOT: Final = 64
_LEGEND: Final = ("thinking", "text", "call")


def lane_row(lane: Lane, scale: Scale, numbers: Sequence[str]) -> Html:
    """Return a lane.

    Args:
        lane: the lane.
        scale: its time line.
        numbers: the ids of its bars, in their order.
    """
    height = lane.rows * (_BAR + _GAP)
    bars = [_bar(bar, scale, number) for bar, number in zip(lane.bars, numbers, strict=True)]
    stripes = [_stripe(stripe, scale) for stripe in lane.stripes if stripe.intervals]
    drawn = _drawing(f"{lane.title}, {lane.note}", height, height, [*bars, *stripes])
    legend = [_key(stripe.tone) for stripe in lane.stripes if stripe.tone in _LEGEND]
    return row([lane.title], [lane.note, *legend], drawn)


def plot_row(plot: Plot) -> Html:
    """Return a plot."""
    areas = [_area(area) for area in plot.areas]
    marks = [_mark(mark, plot) for mark in plot.marks]
    drawn = _drawing(f"{plot.title}, {plot.note}", _PLOT, HEIGHT, [*areas, *marks])
    legend = [_key(tone, words) for tone, words in plot.legend]
    note = [plot.note] if plot.note else []
    return row([plot.title], [*note, *legend], drawn, kind="lane plot")


def row(
    title: Sequence[Content], notes: Sequence[Content], drawn: Html, kind: str = "lane"
) -> Html:
    """Return a row.

    Args:
        title: what it shows.
        notes: what is to be said of it.
        drawn: the drawing.
        kind: its classes.
    """
    said = [element("small", {}, each) for each in notes]
    return element(
        "div",
        {"class": kind},
        element("div", {"class": "label"}, *title, " ", joined(said, " ")),
        drawn,
    )


def _key(tone: str, words: str | None = None) -> Html:
    return element("span", {"class": f"key {tone}"}, words or tone)


def _drawing(words: str, height: int, units: int, shapes: Iterable[Html]) -> Html:
    return element(
        "svg",
        {
            "role": "group",
            "aria-label": words,
            "viewBox": f"0 0 {WIDTH} {units}",
            "preserveAspectRatio": "none",
            "height": height,
        },
        *shapes,
    )


# --- lanes ----------------------------------------------------------------------------------------


def _bar(bar: Bar, scale: Scale, number: str) -> Html:
    begin, end = (scale.x(ms) for ms in bar.interval)
    shape = element(
        "rect",
        {"x": begin, "y": bar.row * (_BAR + _GAP), "width": max(1, end - begin), "height": _BAR},
    )
    says = bar.says if bar.joined == 1 else f"{bar.joined:,} times in a row, the first: {bar.says}"
    attributes = {"id": number, "class": f"bar {bar.tone}"}
    return _leading(bar.places[0] if bar.places else None, attributes, says, shape)


def _stripe(stripe: Stripe, scale: Scale) -> Html:
    top = stripe.row * (_BAR + _GAP) + _BAR - _STRIPE
    spans = [(scale.x(begin), scale.x(end)) for begin, end in stripe.intervals]
    path = "".join(
        [f"M{begin} {top}h{max(1, end - begin)}v{_STRIPE}H{begin}z" for begin, end in spans]
    )
    return element("path", {"class": f"stripe {stripe.tone}", "d": path})


# --- plots ----------------------------------------------------------------------------------------


def _area(area: Area) -> Html:
    steps = "".join([f"H{x}V{y}" for x, y in area.steps])
    begin = area.steps[0][0]
    path = f"M{begin} {HEIGHT}{steps}H{WIDTH}V{HEIGHT}z"
    return element("path", {"class": f"area {area.tone}", "d": path})


def _mark(mark: Mark, plot: Plot) -> Html:
    width = max(1, mark.end_x - mark.x)
    hit = element("rect", {"x": mark.x, "y": 0, "width": width, "height": HEIGHT})
    shapes = [hit]
    if plot.tone is not None:
        path = f"M{mark.x} {mark.y}h{width}"
        shapes.append(element("path", {"class": f"point {plot.tone}", "d": path}))
    return _leading(mark.place, {"class": "hit"}, mark.says, *shapes)


def _leading(place: str | None, attributes: Attributes, says: str, *shapes: Html) -> Html:
    title = element("title", {}, says)
    if place is None:
        return element("g", attributes, title, *shapes)
    return link(to_place(place), {**attributes, "tabindex": "-1"}, title, *shapes)
