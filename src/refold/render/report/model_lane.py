"""The model's lane on a time line.

Rules of this file:

- A request is a bar, what it wrote are stripes in it.
- Where a format doesn't tell when the model was asked, the lane shows what it is known to have
  written when.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from refold.analysis import Interval
from refold.analysis.findings import SessionFigures
from refold.analysis.marks import Request
from refold.items import AssistantTextItem, Item, ThinkingItem
from refold.records import evolve
from refold.render.numbers import count_text, duration_text, rate_text
from refold.render.report.bars import Bar, Lane, Stripe, StripeTone, packed
from refold.render.report.links import item_id
from refold.render.report.names import count_words
from refold.render.report.subject import Subject, written_in

__all__ = ["from_to", "model_lane"]

_RAN: Final = (None, "completed")
_STRIPES: Final[dict[str, StripeTone]] = {
    "thinking": "thinking",
    "text": "text",
    "tool_call": "call",
}


def model_lane(subject: Subject, main: SessionFigures) -> Lane:
    """Return the model's lane: its requests, and in them what it wrote."""
    written = written_in(main)
    bars = []
    for place, request in enumerate(main.requests):
        interval = from_to(request.begin_ms, request.end_ms)
        if interval is not None:
            places = subject.places_of(0, written.get(place, [request.ordinal]))
            bars.append(_request_bar(request, interval, places))
    if not bars:
        return _written(subject)
    lane = packed("model", count_words(len(main.requests), "request"), bars)
    return evolve(lane, stripes=_segment_stripes(main))


def _request_bar(request: Request, interval: Interval, places: tuple[str, ...]) -> Bar:
    says = ["request", duration_text(request.duration_ms)]
    if request.output_tokens is not None:
        says.append(f"{count_text(request.output_tokens)} tokens out")
    if request.output_tps:
        says.append(rate_text(request.output_tps))
    says.append(request.status or "never ended")
    return Bar(
        interval=interval,
        tone="model" if request.status in _RAN else "failed",
        says=" · ".join(says),
        places=places,
    )


def _written(subject: Subject) -> Lane:
    """Return what the model wrote when, for formats that don't tell when it was asked."""
    bars = [
        Bar(interval=interval, tone="model", says=says, places=(item_id(0, item.key),))
        for item in subject.sessions[0].items
        for interval, says in _writing(item)
    ]
    return packed("model", "what it wrote; not known when asked", bars)


def _writing(item: Item) -> Iterable[tuple[Interval, str]]:
    if isinstance(item, ThinkingItem) and item.started_at_ms is not None:
        end_ms = item.started_at_ms + (item.duration_ms or 0)
        yield (item.started_at_ms, end_ms), f"thinking · {duration_text(item.duration_ms)}"
    if isinstance(item, AssistantTextItem) and item.at_ms is not None:
        yield (item.at_ms, item.at_ms), "text"


def _segment_stripes(session: SessionFigures, row: int = 0) -> tuple[Stripe, ...]:
    found: dict[str, list[Interval]] = {}
    for segment in session.segments:
        interval = from_to(segment.begin_ms, segment.end_ms)
        if interval is not None:
            found.setdefault(segment.kind, []).append(interval)
    return tuple(
        [
            Stripe(tone=_STRIPES[kind], row=row, intervals=tuple(intervals))
            for kind, intervals in found.items()
        ]
    )


def from_to(begin_ms: int | None, end_ms: int | None) -> Interval | None:
    """Return an interval, or None if an end of it is unknown or before its begin."""
    if begin_ms is None or end_ms is None or end_ms < begin_ms:
        return None
    return begin_ms, end_ms
