"""Texts and thinkings that stream (reducer.md rules 5-7, 14, 15, 36)."""

from __future__ import annotations

import pytest

from refold.folding import idle
from refold.items import AssistantTextItem, Position, ThinkingItem, UserTextItem
from refold.messages import Message, TracePosition, Transport
from refold.records import evolve
from refold.state import Diagnostics
from tests.notation import (
    CB,
    CE,
    RB,
    RE,
    C,
    K,
    O,
    T,
    U,
    X,
    at,
    fold,
    items,
    later,
    pK,
    pT,
    untimed,
)


def text(key: str, body: str, **fields: object) -> AssistantTextItem:
    return AssistantTextItem(key=f"assistant_text:{key}", text=body, **fields)  # type: ignore[arg-type]


def thinking(key: str, body: str, **fields: object) -> ThinkingItem:
    return ThinkingItem(key=f"thinking:{key}", thinking=body, **fields)  # type: ignore[arg-type]


# --- rule 5: pieces -------------------------------------------------------------------------------


def test_a_start_opens_a_streaming_text_with_what_it_carries() -> None:
    assert items(pT("start", "seed")) == [text("1", "seed", streaming=True, at_ms=at(0))]


def test_a_start_opens_a_streaming_thinking_that_knows_when_it_started() -> None:
    assert items(pK("start", "hm")) == [thinking("1", "hm", streaming=True, started_at_ms=at(0))]


def test_deltas_and_the_stop_add_their_content_and_the_stop_ends_streaming() -> None:
    pieces = (pT("start", "a"), pT("delta", "b"), pT("delta", "c"), pT("stop", "d", "completed"))
    assert items(*pieces) == [text("1", "abcd", stop_reason="completed", at_ms=at(0))]


def test_a_stop_settles_a_thinkings_duration_for_the_time_being() -> None:
    pieces = (pK("start"), pK("delta", "hm"), pK("stop"))
    assert items(*pieces) == [thinking("1", "hm", started_at_ms=at(0), duration_ms=2000)]


@pytest.mark.parametrize("piece", [pT("delta", "x"), pT("stop", "x"), pK("delta"), pK("stop")])
def test_a_piece_of_nothing_that_is_open_is_an_orphan(piece: object) -> None:
    session = fold(piece)
    assert list(session.items) == []
    assert session.diagnostics == Diagnostics(orphan=1)


def test_a_piece_behind_its_stop_is_an_orphan() -> None:
    session = fold(pT("start", "a"), pT("stop"), pT("delta", "x"), pT("stop", "y"))
    assert list(session.items) == [text("1", "a", at_ms=at(0))]
    assert session.diagnostics == Diagnostics(orphan=2)


def test_pieces_that_meet_inside_a_surrogate_pair_join_to_the_character() -> None:
    pieces = (
        pT("start", "a\ud83d"),
        pT("delta", "\ude00"),
        pT("delta", "\ud83d"),
        pT("stop", "\ude01"),
    )
    assert items(*pieces) == [text("1", "a\U0001f600\U0001f601", at_ms=at(0))]


def test_a_new_start_forgets_a_pending_fragment_which_keeps_what_it_streamed() -> None:
    pieces = (pT("start", "one"), pT("stop", "", "failed"), pT("start", "two"))
    assert items(*pieces) == [
        text("1~1", "one", stop_reason="failed", at_ms=at(0)),
        text("1", "two", streaming=True, at_ms=at(2)),
    ]


def test_a_new_start_closes_an_open_fragment_early() -> None:
    assert items(pT("start", "one"), pT("start", "two")) == [
        text("1~1", "one", stop_reason="aborted", at_ms=at(0)),
        text("1", "two", streaming=True, at_ms=at(1)),
    ]


def test_an_abort_closes_what_streams_early_as_aborted() -> None:
    pieces = (U("q"), pT("start", "x"), X())
    assert items(*pieces)[1] == text("1~1", "x", stop_reason="aborted", at_ms=at(1))


def test_texts_and_thinkings_stream_side_by_side() -> None:
    pieces = (pT("start", "a"), pK("start", "b"), pT("delta", "a"), pK("delta", "b"))
    assert items(*pieces) == [
        text("1", "aa", streaming=True, at_ms=at(0)),
        thinking("1", "bb", streaming=True, started_at_ms=at(1)),
    ]


def test_any_role_but_the_users_is_the_assistants() -> None:
    odd = evolve(T("a"), role="system")
    assert items(odd) == [text("1", "a", at_ms=at(0))]


# --- rule 6: completes ----------------------------------------------------------------------------


def test_a_complete_settles_the_pending_fragment_whatever_streamed() -> None:
    pieces = (pT("start", "wrong"), pT("stop", "", "failed"), T("right", "completed"))
    assert items(*pieces) == [text("1", "right", stop_reason="completed", at_ms=at(2))]


def test_a_complete_without_a_reason_leaves_none() -> None:
    pieces = (pT("start", "a"), pT("stop", "", "failed"), T("a"))
    assert items(*pieces) == [text("1", "a", at_ms=at(2))]


def test_a_complete_settles_an_open_fragment() -> None:
    assert items(pT("start", "a"), pT("delta", "b"), T("abc")) == [text("1", "abc", at_ms=at(2))]


def test_a_complete_alone_makes_a_placed_item() -> None:
    assert items(T("a", "completed")) == [text("1", "a", stop_reason="completed", at_ms=at(0))]


def test_a_complete_of_unknown_time_leaves_no_time() -> None:
    assert items(pT("start", "a"), untimed(T("a"))) == [text("1", "a")]


def test_a_text_says_where_the_trace_holds_it() -> None:
    transport = Transport(trace_position=TracePosition(file_index=1, ordinal=7))
    message = Message(payload=T("a"), transport=transport)
    position = Position(file_index=1, ordinal=7)
    assert items(message) == [text("1", "a", at_ms=at(0), trace_position=position)]


def test_what_was_closed_early_is_settled_by_a_complete_that_begins_with_it() -> None:
    pieces = (U("q"), RB, pT("start", "Half"), RE("timeout"), T("Half done"))
    assert items(*pieces)[-1] == text("1", "Half done", at_ms=at(4))
    assert len(items(*pieces)) == 3


def test_what_was_closed_early_stays_beside_a_complete_that_begins_otherwise() -> None:
    pieces = (pT("start", "Half"), X(), T("Other"))
    assert items(*pieces)[::2] == [
        text("1~1", "Half", stop_reason="aborted", at_ms=at(0)),
        text("1", "Other", at_ms=at(2)),
    ]


def test_what_was_closed_early_waits_until_its_complete_comes() -> None:
    pieces = (pT("start", "Half"), X(), T("Other"), T("Half done"))
    assert items(*pieces)[1:] == [
        text("1", "Other", at_ms=at(2)),
        text("2", "Half done", at_ms=at(3)),
    ]


def test_what_was_closed_early_waits_no_longer_once_another_starts() -> None:
    pieces = (pT("start", "Half"), X(), pT("start", "H"), pT("stop"), T("H"), T("Half done"))
    assert [item.key for item in items(*pieces)] == [
        "assistant_text:1~1",
        "abort:1",
        "assistant_text:1",
        "assistant_text:2",
    ]


def test_pieces_of_what_was_closed_early_are_orphans() -> None:
    session = fold(pT("start", "Half"), X(), pT("delta", " done"), pT("stop"))
    assert session.items[0] == text("1~1", "Half", stop_reason="aborted", at_ms=at(0))
    assert session.diagnostics == Diagnostics(orphan=2)


# --- rule 7: blank --------------------------------------------------------------------------------


@pytest.mark.parametrize("blank", ["", " ", "\ufeff\n\u3000", "\u2028"])
def test_a_blank_complete_never_shows(blank: str) -> None:
    session = fold(T(blank), K(blank))
    assert list(session.items) == []
    assert session.diagnostics == Diagnostics(blank=2)


@pytest.mark.parametrize("visible", ["\x1c", "\x85", "\u200b"])
def test_what_only_python_takes_for_white_space_shows(visible: str) -> None:
    assert items(T(visible)) == [text("1", visible, at_ms=at(0))]


def test_a_blank_complete_removes_the_fragment_it_would_settle() -> None:
    session = fold(pT("start", "a"), pT("stop"), T(" "), T("b"))
    assert list(session.items) == [text("1", "b", at_ms=at(3))]


def test_a_blank_complete_removes_an_open_fragment_too() -> None:
    session = fold(pT("start", "a"), T(""), pT("delta", "b"))
    assert list(session.items) == []
    assert session.diagnostics == Diagnostics(blank=1, orphan=1)


def test_a_blank_complete_leaves_what_was_closed_early_with_other_words() -> None:
    assert items(pT("start", "a"), X(), T(" "))[0].key == "assistant_text:1~1"


def test_a_blank_fragment_shows_while_it_streams_only() -> None:
    assert items(pT("start", " ")) == [text("1", " ", streaming=True, at_ms=at(0))]
    assert items(pT("start", " "), pT("stop"), T(" ")) == []


# --- rules 14 and 15: order and keys --------------------------------------------------------------


def test_what_streams_stands_behind_all_that_is_placed() -> None:
    session = fold(U("q"), pT("start", "a"), C("1"), O("1"))
    assert [item.key for item in session.items] == [
        "user_text:1",
        "tool_call:1",
        "assistant_text:1",
    ]


def test_a_complete_places_its_fragment_at_the_end() -> None:
    session = fold(pT("start", "a"), C("1"), T("a"), K("b"))
    keys = [item.key for item in session.items]
    assert keys == ["tool_call:1", "assistant_text:1", "thinking:1"]


def test_fragments_float_in_the_order_they_began() -> None:
    session = fold(pK("start"), pT("start"), pT("stop"), pK("stop"))
    assert [item.key for item in session.items] == ["thinking:1", "assistant_text:1"]


def test_what_is_closed_early_stands_where_it_was_closed() -> None:
    session = fold(U("q"), pT("start", "a"), C("1"), RE("failed"), C("2"))
    assert [item.key for item in session.items] == [
        "user_text:1",
        "tool_call:1",
        "assistant_text:1~1",
        "reconnect:1",
        "tool_call:2",
    ]


def test_what_is_closed_early_gives_its_number_back_until_its_complete_comes() -> None:
    begun = (pT("start", "a"), X(), pT("start", "b"), X(), T("c"))
    keys = [item.key for item in items(*begun)]
    assert keys == [
        "assistant_text:1~1",
        "abort:1",
        "assistant_text:1~2",
        "abort:2",
        "assistant_text:1",
    ]
    settled = [item.key for item in items(*begun, T("b!"))]
    assert settled == [
        "assistant_text:1~1",
        "abort:1",
        "abort:2",
        "assistant_text:1",
        "assistant_text:2",
    ]


def test_each_kind_counts_what_it_gave_up_apart() -> None:
    session = fold(pT("start", "a"), pK("start", "b"), X())
    keys = [item.key for item in session.items]
    assert keys == ["assistant_text:1~1", "thinking:1~1", "abort:1"]


def test_a_removed_fragment_gives_its_number_back() -> None:
    session = fold(pK("start", "a"), K(" "), K("b"))
    assert [item.key for item in session.items] == ["thinking:1"]


# --- rule 36: thinking ----------------------------------------------------------------------------


def test_a_thinking_lasts_from_its_start_to_its_complete() -> None:
    pieces = (pK("start"), pK("stop", "hm"), K("hm"))
    assert items(*pieces) == [thinking("1", "hm", started_at_ms=at(0), duration_ms=2000)]


def test_a_thinking_that_never_streamed_started_at_the_previous_time() -> None:
    assert items(U("q"), RB, K("hm"))[1] == thinking(
        "1", "hm", started_at_ms=at(1), duration_ms=1000
    )


def test_the_first_thinking_of_all_has_no_start() -> None:
    assert items(K("hm")) == [thinking("1", "hm")]


def test_neither_partials_nor_session_meta_are_the_previous_time() -> None:
    from tests.notation import meta

    assert items(U("q"), pT("start", "a"), meta(), K("hm"))[1] == thinking(
        "1", "hm", started_at_ms=at(0), duration_ms=3000
    )


def test_a_thinking_of_unknown_time_has_no_duration() -> None:
    pieces = (pK("start"), pK("stop"), untimed(K("hm")))
    assert items(*pieces) == [thinking("1", "hm", started_at_ms=at(0))]


def test_a_clock_that_goes_back_gives_no_negative_duration() -> None:
    assert items(later(9, pK("start")), later(3, K("hm"))) == [
        thinking("1", "hm", started_at_ms=at(9), duration_ms=0)
    ]


def test_a_trace_says_when_a_thinking_started() -> None:
    message = Message(payload=K("hm"), transport=Transport(started_at="2026-07-05T00:00:00.500Z"))
    assert items(U("q"), message)[1] == thinking("1", "hm", started_at_ms=at(0.5), duration_ms=500)


def test_what_streamed_is_believed_before_what_a_trace_says() -> None:
    message = Message(payload=K("hm"), transport=Transport(started_at="2026-07-05T00:00:00.500Z"))
    assert items(U("q"), pK("start"), message)[1] == thinking(
        "1", "hm", started_at_ms=at(1), duration_ms=1000
    )


def test_a_start_without_a_time_leaves_the_previous_time() -> None:
    assert items(U("q"), untimed(pK("start")), K("hm"))[1] == thinking(
        "1", "hm", started_at_ms=at(0), duration_ms=2000
    )


def test_a_start_inside_a_compaction_is_remembered_for_the_next_complete() -> None:
    assert items(U("q"), CB, pK("start"), CE(), K("hm"))[-1] == thinking(
        "1", "hm", started_at_ms=at(2), duration_ms=2000
    )


def test_a_remembered_start_counts_once() -> None:
    assert items(U("q"), CB, pK("start"), CE(), K("hm"), K("ah"))[-1] == thinking(
        "2", "ah", started_at_ms=at(4), duration_ms=1000
    )


# --- rule 19: at rest -----------------------------------------------------------------------------


def test_what_streams_is_closed_at_rest_with_no_task_too() -> None:
    session = idle(fold(pT("start", "a"), pK("start", "b")))
    assert list(session.items) == [
        text("1~1", "a", stop_reason="aborted", at_ms=at(0)),
        thinking("1~1", "b", stop_reason="aborted", started_at_ms=at(1)),
    ]


def test_what_is_pending_at_rest_stays_as_it_is() -> None:
    session = idle(fold(U("q"), pT("start", "a"), pT("stop")))
    assert list(session.items) == [
        UserTextItem(key="user_text:1", text="q", at_ms=at(0)),
        text("1", "a", at_ms=at(1)),
    ]
