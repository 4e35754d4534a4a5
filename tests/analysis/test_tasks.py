"""Tasks and compactions as rows: where they begin and end, and what adds up."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from refold.analysis import CompactionMark, SessionFigures, Tokens, analyse
from refold.analysis.tokens import total_of
from refold.messages import CompactionBegin, CompactionEnd, ImageUrl, Message
from tests.analysis.streams import (
    START_MS,
    at,
    call,
    output,
    request_begin,
    request_end,
    said,
    usage,
    user,
)
from tests.strategies import chaotic_streams, disciplined_streams

BEGIN = CompactionBegin(reason="context", mode="summarize", context=70, turns=3)
END = CompactionEnd(reason="context", mode="summarize", status="completed")


def _main(*messages: Message) -> SessionFigures:
    return analyse(messages).main


def _sum(session: SessionFigures) -> Tokens:
    return total_of(row.usage.tokens for row in session.rows)


def test_tasks_have_ranges_and_times() -> None:
    session = _main(
        at(0, user("first line\nsecond")),
        at(100, request_begin()),
        at(900, request_end()),
        at(950, said()),
        at(2_000, ImageUrl(role="user", image_url="u")),
        at(2_500, said()),
    )
    first, second = session.tasks
    assert (first.ordinal, first.end_ordinal, first.label) == (0, 4, "first line")
    assert (first.begin_ms, first.end_ms) == (START_MS, START_MS + 900)
    assert (first.times.elapsed_ms, first.times.llm_ms, first.times.idle_ms) == (900, 800, 100)
    assert (second.ordinal, second.end_ordinal, second.label) == (4, 6, "(image)")
    assert second.times.elapsed_ms == 500
    assert session.times.elapsed_ms == 1_400
    assert session.wall_ms == 2_500


def test_a_label_is_short_and_one_line() -> None:
    labels = [
        _main(at(0, user(text))).tasks[0].label
        for text in ("  \n hello \n there", "x" * 1_000_000, " ", "")
    ]
    assert labels == ["hello", "x" * 80, "", ""]


def test_a_compaction_inside_a_task_is_a_row_of_its_own_and_joins_in_the_chat() -> None:
    session = _main(
        at(0, user()),
        at(0, request_begin()),
        at(100, call("c")),
        at(100, usage(0, 50, 20, 70)),
        at(100, request_end()),
        at(200, output("c")),
        at(300, BEGIN),
        at(300, request_begin()),
        at(700, usage(0, 70, 5, 145)),
        at(700, request_end()),
        at(800, END),
        at(800, request_begin()),
        at(900, said()),
        at(900, usage(0, 6, 4, 155)),
        at(1_000, request_end()),
    )
    task, compaction = session.tasks
    assert compaction.compaction == CompactionMark(
        reason="context", mode="summarize", context=70, turns=3, inside=0, status="completed"
    )
    assert (compaction.ordinal, compaction.end_ordinal) == (6, 11)
    assert (compaction.times.elapsed_ms, compaction.times.llm_ms) == (500, 400)
    assert task.usage.tokens.total == 80
    assert compaction.usage.tokens.total == task.compactions.tokens.total == 75
    assert task.shown_tokens.total == 155
    assert (task.context, task.requests, compaction.requests) == (10, 2, 1)
    assert (task.times.elapsed_ms, task.times.llm_ms) == (1_000, 300)
    assert (task.times.busy_ms, task.times.idle_ms) == (800, 200)
    assert session.compaction_ms == 500
    assert _sum(session) == session.own.tokens


def test_a_wrap_up_compaction_ends_its_task_and_joins_none() -> None:
    session = _main(
        at(0, user()),
        at(0, request_begin()),
        at(100, said()),
        at(100, usage(0, 50, 20, 70)),
        at(100, request_end()),
        at(300, BEGIN),
        at(300, request_begin()),
        at(700, usage(0, 70, 5, 145)),
        at(700, request_end()),
        at(800, END),
    )
    task, compaction = session.tasks
    assert (task.end_ordinal, compaction.ordinal) == (5, 5)
    assert compaction.compaction is not None
    assert compaction.compaction.inside is None
    assert task.shown_tokens.total == 70
    assert compaction.usage.tokens.total == 75
    assert session.times.elapsed_ms == 100


def test_steering_reopens_what_a_wrap_up_settled() -> None:
    session = _main(
        at(0, user()),
        at(100, said()),
        at(300, BEGIN),
        at(800, END),
        at(900, user("[user_steering]\ngo on\n[/user_steering]")),
        at(1_000, said()),
    )
    assert [(task.label, task.compaction is None) for task in session.tasks] == [
        ("do it", True),
        ("", False),
        ("go on", True),
    ]
    assert session.tasks[2].times.elapsed_ms == 100


def test_a_compaction_that_crashed_hides_no_later_task() -> None:
    session = _main(
        at(0, user()),
        at(100, call("c")),
        at(200, output("c")),
        at(300, BEGIN),
        at(400, request_begin()),
        at(500, user("next")),
        at(600, said()),
    )
    task, compaction, following = session.tasks
    assert compaction.compaction is not None
    assert (compaction.compaction.status, compaction.end_ms) == ("aborted", None)
    assert (task.end_ordinal, compaction.end_ordinal, following.ordinal) == (5, 5, 5)
    assert session.requests[0].end_ms is None


def test_an_end_without_a_begin_is_a_compaction_of_unknown_begin() -> None:
    session = _main(at(0, user()), at(100, END))
    assert session.tasks[1].compaction == CompactionMark(
        reason="context", mode="summarize", context=0, turns=0, inside=0, status="completed"
    )
    assert (session.tasks[1].begin_ms, session.tasks[1].times.elapsed_ms) == (None, 0)


def test_a_stream_without_a_users_message_has_its_figures_outside_all_tasks() -> None:
    session = _main(
        at(0, request_begin()),
        at(100, call("c")),
        at(200, request_end()),
        at(500, output("c")),
        at(900, usage(0, 1, 2, 3)),
        at(1_000, user()),
        at(1_500, said()),
    )
    outside = session.outside
    assert outside is not None
    assert (outside.kind, outside.index, outside.ordinal) == ("outside", None, 0)
    assert (outside.times.elapsed_ms, outside.times.busy_ms, outside.times.llm_ms) == (
        900,
        500,
        200,
    )
    assert (outside.requests, outside.tools, outside.usage.tokens.total) == (1, 1, 3)
    assert (session.times.elapsed_ms, session.all_times.elapsed_ms) == (500, 1_400)
    assert session.output_tps == 10.0


def test_what_ran_outside_leaves_the_tasks_between_out() -> None:
    session = _main(
        at(0, request_begin()),
        at(100, request_end()),
        at(200, user()),
        at(300, said()),
        at(400, BEGIN),
        at(500, END),
        at(700, request_begin()),
        at(900, request_end()),
    )
    assert session.outside is not None
    assert session.outside.times.elapsed_ms == 900 - 200 - 100
    assert session.outside.times.busy_ms == 300


def test_a_session_whose_every_message_has_a_task_has_nothing_outside() -> None:
    assert _main(at(0, user()), at(1, request_begin())).outside is None


def test_llm_time_is_unknown_where_no_request_is_told_to_begin() -> None:
    untold = _main(at(0, user()), at(5, call("c")), at(9, output("c")), at(9, request_end()))
    assert (untold.tasks[0].llm_known, untold.llm_known) == (False, False)
    told = _main(at(0, user()), at(5, request_begin()), at(9, call("c")), at(9, request_end()))
    assert (told.tasks[0].llm_known, told.llm_known) == (True, True)
    assert _main(at(0, user())).llm_known


streams = st.one_of(disciplined_streams(), chaotic_streams(max_size=60))


@settings(max_examples=60)
@given(streams)
def test_time_is_divided_and_never_invented(messages: list[Message]) -> None:
    for session in analyse(messages).sessions:
        for task in session.rows:
            times = task.times
            assert times.busy_ms + times.idle_ms == times.elapsed_ms
            assert times.busy_ms >= 0
            assert times.idle_ms >= 0
            assert 0 <= times.waiting_ms <= times.elapsed_ms
            assert 0 <= times.tools_ms <= times.tools_sum_ms
            assert task.ordinal <= task.end_ordinal <= len(messages)


@settings(max_examples=60)
@given(streams)
def test_rows_add_up_to_the_session(messages: list[Message]) -> None:
    for session in analyse(messages).sessions:
        assert _sum(session) == session.own.tokens
        assert sum(row.requests for row in session.rows) == len(session.requests)
        assert sum(row.tools for row in session.rows) == len(session.tools)
