"""Requests, the stretches inside them, and what was tried again."""

from __future__ import annotations

from refold.analysis import Reconnect, Request, Segment, SessionFigures, Tokens, analyse
from refold.messages import Abort, CompactionBegin, CompactionEnd, Message, Thinking
from tests.analysis.streams import (
    START_MS,
    at,
    call,
    decision,
    meta,
    output,
    request_begin,
    request_end,
    said,
    usage,
    user,
)


def _main(*messages: Message) -> SessionFigures:
    return analyse(messages).main


def _thinking(text: str = "hm") -> Thinking:
    return Thinking(role="assistant", thinking=text)


def test_a_request_has_all_its_figures() -> None:
    session = _main(
        at(0, meta()),
        at(0, user()),
        at(100, request_begin()),
        at(1_100, call("c")),
        at(4_100, decision("c")),
        at(4_100, usage(5, 10, 50, 65)),
        at(5_100, request_end()),
    )
    request = Request(
        ordinal=2,
        task=0,
        begin_ms=START_MS + 100,
        end_ms=START_MS + 5_100,
        status="completed",
        wait_ms=3_000,
        tokens=Tokens(cache_read=5, cache_write=10, output=50, total=65),
        provider="p",
        model="m",
    )
    assert session.requests == (request,)
    assert (request.duration_ms, request.active_ms) == (5_000, 2_000)
    assert (request.output_tokens, request.output_tps) == (50, 25.0)


def test_the_humans_wait_is_not_counted_into_the_rate() -> None:
    session = _main(
        at(0, user()),
        at(0, request_begin()),
        at(5_000, call("c")),
        at(60_000, decision("c")),
        at(60_000, usage(0, 0, 100, 100)),
        at(60_000, request_end()),
    )
    assert session.requests[0].output_tps == 20.0
    assert session.tasks[0].output_tps == 20.0


def test_an_unclosed_request_has_no_end() -> None:
    session = _main(
        at(0, user()),
        at(1, request_begin()),
        at(2, request_begin()),
        at(3, user()),
        at(4, request_end()),
    )
    first, second, lone = session.requests
    assert (first.begin_ms, first.end_ms, first.status) == (START_MS + 1, None, None)
    assert (second.begin_ms, second.end_ms, second.status) == (START_MS + 2, None, None)
    assert (lone.begin_ms, lone.end_ms, lone.status) == (None, START_MS + 4, "completed")
    assert [request.begun for request in session.requests] == [True, True, False]
    assert [request.task for request in session.requests] == [0, 0, 1]
    assert all(request.duration_ms is None for request in session.requests)
    assert session.times.llm_ms == 0


def test_segments_run_from_boundary_to_complete_message() -> None:
    session = _main(
        at(0, user()),
        at(100, request_begin()),
        at(300, _thinking("hmm")),
        at(600, said("sure")),
        at(1_000, call("c")),
        at(3_000, decision("c")),
        at(3_500, call("d")),
        at(4_000, request_end()),
        at(5_000, output("c")),
        at(6_000, said("outside a request")),
    )
    assert [
        (each.kind, each.begin_ms, each.duration_ms, each.ordinal, each.characters)
        for each in session.segments
    ] == [
        ("thinking", START_MS + 100, 200, 2, 3),
        ("text", START_MS + 300, 300, 3, 4),
        ("tool_call", START_MS + 600, 400, 4, 2),
        ("tool_call", START_MS + 3_000, 500, 6, 2),
    ]
    assert {each.request for each in session.segments} == {0}


def test_a_segment_of_unknown_time_leaves_the_boundary_where_it_was() -> None:
    session = _main(
        at(0, user()),
        at(100, request_begin()),
        at(None, _thinking()),
        at(400, said()),
    )
    unknown, known = session.segments
    assert unknown == Segment(
        request=0, kind="thinking", begin_ms=START_MS + 100, end_ms=None, ordinal=2, characters=2
    )
    assert (unknown.duration_ms, known.duration_ms) == (None, 300)


def test_a_request_inside_a_compaction_is_its_own() -> None:
    begin = CompactionBegin(reason="context", mode="summarize", context=9, turns=2)
    end = CompactionEnd(reason="context", mode="summarize", status="completed")
    session = _main(
        at(0, user()),
        at(0, request_begin()),
        at(100, call("c")),
        at(100, request_end()),
        at(200, output("c")),
        at(300, begin),
        at(300, request_begin()),
        at(800, said("a summary")),
        at(900, request_end("failed")),
        at(1_000, end),
    )
    outside, inside = session.requests
    assert (outside.compaction, outside.task, outside.duration_ms) == (False, 0, 100)
    assert (inside.compaction, inside.task, inside.duration_ms) == (True, 1, 600)
    assert session.segments[-1].request == 1
    assert session.reconnects == ()
    assert [task.retries for task in session.tasks] == [0, 1]


def test_reconnects_count_attempts_and_real_waits() -> None:
    session = _main(
        at(0, user()),
        at(0, request_begin()),
        at(100, request_end("timeout", retry_in_ms=500)),
        at(700, request_begin()),
        at(800, request_end("failed")),
        at(900, request_begin()),
        at(950, request_end()),
        at(1_000, request_begin()),
        at(1_100, request_end("malformed")),
        at(1_200, Abort(reason="user")),
    )
    first, second, third = session.reconnects
    assert first == Reconnect(
        ordinal=2,
        at_ms=START_MS + 100,
        task=0,
        status="timeout",
        attempt=1,
        planned_delay_ms=500,
        retrying=True,
        retried_ms=START_MS + 700,
    )
    assert (first.wait_ms, second.wait_ms, third.wait_ms) == (600, 100, None)
    assert [each.attempt for each in session.reconnects] == [1, 2, 1]
    assert [each.gave_up for each in session.reconnects] == [False, False, True]
    assert session.tasks[0].retries == 3
    assert [(each.at_ms, each.reason) for each in session.aborts] == [(START_MS + 1_200, "user")]


def test_usage_belongs_to_the_open_request_only() -> None:
    session = _main(
        at(0, user()),
        at(0, request_begin()),
        at(1, usage(1, 0, 2, 3)),
        at(2, usage(1, 0, 3, 7)),
        at(3, request_end()),
        at(4, usage(0, 0, 9, 16)),
    )
    assert session.requests[0].output_tokens == 5
    assert [point.request for point in session.trend] == [0, 0, None]
    assert [point.session_total for point in session.trend] == [3, 7, 16]


def test_a_clock_that_goes_back_gives_no_negative_time() -> None:
    session = _main(
        at(1_000, user()),
        at(900, request_begin()),
        at(500, call("c")),
        at(100, decision("c")),
        at(50, request_end()),
    )
    assert session.requests[0].duration_ms == 0
    assert session.requests[0].output_tps is None
    assert session.segments[0].duration_ms == 0
    assert session.tasks[0].times.elapsed_ms == 0
