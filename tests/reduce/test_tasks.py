"""How a task starts, ends, and rests (reducer.md rules 16, 19, 20, 26)."""

from __future__ import annotations

from typing import Any

import pytest

from refold.folding import elapsed_ms, finalize, idle, replay
from refold.items import Position, Stats, TaskStatsItem, TokenBuckets
from refold.messages import Message, TracePosition, Transport
from refold.session import Session
from tests.notation import (
    CB,
    CE,
    RB,
    RE,
    TU,
    C,
    K,
    O,
    S,
    T,
    U,
    X,
    at,
    fold,
    later,
    of,
    pT,
    stream,
)


def _rows(session: Session) -> list[TaskStatsItem]:
    return [item for item in session.items if isinstance(item, TaskStatsItem)]


def _keys(session: Session) -> list[str]:
    return [item.key for item in session.items]


# --- rule 20: the row -----------------------------------------------------------------------------


def test_a_finished_task_leaves_one_row() -> None:
    session = fold(U("q"), RB, T("a", "completed"), TU(9, 7, 4), RE(), U("next"))
    assert _rows(session) == [
        TaskStatsItem(
            key="task_stats:1",
            stats=Stats(
                context=7,
                context_delta=7,
                tokens=9,
                tokens_delta=7,
                elapsed_ms=4000,
                elapsed_delta_ms=4000,
                tokens_by_bucket=TokenBuckets(output=4),
                output_tps=4 / 3,
            ),
            assistant_text="a",
            at_ms=at(2),
            forkable=True,
        )
    ]
    assert _keys(session) == ["user_text:1", "assistant_text:1", "task_stats:1", "user_text:2"]


@pytest.mark.parametrize("said", [(), (K("hm"),), (C("1"),), (pT("start", "a"),), (T(" "),)])
def test_a_task_with_neither_usage_nor_text_leaves_none(said: tuple[Any, ...]) -> None:
    assert _rows(fold(U("q"), *said, U("next"))) == []


def test_texts_are_joined_by_a_blank_line() -> None:
    session = fold(U("q"), T("one"), C("1"), T("two"), U("next"))
    assert _rows(session)[0].assistant_text == "one\n\ntwo"


def test_texts_since_the_last_row_count_whatever_task_they_were_in() -> None:
    session = fold(T("early"), U("q"), U("next"), T("late"), U("third"))
    assert [each.assistant_text for each in _rows(session)] == ["early", "late"]


@pytest.mark.parametrize(
    ("texts", "forkable"),
    [
        ((T("a", "completed"),), True),
        ((T("a"),), False),
        ((T("a", "completed"), T("b", "aborted")), False),
        ((T("a", "aborted"), T("b", "completed")), True),
    ],
)
def test_a_task_can_be_forked_where_its_last_text_completed(
    texts: tuple[Any, ...], forkable: bool
) -> None:
    assert _rows(fold(U("q"), *texts, U("next")))[0].forkable is forkable


def test_a_row_says_when_and_where_its_last_text_came() -> None:
    transport = Transport(trace_position=TracePosition(file_index=1, ordinal=7))
    session = fold(U("q"), T("a"), Message(payload=T("b"), transport=transport), U("next"))
    (row,) = _rows(session)
    assert (row.at_ms, row.fork_position) == (at(2), Position(file_index=1, ordinal=7))


def test_a_row_stands_in_front_of_a_trailing_run_of_compactions() -> None:
    session = fold(U("q"), C("1"), CB, CE(), CB, CE(), T("a"), CB, CE(), CB, CE(), U("next"))
    assert _keys(session) == [
        "user_text:1",
        "tool_call:1",
        "compaction:1",
        "compaction:2",
        "assistant_text:1",
        "task_stats:1",
        "compaction:3",
        "compaction:4",
        "user_text:2",
    ]


def test_a_resting_row_stands_in_front_of_them_too() -> None:
    session = idle(fold(U("q"), TU(9, 9), CB, CE(), CB, CE()))
    assert _keys(session) == ["user_text:1", "task_stats:1", "compaction:1", "compaction:2"]
    assert session.items[1] == _rows(session)[0]


def test_what_stands_behind_a_compaction_does_not_part_the_run() -> None:
    session = fold(U("q"), TU(9, 9), CB, CE(), pT("start", "a"), X(), pT("start", "b"), U("next"))
    assert _keys(session) == [
        "user_text:1",
        "compaction:1",
        "assistant_text:1~1",
        "abort:1",
        "assistant_text:1~2",
        "task_stats:1",
        "user_text:2",
    ]


def test_a_nested_session_has_no_rows() -> None:
    session = fold(of("c", U("q")), of("c", T("a")), of("c", TU(9, 9)), of("c", U("next")))
    assert _keys(session.subagents["c"]) == ["user_text:1", "assistant_text:1", "user_text:2"]
    assert session.subagents["c"].stats.session_elapsed_ms == 2000


# --- rule 19: the end -----------------------------------------------------------------------------


@pytest.mark.parametrize("rest", [idle, finalize])
def test_a_session_at_rest_has_no_open_task(rest: Any) -> None:
    session = rest(fold(U("q"), T("a")))
    assert (session.task_open, session.task_start_local_ms) == (False, None)
    assert _keys(session) == ["user_text:1", "assistant_text:1", "task_stats:1"]


def test_rest_and_the_next_start_give_the_same_row() -> None:
    ran = (U("q"), RB, T("a"), TU(9, 9, 3), RE(), C("1"), O("1"))
    assert _rows(idle(fold(*ran))) == _rows(fold(*ran, later(99, U("next"))))


def test_a_row_is_not_left_twice() -> None:
    resting = idle(idle(fold(U("q"), T("a"))))
    assert _keys(fold(later(9, U("next")), session=resting)) == [
        "user_text:1",
        "assistant_text:1",
        "task_stats:1",
        "user_text:2",
    ]


def test_a_steering_takes_the_closing_back() -> None:
    session = fold(later(9, S("go on")), session=idle(fold(U("q"), T("a"))))
    assert session.task_open
    assert _rows(session) == []


def test_resting_with_no_task_leaves_no_row() -> None:
    assert _rows(idle(fold(T("a"), TU(9, 9)))) == []


def test_an_idle_concerns_its_own_session_only() -> None:
    session = idle(fold(of("c", U("q")), of("c", pT("start", "a")), U("q")))
    assert session.subagents["c"].task_open
    assert session.subagents["c"].items[-1].streaming is True  # type: ignore[union-attr]


# --- rule 26: the running clock ---------------------------------------------------------------------


def test_the_running_task_counts_by_the_callers_clock() -> None:
    session = fold(U("q"), later(5, T("a")), U("next"), now_ms=1000)
    assert elapsed_ms(session, now_ms=4000) == 5000 + 3000
    assert elapsed_ms(session, now_ms=500) == 5000
    assert elapsed_ms(idle(session), now_ms=9000) == 5000


def test_a_replay_dates_the_open_tasks_start_back() -> None:
    history = stream(U("q"), later(5, T("a")))
    assert replay(history, now_ms=100_000).task_start_local_ms == 95_000
    assert replay(history, now_ms=100_000, server_now_ms=at(3)).task_start_local_ms == 95_000
    assert replay(history, now_ms=100_000, server_now_ms=at(60)).task_start_local_ms == 40_000


def test_a_replay_dates_nothing_else_back() -> None:
    assert replay(stream(T("a")), now_ms=9).task_start_local_ms is None
    history = stream(of("c", U("q")), later(5, of("c", T("a"))))
    assert replay(history, now_ms=9).subagents["c"].task_start_local_ms == 9


def test_one_message_is_never_dated_back() -> None:
    assert fold(U("q"), later(50, T("a")), now_ms=7).task_start_local_ms == 7
