"""What was used over time: tokens so far, the context, and tokens per second.

Rules of this file:

- Where their times aren't known, reports of usage stand at equal distances in their order.
- Figures are those of the analysis; what is drawn is rounded, what is said is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import add, itemgetter
from typing import Final

from refold.analysis import UsagePoint
from refold.records import record
from refold.render.numbers import count_text, rate_text
from refold.render.report.moments import WIDTH, Scale
from refold.render.report.plots import HEIGHT, Area, Mark, Plot, PlotTone, height_of, thinned
from refold.render.report.subject import Subject, written_in

__all__ = ["plots_of"]

_MARGIN: Final = HEIGHT // 25
_TONES: Final[dict[PlotTone, str]] = {
    "cached": "cached in",
    "new": "new in",
    "out": "out",
    "other": "of no kind",
}


@record
class _Report:
    """A report of usage, the session's place, and where it stands."""

    x: int
    session: int
    point: UsagePoint


def plots_of(subject: Subject, scale: Scale | None) -> tuple[Plot, ...]:
    """Return the plots of a session; none if it reported no usage.

    Args:
        subject: the session.
        scale: its time line, or None to have reports in their order.
    """
    reports = _reports(subject, scale)
    if not reports:
        return ()
    plots = [_tokens(reports), _context(subject, [each for each in reports if not each.session])]
    if scale is not None:
        plots.append(_rates(subject, scale))
    return tuple([plot for plot in plots if plot.areas or plot.marks])


def _reports(subject: Subject, scale: Scale | None) -> list[_Report]:
    points = [
        (place, point)
        for place, session in enumerate(subject.analysis.sessions)
        for point in session.trend
    ]
    points.sort(key=lambda each: each[1].ordinal)
    if scale is None:
        return [
            _Report(x=(number + 1) * WIDTH // (len(points) + 1), session=place, point=point)
            for number, (place, point) in enumerate(points)
        ]
    timed = [
        _Report(x=scale.x(point.at_ms), session=place, point=point)
        for place, point in points
        if point.at_ms is not None
    ]
    return sorted(timed, key=lambda report: report.x)


# --- tokens so far --------------------------------------------------------------------------------


def _tokens(reports: Sequence[_Report]) -> Plot:
    sums = list(accumulate([_layers(each) for each in reports], _added))
    kept = thinned(sums, itemgetter(0))
    most = max(1, sums[-1][-1])
    areas = [
        Area(tone=tone, steps=tuple([(each[0], height_of(each[at], most)) for each in kept]))
        for at, tone in reversed([*enumerate(_TONES, start=1)])
    ]
    tops = (0, *sums[-1][1:])
    counts = [upper - lower for lower, upper in pairwise(tops)]
    return Plot(
        title="tokens so far",
        note="of all sessions" if any(each.session for each in reports) else "",
        areas=tuple(areas),
        legend=tuple(
            [
                (tone, f"{count_text(count)} {words}")
                for (tone, words), count in zip(_TONES.items(), counts, strict=True)
                if count
            ]
        ),
    )


def _layers(report: _Report) -> tuple[int, ...]:
    """Return where a report stands, and its tokens by bucket, each with those below it."""
    tokens = report.point.tokens
    buckets = (tokens.cache_read, tokens.cache_write, tokens.output, tokens.unbucketed)
    return (report.x, *accumulate(buckets))


def _added(so_far: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    return (more[0], *map(add, so_far[1:], more[1:]))


# --- context --------------------------------------------------------------------------------------


def _context(subject: Subject, reports: Sequence[_Report]) -> Plot:
    shown = [each for each in reports if each.point.compaction is None]
    kept = thinned(shown, lambda each: each.x, largest=lambda each: each.point.tokens.total)
    most = max([each.point.tokens.total for each in kept], default=0) or 1
    ends = [*[each.x for each in kept], WIDTH][1:]
    marks = [
        Mark(
            x=each.x,
            end_x=end_x,
            y=height_of(each.point.tokens.total, most),
            says=_context_words(each.point),
            place=subject.place_of(0, each.point.ordinal),
        )
        for each, end_x in zip(kept, ends, strict=True)
    ]
    cached = [(each.x, height_of(each.point.tokens.cache_read, most)) for each in kept]
    return Plot(
        title="context",
        note=f"up to {count_text(most)} tokens",
        areas=(
            Area(tone="new", steps=tuple([(mark.x, mark.y) for mark in marks])),
            Area(tone="cached", steps=tuple(cached)),
        )
        if kept
        else (),
        marks=tuple(marks),
        legend=(("cached", "from the cache"), ("new", "not")),
    )


def _context_words(point: UsagePoint) -> str:
    tokens = point.tokens
    rate = tokens.cache_hit_rate
    cached = "" if rate is None else f" · {100 * rate:.1f} % of the input cached"
    return f"{count_text(tokens.total)} tokens in context{cached} · {count_text(tokens.output)} out"


# --- tokens per second ------------------------------------------------------------------------------


def _rates(subject: Subject, scale: Scale) -> Plot:
    main = subject.analysis.main
    written = written_in(main)
    spans = [
        (scale.x(request.begin_ms), scale.x(request.end_ms), request.output_tps, place)
        for place, request in enumerate(main.requests)
        if request.output_tps and request.begin_ms is not None and request.end_ms is not None
    ]
    kept = thinned(sorted(spans), itemgetter(0), largest=itemgetter(2))
    most = max([tps for _, _, tps, _ in kept], default=1)
    return Plot(
        title="output speed",
        note=f"up to {rate_text(most)}" if kept else "",
        marks=tuple(
            [
                Mark(
                    x=x,
                    end_x=max(x, end_x),
                    y=_MARGIN + height_of(tps, most) * (HEIGHT - 2 * _MARGIN) // HEIGHT,
                    says=f"{rate_text(tps)} over one request",
                    place=subject.place_of(0, written[request][0]) if request in written else None,
                )
                for x, end_x, tps, request in kept
            ]
        ),
        tone="rate",
    )
