"""What happens between a compaction's begin and its end (reducer.md rules 22, 29, 30)."""

from __future__ import annotations

from typing import Any

import pytest

from refold.folding import idle
from refold.items import CompactionItem, ThinkingItem, ToolCallItem
from refold.session import Session
from refold.state import Diagnostics
from tests.notation import (
    CB,
    CE,
    RB,
    RE,
    TU,
    A,
    C,
    I,
    K,
    O,
    S,
    T,
    U,
    X,
    at,
    fold,
    items,
    later,
    of,
    pC,
    pK,
    pO,
    pT,
    untimed,
)

SUMMARY = U("[context_summary]\nso far")
KEPT = (U("q"), RB, C("1"), O("1"), RE())
"""A task that goes on: a tool's output came since the request began."""


def compaction(key: str = "1", **fields: Any) -> CompactionItem:
    return CompactionItem(key=f"compaction:{key}", reason="context", mode="summarize", **fields)


def _compaction(session: Session) -> CompactionItem:
    (item,) = [item for item in session.items if isinstance(item, CompactionItem)]
    return item


def _keys(session: Session) -> list[str]:
    return [item.key for item in session.items]


# --- begin and end --------------------------------------------------------------------------------


def test_a_begin_places_a_running_compaction() -> None:
    assert items(CB) == [compaction(running=True, begin_ts_ms=at(0))]


def test_an_end_closes_it() -> None:
    session = fold(CB, later(4, CE()))
    assert list(session.items) == [
        compaction(status="completed", begin_ts_ms=at(0), duration_ms=4000)
    ]
    assert session.stats.context_stale is True


def test_a_failed_end_says_why_and_leaves_the_context_as_it_was() -> None:
    session = fold(CB, T("half"), CE("failed", "too long"))
    assert list(session.items) == [
        compaction(status="failed", error_message="too long", begin_ts_ms=at(0), duration_ms=2000)
    ]
    assert session.stats.context_stale is False


def test_an_end_without_a_begin_places_a_closed_one() -> None:
    session = fold(CE())
    assert list(session.items) == [compaction(status="completed")]
    assert session.stats.context_stale is True


@pytest.mark.parametrize("times", [(untimed(CB), CE()), (CB, untimed(CE()))])
def test_an_unknown_time_gives_no_duration(times: tuple[Any, Any]) -> None:
    assert _compaction(fold(*times)).duration_ms is None


def test_a_clock_that_goes_back_gives_no_negative_duration() -> None:
    assert _compaction(fold(later(9, CB), later(2, CE()))).duration_ms == 0


def test_a_begin_inside_a_compaction_closes_the_running_one() -> None:
    assert items(CB, T("one"), CB) == [
        compaction(status="aborted", begin_ts_ms=at(0)),
        compaction("2", running=True, begin_ts_ms=at(2)),
    ]


# --- the wrap-up ----------------------------------------------------------------------------------


def test_a_compaction_behind_the_last_text_ends_the_task() -> None:
    session = fold(U("q"), RB, T("a"), RE(), TU(9, 9), CB)
    assert _keys(session) == ["user_text:1", "assistant_text:1", "task_stats:1", "compaction:1"]
    assert not session.task_open


def test_its_begin_counts_as_seen_in_the_task_it_ends() -> None:
    session = fold(U("q"), T("a"), later(6, CB))
    assert session.stats.session_elapsed_ms == 6000


@pytest.mark.parametrize(
    "before",
    [
        (RB, T("a"), O("1")),
        (RB, O("1"), T("a")),
        (RB, T("a"), K("b")),
        (RB, T("a"), C("1")),
        (RB, T("a"), X()),
        (RB,),
    ],
)
def test_any_other_compaction_leaves_the_task_open(before: tuple[Any, ...]) -> None:
    session = fold(U("q"), *before, CB)
    assert session.task_open
    assert _keys(session)[-1] == "compaction:1"


def test_an_output_before_the_last_request_does_not_keep_the_task_open() -> None:
    assert not fold(U("q"), RB, C("1"), O("1"), RB, T("a"), CB).task_open


def test_a_tasks_start_forgets_earlier_outputs() -> None:
    assert not fold(U("q"), RB, O("1"), U("next"), T("a"), CB).task_open


def test_what_floats_or_stands_is_not_the_last_placed_item() -> None:
    assert not fold(U("q"), RB, T("a"), pC("1", "start"), CB).task_open
    assert not fold(U("q"), RB, T("a"), pK("start"), pK("start"), CB).task_open


def test_a_compaction_inside_a_compaction_wraps_nothing_up() -> None:
    assert fold(*KEPT, CB, CB).task_open


def test_a_steering_behind_a_wrap_up_opens_a_task_again() -> None:
    session = fold(U("q"), RB, T("a"), RE(), CB, CE(), later(60, S("go on")), later(63, RB))
    assert session.task_open
    session = fold(later(70, RE()), later(90, U("next")), session=session)
    assert session.stats.session_elapsed_ms == 3000 + 10_000


def test_a_steering_with_no_wrap_up_opens_nothing() -> None:
    assert not fold(S("go on")).task_open


# --- what comes inside ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "inside",
    [
        U("summarize the conversation"),
        SUMMARY,
        S("left"),
        I(),
        K("hm"),
        C("2"),
        pK("start", "x"),
        pC("2", "start", "{"),
    ],
)
def test_completes_and_partials_inside_make_no_item(inside: Any) -> None:
    session = fold(*KEPT, CB, inside)
    assert list(session.items) == [*fold(*KEPT, CB).items]
    assert session.task_open


def test_a_steering_window_is_closed_by_a_compaction() -> None:
    assert _keys(fold(U("q"), S("left"), CB, CE(), I()))[-1] == "user_image:1"


def test_a_request_inside_is_not_timed() -> None:
    inside = (later(10, RB), TU(9, 9, output=50), later(20, RE()))
    session = fold(*KEPT, CB, *inside, CE(), RB, later(30, RE()), later(31, U("next")))
    (row,) = [item for item in session.items if item.kind == "task_stats"]
    assert row.stats.output_tps == 0.0  # type: ignore[union-attr]


def test_a_failure_inside_is_silent() -> None:
    session = fold(*KEPT, CB, RB, RE("auth"), RB, RE("timeout"))
    assert _keys(session)[-1] == "compaction:1"
    assert session.last_auth_failure_ms is None


def test_a_request_inside_retries_a_waiting_reconnect() -> None:
    session = fold(U("q"), RB, RE("timeout"), CB, RB)
    assert session.items[1].retrying is True  # type: ignore[union-attr]


def test_an_output_inside_settles_its_card() -> None:
    session = fold(U("q"), C("1"), CB, O("1", "late", "completed"))
    card = session.items[1]
    assert isinstance(card, ToolCallItem)
    assert (card.output, card.output_complete, card.duration_ms) == ("late", True, 3000)


def test_an_output_inside_for_no_card_is_an_orphan() -> None:
    session = fold(*KEPT, CB, O("99"))
    assert _keys(session) == _keys(fold(*KEPT, CB))
    assert session.diagnostics == Diagnostics(orphan=1)


def test_an_output_inside_does_not_place_a_card_that_floats() -> None:
    session = fold(U("q"), pC("1", "start"), CB, O("1"))
    assert session.items[-1].output_complete is False  # type: ignore[union-attr]


def test_an_output_streams_on_inside() -> None:
    session = fold(U("q"), C("1"), pO("1", "start", "a"), CB, pO("1", "delta", "b"))
    assert session.items[1].output == "ab"  # type: ignore[union-attr]


def test_an_approval_inside_is_never_lost() -> None:
    assert fold(U("q"), C("1"), CB, A("1")).items[1].decision == "allow"  # type: ignore[union-attr]
    session = fold(U("q"), pC("1", "start"), CB, A("1"), C("1"), CE(), C("1"))
    assert session.items[-1].decision == "allow"  # type: ignore[union-attr]


# --- fragments that were open at the begin ----------------------------------------------------------


def test_an_open_fragment_goes_on_receiving_its_deltas() -> None:
    session = fold(
        U("q"), pT("start", "a"), pK("start", "b"), CB, pT("delta", "A"), pK("delta", "B")
    )
    assert [item.text for item in session.items if item.kind == "assistant_text"] == ["aA"]
    assert [item.thinking for item in session.items if isinstance(item, ThinkingItem)] == ["bB"]
    assert _compaction(session).summary_text is None


def test_a_complete_inside_removes_the_fragment_it_would_have_settled() -> None:
    session = fold(U("q"), pT("start", "a"), pK("start", "b"), CB, T("a"), K("b"))
    assert _keys(session) == ["user_text:1", "compaction:1"]


def test_a_complete_inside_removes_a_pending_fragment() -> None:
    session = fold(U("q"), pT("start", "a"), pT("stop"), CB, T("s"), CE(), T("b"))
    assert _keys(session)[-1] == "assistant_text:1"


def test_a_complete_inside_leaves_what_was_closed_early_with_other_words() -> None:
    session = fold(U("q"), pT("start", "a"), X(), CB, T("s"))
    assert "assistant_text:1~1" in _keys(session)


def test_a_complete_call_inside_removes_the_card_that_streamed_it() -> None:
    session = fold(U("q"), pC("1", "start"), CB, C("1"))
    assert _keys(session) == ["user_text:1", "compaction:1"]


def test_a_call_streams_on_inside() -> None:
    session = fold(U("q"), pC("1", "start", "{"), CB, pC("1", "delta", "}"), pC("1", "stop"))
    assert session.items[-1].arguments_text == "{}"  # type: ignore[union-attr]


def test_of_a_card_that_an_output_placed_only_the_streamed_call_is_taken_back() -> None:
    """Its name and its times came with the call."""
    placed = (O("1", "kept"), pC("1", "start", "{"), pC("1", "stop"))
    assert items(*placed, CB, C("1"))[0] == items(O("1", "kept"))[0]


def test_pieces_inside_give_nothing_to_a_card_whose_call_does_not_stream() -> None:
    session = fold(O("1", "kept"), CB, pC("1", "delta", "{"), pC("1", "stop"))
    assert session.items[0] == items(O("1", "kept"))[0]
    assert session.diagnostics == Diagnostics(orphan=3)


# --- the summary ----------------------------------------------------------------------------------


def _summary(*inside: Any) -> str | None:
    return _compaction(fold(*KEPT, CB, *inside)).summary_text


def test_what_streams_is_the_summary_until_the_first_complete_text() -> None:
    streamed = (pT("start", "so"), pT("delta", " f"), pT("stop", "ar"))
    assert _summary(*streamed) == "so far"
    assert _summary(*streamed, T("the whole")) == "the whole"
    assert _summary(*streamed, T("one"), pT("start", "two"), pT("delta", "x")) == "one"


def test_complete_texts_are_joined_by_a_blank_line() -> None:
    assert _summary(T("one"), T("two"), T(" "), T("three")) == "one\n\ntwo\n\nthree"


def test_a_summary_is_unset_while_it_is_empty() -> None:
    assert _summary() is None
    assert _summary(pT("start"), pT("stop")) is None
    assert _summary(T("  ")) is None


def test_a_blank_complete_takes_the_streamed_summary_back() -> None:
    assert _summary(pT("start", "half"), T("")) is None


def test_a_new_start_inside_grows_the_summary() -> None:
    opened = (U("q"), pT("start", "a"), CB, pT("start", "s"), pT("delta", "t"))
    session = fold(*opened)
    assert _compaction(session).summary_text == "st"
    assert session.items[-1].text == "a"  # type: ignore[union-attr]


def test_only_a_completed_compaction_keeps_its_summary() -> None:
    assert _summary(T("one"), CE()) == "one"
    assert _summary(T("one"), CE("failed")) is None
    assert _summary(pT("start", "half"), CE()) == "half"


# --- what an idle shows closed ----------------------------------------------------------------------


def test_an_idle_shows_a_running_compaction_closed() -> None:
    session = idle(fold(*KEPT, CB, T("one")))
    assert _compaction(session) == compaction(status="aborted", begin_ts_ms=at(5))


def test_its_end_still_counts() -> None:
    session = fold(later(9, CE()), session=idle(fold(*KEPT, CB, T("one"))))
    assert _compaction(session) == compaction(
        status="completed", begin_ts_ms=at(5), duration_ms=4000, summary_text="one"
    )


def test_a_summary_goes_on_underneath() -> None:
    session = fold(later(7, T("two")), later(9, CE()), session=idle(fold(*KEPT, CB, T("one"))))
    assert _compaction(session).summary_text == "one\n\ntwo"


# --- a compaction that crashed ----------------------------------------------------------------------


@pytest.mark.parametrize("user", [U("hello?"), I()])
def test_the_user_speaking_inside_a_request_ends_the_compaction(user: Any) -> None:
    session = fold(*KEPT, CB, T("half"), RB, later(9, user), RB, later(12, T("yes")))
    assert _compaction(session) == compaction(status="aborted", begin_ts_ms=at(5))
    assert [item.kind for item in session.items][-2:] == [
        "user_text" if user == U("hello?") else "user_image",
        "assistant_text",
    ]
    assert session.task_open


@pytest.mark.parametrize("inside", [(), (RB, RE()), (RB, RE("failed"))])
def test_a_prompt_outside_the_compactions_requests_ends_nothing(inside: tuple[Any, ...]) -> None:
    session = fold(*KEPT, CB, *inside, U("a corrective note"))
    assert _compaction(session).running is True


def test_a_steering_inside_a_request_of_a_compaction_ends_nothing() -> None:
    assert _compaction(fold(*KEPT, CB, RB, S("left"))).running is True


def test_a_nested_sessions_user_ends_no_compaction_of_its_parent() -> None:
    assert _compaction(fold(*KEPT, CB, RB, of("c", U("x")))).running is True


# --- rule 22: usage -------------------------------------------------------------------------------


def _row(*payloads: Any) -> Any:
    session = fold(*payloads, U("next"))
    return next(item.stats for item in session.items if item.kind == "task_stats")


def test_a_compactions_usage_joins_the_task_at_the_next_requests_end() -> None:
    spent = (*KEPT, TU(10, 10, output=5), CB, RB, TU(30, 20, output=7), RE(), CE())
    assert _row(*spent, RB, RE()).tokens_delta == 30
    assert _row(*spent, RB, RE()).tokens_by_bucket.output == 12
    assert _row(*spent, RB, RE()).context == 10


def test_usage_of_several_requests_inside_adds_up() -> None:
    inside = (RB, TU(20, 10, output=1), RE(), RB, TU(40, 20, output=2), RE())
    row = _row(*KEPT, CB, *inside, CE(), RB, RE())
    assert (row.tokens, row.tokens_delta, row.tokens_by_bucket.output) == (40, 30, 3)


def test_a_compactions_usage_is_dropped_at_the_tasks_end() -> None:
    spent = (*KEPT, TU(10, 10), CB, RB, TU(30, 20), RE(), CE())
    assert _row(*spent).tokens_delta == 10
    assert _row(*spent).tokens == 30


def test_usage_inside_moves_the_session_total_at_once() -> None:
    session = fold(*KEPT, TU(10, 10), CB, TU(30, 20))
    assert session.stats.session_total == 30
    assert session.stats.context_now == 10
