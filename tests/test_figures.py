"""The figures of sessions and tasks, each by hand (reducer.md rules 19 to 26)."""

from __future__ import annotations

from typing import Any

from refold.figures import SessionStats, session_stats, stats_row, task_elapsed_ms
from refold.folding import apply, idle, replay
from refold.items import Position, Stats, TaskStatsItem, TokenBuckets
from refold.messages import (
    CompactionBegin,
    CompactionEnd,
    Message,
    RequestBegin,
    RequestEnd,
    Text,
    TokenCounts,
    TokenUsage,
    TracePosition,
    Transport,
)
from refold.records import evolve
from refold.session import Session
from refold.times import format_ms
from tests.payloads import START_MS
from tests.strategies import timed

_DO = Text(role="user", text="do it")
_SAID = Text(role="assistant", text="done", stop_reason="completed")
_USAGE = TokenUsage(
    session=TokenCounts(total=100),
    request=TokenCounts(cache_read=50, cache_write=20, output=30, total=100),
)
_TASK = [_DO, RequestBegin(), _SAID, _USAGE, RequestEnd(status="completed")]
_COMPACTION = [
    CompactionBegin(reason="manual", mode="summarize", context=1, turns=1),
    CompactionEnd(reason="manual", mode="summarize", status="completed"),
]
_STATS = Stats(
    context=100,
    context_delta=100,
    tokens=100,
    tokens_delta=100,
    elapsed_ms=400,
    elapsed_delta_ms=400,
    tokens_by_bucket=TokenBuckets(cache_read=50, cache_write=20, output=30),
    output_tps=30 / 0.3,
)
_ROW = TaskStatsItem(
    key="task_stats:1",
    stats=_STATS,
    assistant_text="done",
    at_ms=START_MS + 200,
    forkable=True,
)


def _fold(payloads: list[Any]) -> Session:
    return replay(timed(payloads), now_ms=0)


def test_an_empty_session_has_no_figures() -> None:
    assert session_stats(Session()) == SessionStats()
    assert stats_row(Session()) is None
    assert task_elapsed_ms(Session()) == 0


def test_a_finished_task_says_what_it_used() -> None:
    session = idle(_fold(_TASK))
    assert session.items[-1] == _ROW
    assert session.stats == SessionStats(context_now=100, session_total=100, session_elapsed_ms=400)


def test_a_task_that_only_an_idle_closed_gives_the_row_of_one_that_ended() -> None:
    rested, ended = idle(_fold(_TASK)), _fold([*_TASK, _DO])
    assert rested.items[-1] == _ROW
    assert ended.items[-2] == _ROW
    assert stats_row(_fold(_TASK)) == _ROW
    assert stats_row(_fold(_TASK), "instead") == evolve(_ROW, assistant_text="instead")


def test_a_second_row_counts_from_the_first() -> None:
    doubled = evolve(_USAGE, session=TokenCounts(total=200))
    second = [doubled if each is _USAGE else each for each in _TASK]
    row = idle(_fold([*_TASK, *second])).items[-1]
    assert row == evolve(
        _ROW,
        key="task_stats:2",
        at_ms=START_MS + 700,
        stats=evolve(_STATS, context_delta=0, tokens=200, tokens_delta=100, elapsed_ms=800),
    )


def test_a_task_without_usage_and_text_shows_no_row() -> None:
    assert stats_row(_fold([_DO, RequestBegin(), RequestEnd(status="completed")])) is None
    assert [item.kind for item in idle(_fold([_DO])).items] == ["user_text"]


def test_a_task_without_usage_shows_its_texts_alone() -> None:
    again = Text(role="assistant", text="and more", stop_reason="aborted")
    assert idle(_fold([_DO, _SAID, again])).items[-1] == TaskStatsItem(
        key="task_stats:1",
        assistant_text="done\n\nand more",
        at_ms=START_MS + 200,
    )


def test_a_row_says_where_its_last_text_stands_in_the_trace() -> None:
    where = Transport(trace_position=TracePosition(file_index=1, ordinal=2))
    stream = timed([_DO, _SAID])
    row = idle(replay([stream[0], evolve(stream[1], transport=where)], now_ms=0)).items[-1]
    assert row == TaskStatsItem(
        key="task_stats:1",
        assistant_text="done",
        at_ms=START_MS + 100,
        forkable=True,
        fork_position=Position(file_index=1, ordinal=2),
    )


def test_no_time_in_requests_gives_no_tokens_per_second() -> None:
    untimed = [Message(payload=payload) for payload in _TASK]
    row = idle(replay(untimed, now_ms=0)).items[-1]
    assert isinstance(row, TaskStatsItem)
    assert row.stats == evolve(_STATS, elapsed_ms=0, elapsed_delta_ms=0, output_tps=None)


def test_a_clock_that_goes_back_takes_no_time() -> None:
    begin = Message(payload=_DO, timestamp=format_ms(START_MS))
    said = Message(payload=_SAID, timestamp=format_ms(START_MS - 5000))
    assert task_elapsed_ms(replay([begin, said], now_ms=0)) == 0


def test_a_row_stands_in_front_of_the_compactions_behind_its_task() -> None:
    session = idle(_fold([*_TASK, *_COMPACTION]))
    assert [item.kind for item in session.items] == [
        "user_text",
        "assistant_text",
        "task_stats",
        "compaction",
    ]


def test_tokens_beyond_any_float_give_no_rate() -> None:
    counts = TokenCounts(output=10**400, total=10**400)
    huge = TokenUsage(session=counts, request=counts)
    row = idle(_fold([_DO, RequestBegin(), huge, RequestEnd(status="completed")])).items[-1]
    assert isinstance(row, TaskStatsItem)
    assert row.stats is not None
    assert (row.stats.tokens, row.stats.output_tps) == (10**400, None)


def test_a_running_task_counts_no_elapsed_time_yet() -> None:
    session = _fold(_TASK)
    assert session.stats == SessionStats(context_now=100, session_total=100)
    later = Message(payload=_SAID, timestamp=format_ms(START_MS + 9000))
    assert task_elapsed_ms(apply(session, later, now_ms=0)) == 400
