"""Lanes: what a session's time line tells, and where its bars lead."""

from __future__ import annotations

from hypothesis import given, settings

from refold.messages import Abort, CompactionBegin, CompactionEnd, Message
from refold.render.report.bars import Bar, Lane, Stripe
from refold.render.report.lanes import lanes_of
from refold.render.report.moments import scale_of
from refold.render.report.subject import subject_of
from tests.analysis.streams import (
    START_MS,
    at,
    call,
    decision,
    golden_stream,
    meta,
    output,
    request_begin,
    request_end,
    said,
    usage,
    user,
)
from tests.strategies import any_streams


def lanes(stream: list[Message]) -> dict[str, Lane]:
    scale = scale_of([START_MS, START_MS + 1000], [])
    assert scale is not None
    return {lane.title: lane for lane in lanes_of(subject_of(stream), scale)}


def span(begin: int, end: int) -> tuple[int, int]:
    return START_MS + begin, START_MS + end


STREAM = [
    at(0, user("Do <it>")),
    at(10, request_begin()),
    at(30, said()),
    at(50, call("a")),
    at(60, usage(0, 5, 20, 25)),
    at(60, request_end()),
    at(100, decision("a")),
    at(300, output("a", "failed")),
    at(310, request_begin()),
    at(400, request_end("timeout", retry_in_ms=50)),
    at(460, request_begin()),
    at(470, request_end()),
    at(480, Abort(reason="enough")),
]


def test_every_kind_of_happening_has_its_lane() -> None:
    assert lanes(STREAM) == {
        "tasks": Lane(
            title="tasks",
            note="1 task",
            bars=(
                Bar(
                    interval=span(0, 470),
                    tone="task",
                    says="task 1: Do <it> · 470 ms",
                    places=("user_text:1",),
                ),
            ),
        ),
        "model": Lane(
            title="model",
            note="3 requests",
            bars=(
                Bar(
                    interval=span(10, 60),
                    tone="model",
                    says="request · 50 ms · 20 tokens out · 400/s · completed",
                    places=("assistant_text:1", "tool_call:a"),
                ),
                Bar(
                    interval=span(310, 400),
                    tone="failed",
                    says="request · 90 ms · timeout",
                    places=("tool_call:a",),
                ),
                Bar(
                    interval=span(460, 470),
                    tone="model",
                    says="request · 10 ms · completed",
                    places=("reconnect:1",),
                ),
            ),
            stripes=(
                Stripe(tone="text", row=0, intervals=(span(10, 30),)),
                Stripe(tone="call", row=0, intervals=(span(30, 50),)),
            ),
        ),
        "exec": Lane(
            title="exec",
            note="1 call · 200 ms",
            bars=(
                Bar(
                    interval=span(100, 300),
                    tone="failed",
                    says="exec · 200 ms · failed",
                    places=("tool_call:a",),
                ),
            ),
        ),
        "approvals": Lane(
            title="approvals",
            note="1 decision · waited 50 ms",
            bars=(
                Bar(
                    interval=span(50, 100),
                    tone="waiting",
                    says="allow exec · waited 50 ms",
                    places=("tool_call:a",),
                ),
            ),
        ),
        "waits for a retry": Lane(
            title="waits for a retry",
            note="1 failed request",
            bars=(
                Bar(
                    interval=span(400, 460),
                    tone="retry",
                    says="timeout, attempt 1 · waited 60 ms",
                    places=("reconnect:1",),
                ),
            ),
        ),
        "aborts": Lane(
            title="aborts",
            note="1 abort",
            bars=(
                Bar(
                    interval=span(480, 480),
                    tone="failed",
                    says="aborted enough",
                    places=("abort:1",),
                ),
            ),
        ),
    }


def test_a_compaction_stands_among_the_tasks() -> None:
    begin = CompactionBegin(reason="context", mode="summarize", context=5, turns=1)
    end = CompactionEnd(reason="context", mode="summarize", status="completed")
    stream = [at(0, user()), at(5, said()), at(10, begin), at(40, end), at(50, said("more"))]
    lane = lanes(stream)["tasks"]
    assert lane.note == "1 task · 1 compaction"
    (compaction,) = [bar for bar in lane.bars if bar.tone == "compaction"]
    assert compaction == Bar(
        interval=span(10, 40),
        tone="compaction",
        says="compaction, context: completed · 30 ms",
        places=("compaction:1",),
        row=compaction.row,
    )


def test_nested_sessions_are_bars_with_what_they_did_inside() -> None:
    lane = lanes(golden_stream("two_parallel_subagents_live"))["nested sessions"]
    assert [bar.places for bar in lane.bars] == [("session1",), ("session2",)]
    assert [bar.row for bar in lane.bars] == [0, 1]
    assert {(stripe.tone, stripe.row) for stripe in lane.stripes} == {
        ("model", 0),
        ("model", 1),
        ("tool", 0),
        ("tool", 1),
    }


def test_where_requests_have_no_times_the_lane_shows_what_was_written() -> None:
    lane = lanes([at(0, meta()), at(0, user()), at(40, said())])["model"]
    assert lane.bars == (
        Bar(interval=span(40, 40), tone="model", says="text", places=("assistant_text:1",)),
    )


def test_many_tools_share_a_lane() -> None:
    stream = [at(0, user())]
    for number in range(15):
        stream += [at(number, call(f"c{number}", f"tool{number:02}")), at(99, output(f"c{number}"))]
    found = lanes(stream)
    assert [title for title in found if title.startswith("tool")] == [
        f"tool{number:02}" for number in range(12)
    ]
    assert found["3 other tools"].note == "3 calls · 258 ms"


@settings(max_examples=60)
@given(any_streams())
def test_any_session_has_lanes_whose_bars_go_forward(stream: list[Message]) -> None:
    for lane in lanes(stream).values():
        assert lane.bars or lane.stripes
        assert all(bar.interval[0] <= bar.interval[1] for bar in lane.bars)
        assert all(bar.row < lane.rows for bar in lane.bars)
