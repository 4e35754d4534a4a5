"""Tokens of a session, its tasks and those nested in it (reducer.md rules 21-24)."""

from __future__ import annotations

from typing import Any

from refold.figures import SessionStats
from refold.folding import idle
from refold.items import Stats, TaskStatsItem, TokenBuckets
from tests.notation import RB, RE, TU, T, U, fold, later, of


def _rows(*payloads: Any) -> list[TaskStatsItem]:
    return [each for each in fold(*payloads).items if isinstance(each, TaskStatsItem)]


def test_usage_moves_the_sessions_total_and_its_context() -> None:
    assert fold(TU(50, 20)).stats == SessionStats(session_total=50, context_now=20)
    assert fold(TU(50, 20), TU(70, 30)).stats == SessionStats(session_total=70, context_now=30)


def test_usage_freshens_a_stale_context() -> None:
    from tests.notation import CB, CE

    assert fold(CB, CE(), TU(50, 20)).stats == SessionStats(session_total=50, context_now=20)


def test_the_sessions_total_is_the_last_and_requests_add_up() -> None:
    (row,) = _rows(U("q"), TU(10, 10, 1, 2, 3), TU(30, 20, 4, 5, 6), U("next"))
    assert row.stats == Stats(
        context=20,
        context_delta=20,
        tokens=30,
        tokens_delta=30,
        elapsed_ms=2000,
        elapsed_delta_ms=2000,
        tokens_by_bucket=TokenBuckets(cache_read=7, cache_write=9, output=5),
    )


def test_nested_usage_counts_for_its_task_and_for_subagents_at_any_depth() -> None:
    session = fold(U("q"), TU(10, 10), of("a", TU(900, 5, 2)), of("a/b", TU(900, 7, 3)), U("next"))
    (row,) = [each for each in session.items if isinstance(each, TaskStatsItem)]
    assert session.stats.subagent_total == 12
    assert row.stats is not None
    assert (row.stats.tokens, row.stats.tokens_delta, row.stats.context) == (22, 22, 10)
    assert row.stats.tokens_by_bucket == TokenBuckets(output=5)


def test_a_nested_session_counts_its_own_and_those_below_it() -> None:
    session = fold(of("a", TU(900, 5)), of("a/b", TU(800, 7)))
    nested = session.subagents["a"]
    assert nested.stats == SessionStats(session_total=900, context_now=5, subagent_total=7)
    assert nested.subagents["b"].stats == SessionStats(session_total=800, context_now=7)


def test_nested_usage_alone_is_usage() -> None:
    (row,) = _rows(U("q"), of("a", TU(900, 5)), U("next"))
    assert row.stats is not None
    assert (row.stats.tokens_delta, row.stats.context) == (5, 0)


def test_nested_output_counts_for_no_rate_of_the_parent() -> None:
    ran = (U("q"), RB, of("a", TU(900, 5, 50)), later(2, TU(0, 0, 10)), later(6, RE()), U("next"))
    (row,) = _rows(*ran)
    assert row.stats is not None
    assert row.stats.output_tps == 2.0


def test_usage_with_no_task_belongs_to_none() -> None:
    session = fold(TU(10, 10), of("a", TU(9, 5)), U("q"), T("a"), U("next"))
    (row,) = [each for each in session.items if isinstance(each, TaskStatsItem)]
    assert row.stats is None
    assert session.stats == SessionStats(
        session_total=10, context_now=10, subagent_total=5, session_elapsed_ms=1000
    )


def test_late_usage_belongs_to_the_task_that_rests() -> None:
    resting = idle(fold(U("q"), TU(10, 10)))
    late = fold(later(9, TU(15, 5)), later(9, of("a", TU(9, 2))), session=resting)
    row = late.items[-1]
    assert isinstance(row, TaskStatsItem)
    assert row.stats is not None
    assert (row.stats.tokens, row.stats.tokens_delta) == (17, 17)


def test_context_is_measured_against_the_last_row_that_had_figures() -> None:
    ran = (U("1"), TU(10, 10), U("2"), T("no usage"), U("3"), TU(20, 4), U("4"))
    deltas = [each.stats and each.stats.context_delta for each in _rows(*ran)]
    assert deltas == [10, None, -6]


def test_rows_count_up_over_the_session() -> None:
    ran = (later(0, U("1")), later(3, TU(10, 10)), later(5, U("2")), later(9, TU(30, 20)))
    rows = [each.stats for each in _rows(*ran, later(9, U("3"))) if each.stats is not None]
    assert [(each.elapsed_ms, each.elapsed_delta_ms) for each in rows] == [
        (3000, 3000),
        (7000, 4000),
    ]
    assert [(each.tokens, each.tokens_delta) for each in rows] == [(10, 10), (30, 20)]
