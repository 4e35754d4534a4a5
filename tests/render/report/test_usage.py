"""Plots: tokens so far, the context, and tokens per second."""

from __future__ import annotations

from hypothesis import given, settings

from refold.messages import Message, TokenCounts, TokenUsage
from refold.render.report.moments import WIDTH, Scale, scale_of
from refold.render.report.plots import HEIGHT, Area, Mark, Plot
from refold.render.report.subject import subject_of
from refold.render.report.usage import plots_of
from tests.analysis.streams import (
    START_MS,
    at,
    request_begin,
    request_end,
    said,
    usage,
    user,
)
from tests.strategies import any_streams


def line() -> Scale:
    scale = scale_of([START_MS, START_MS + 1000], [])
    assert scale is not None
    return scale


STREAM = [
    at(0, user()),
    at(0, request_begin()),
    at(400, said()),
    at(500, usage(0, 80, 20, 100)),
    at(500, request_end()),
    at(500, request_begin()),
    at(700, said()),
    at(700, usage(150, 0, 50, 300)),
    at(700, request_end()),
]


def test_tokens_add_up_bucket_by_bucket() -> None:
    tokens, _, _ = plots_of(subject_of(STREAM), line())
    assert tokens == Plot(
        title="tokens so far",
        note="",
        areas=(
            Area(tone="other", steps=((500_000, 667), (700_000, 0))),
            Area(tone="out", steps=((500_000, 667), (700_000, 0))),
            Area(tone="new", steps=((500_000, 734), (700_000, 234))),
            Area(tone="cached", steps=((500_000, HEIGHT), (700_000, 500))),
        ),
        legend=(("cached", "150 cached in"), ("new", "80 new in"), ("out", "70 out")),
    )


def test_the_context_is_that_of_the_main_session_s_requests() -> None:
    child = at(600, usage(0, 900, 0, 900), "c")
    _, context, _ = plots_of(subject_of([*STREAM[:6], child, *STREAM[6:]]), line())
    assert context == Plot(
        title="context",
        note="up to 200 tokens",
        areas=(
            Area(tone="new", steps=((500_000, 500), (700_000, 0))),
            Area(tone="cached", steps=((500_000, HEIGHT), (700_000, 250))),
        ),
        marks=(
            Mark(
                x=500_000,
                end_x=700_000,
                y=500,
                says="100 tokens in context · 0.0 % of the input cached · 20 out",
                place="assistant_text:1",
            ),
            Mark(
                x=700_000,
                end_x=WIDTH,
                y=0,
                says="200 tokens in context · 100.0 % of the input cached · 50 out",
                place="assistant_text:2",
            ),
        ),
        legend=(("cached", "from the cache"), ("new", "not")),
    )


def test_speeds_are_drawn_over_their_requests() -> None:
    _, _, speed = plots_of(subject_of(STREAM), line())
    assert (speed.title, speed.note, speed.tone) == ("output speed", "up to 250/s", "rate")
    assert [(mark.x, mark.end_x, mark.says, mark.place) for mark in speed.marks] == [
        (0, 500_000, "40.0/s over one request", "assistant_text:1"),
        (500_000, 700_000, "250/s over one request", "assistant_text:2"),
    ]
    assert speed.marks[0].y > speed.marks[1].y


def test_without_times_reports_stand_in_their_order() -> None:
    stream = [at(None, usage(0, 1, 1, 2)), at(None, usage(0, 2, 2, 6)), at(None, usage(0, 1, 1, 8))]
    tokens, context = plots_of(subject_of(stream), None)
    assert [x for x, _ in tokens.areas[0].steps] == [WIDTH // 4, WIDTH // 2, WIDTH * 3 // 4]
    assert [mark.x for mark in context.marks] == [WIDTH // 4, WIDTH // 2, WIDTH * 3 // 4]


def test_tokens_of_no_bucket_are_drawn_too() -> None:
    counts = TokenCounts(output=1, total=10)
    stream = [at(0, TokenUsage(session=counts, request=counts))]
    tokens, *_ = plots_of(subject_of(stream), line())
    assert tokens.legend == (("out", "1 out"), ("other", "9 of no kind"))


def test_points_that_no_eye_could_part_become_one() -> None:
    stream = [at(each, usage(0, each % 7, 0, 0)) for each in range(1000)]
    scale = scale_of([START_MS, START_MS + 100_000], [])
    tokens, context = plots_of(subject_of(stream), scale)
    assert len(tokens.areas[0].steps) == len(context.marks) == 10
    assert context.note == "up to 6 tokens"


def test_a_session_that_reports_nothing_has_no_plots() -> None:
    assert plots_of(subject_of([at(0, user())]), line()) == ()


@settings(max_examples=60)
@given(any_streams())
def test_nothing_is_drawn_outside_its_plot(stream: list[Message]) -> None:
    for scale in (line(), None):
        for plot in plots_of(subject_of(stream), scale):
            points = [step for area in plot.areas for step in area.steps]
            points += [(mark.x, mark.y) for mark in plot.marks]
            points += [(mark.end_x, mark.y) for mark in plot.marks]
            assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
