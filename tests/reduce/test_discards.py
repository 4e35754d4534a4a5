"""What an absorbed message takes with it (reducer.md rule 39)."""

from __future__ import annotations

from typing import Any

import pytest

from refold.folding import absorb, discard, idle
from refold.items import AssistantTextItem, ToolCallItem
from refold.messages import Message
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
    of,
    pC,
    pK,
    pO,
    pT,
)


def _discarded(session: Session, payload: Any) -> Session:
    return discard(session, payload if isinstance(payload, Message) else Message(payload=payload))


def _keys(session: Session) -> list[str]:
    return [item.key for item in session.items]


STREAMING = (pT("start", "te"), pK("start", "th"), pC("1", "start", "{"))


# --- texts and thinkings --------------------------------------------------------------------------


def test_the_pending_fragment_goes_whatever_it_streamed() -> None:
    session = fold(pT("start", "other"), pT("stop"), pK("start", "other"), pK("stop"))
    assert _keys(_discarded(_discarded(session, T("a")), K("b"))) == []


def test_an_open_fragment_goes_if_it_is_a_beginning_of_the_body() -> None:
    session = fold(pT("start", "hel"), pK("start", "hm"))
    assert _keys(_discarded(session, T("hello"))) == ["thinking:1"]
    assert _keys(_discarded(session, K("hm, no"))) == ["assistant_text:1"]


def test_an_open_fragment_that_streams_other_words_stays() -> None:
    session = fold(pT("start", "other"), pK("start", "other"))
    assert _discarded(_discarded(session, T("hello")), K("hello")) == session


def test_a_discarded_fragment_gives_its_number_back() -> None:
    session = _discarded(fold(pT("start", "a")), T("a"))
    assert _keys(fold(T("b"), session=session)) == ["assistant_text:1"]


def test_a_message_with_nothing_that_streams_takes_nothing() -> None:
    session = fold(U("q"), T("a"))
    for payload in (T("a"), K("b"), C("1"), O("1"), RB, RE(), A("1"), TU(1, 1)):
        assert _discarded(session, payload) == session


def test_a_discarded_thinking_takes_the_start_that_was_remembered_for_it() -> None:
    session = _discarded(fold(U("q"), CB, pK("start", "hm")), K("hm"))
    session = fold(CE(), K("ah"), session=session)
    assert session.items[-1].started_at_ms == at(0)  # type: ignore[union-attr]


# --- calls ----------------------------------------------------------------------------------------


def test_a_card_whose_call_is_incomplete_goes() -> None:
    assert _keys(_discarded(fold(pC("1", "start", "{")), C("1"))) == []
    assert _keys(_discarded(fold(pC("1", "start", "x"), pC("1", "stop")), C("1"))) == []


def test_a_card_that_streams_other_arguments_stays() -> None:
    session = fold(pC("1", "start", "x"))
    assert _discarded(session, C("1")) == session


def test_a_card_whose_call_is_complete_stays() -> None:
    session = fold(C("1"))
    assert _discarded(session, C("1")) == session


def test_its_approval_is_kept_for_the_next_card_of_the_id() -> None:
    session = _discarded(fold(pC("1", "start", "{"), A("1", "deny")), C("1"))
    (card,) = fold(C("1"), session=session).items
    assert isinstance(card, ToolCallItem)
    assert (card.decision, card.approval_at_ms) == ("deny", at(1))


def test_of_a_card_that_an_output_placed_only_the_streamed_call_is_taken_back() -> None:
    session = fold(O("1", "kept"), pC("1", "start", "{"), pC("1", "stop", "}"))
    assert list(_discarded(session, C("1")).items) == list(fold(O("1", "kept")).items)


def test_a_discarded_call_takes_the_start_that_was_remembered_for_it() -> None:
    session = _discarded(fold(C("1"), pC("1", "start")), C("1"))
    assert fold(C("1"), session=session).items[1].arg_started_at_ms == at(0)  # type: ignore[union-attr]


# --- outputs --------------------------------------------------------------------------------------


def test_an_incomplete_output_is_cleared() -> None:
    streamed = (pO("1", "start", "part", images=("a",)), pO("1", "stop", "", "failed"))
    session = fold(C("1"), *streamed)
    assert list(_discarded(session, O("1", "whole")).items) == list(fold(C("1")).items)


def test_an_output_that_streams_goes_if_it_is_a_beginning() -> None:
    session = fold(C("1"), pO("1", "start", "par"))
    assert list(_discarded(session, O("1", "part")).items) == list(fold(C("1")).items)
    assert _discarded(session, O("1", "other")) == session


def test_a_complete_output_stays() -> None:
    session = fold(C("1"), O("1"))
    assert _discarded(session, O("1")) == session


# --- what ends all that streams -----------------------------------------------------------------------


@pytest.mark.parametrize("end", [X(), RE("failed"), RE("aborted"), U("q"), I(), CB, CE()])
def test_what_ends_a_stretch_takes_all_that_is_open(end: Any) -> None:
    session = fold(*STREAMING, pT("stop"), pT("start", "a"))
    assert _keys(_discarded(session, end)) == ["assistant_text:1~1"]


@pytest.mark.parametrize("other", [RE(), RB, S("left"), U("[context_summary]"), TU(1, 1), A("9")])
def test_what_ends_nothing_takes_nothing(other: Any) -> None:
    session = fold(*STREAMING)
    assert _discarded(session, other) == session


def test_what_is_pending_stays() -> None:
    pending = (pT("start", "a"), pT("stop"), pC("1", "start"), pC("1", "stop"))
    assert _discarded(fold(*pending), X()) == fold(*pending)


def test_a_compactions_end_takes_what_is_pending_too() -> None:
    """A stream may bring a compaction's text in pieces only, and never its complete."""
    pending = (pT("start", "so far"), pT("stop"), pK("start", "hm"), pK("stop"))
    assert _keys(_discarded(fold(*pending), CE())) == []


def test_an_image_that_joins_a_steering_ends_nothing() -> None:
    session = fold(U("q"), S("look"), pT("start", "a"))
    assert _discarded(session, I()) == session


def test_a_begin_takes_the_streamed_summary_of_the_running_compaction() -> None:
    def summary(*inside: Any) -> str | None:
        session = _discarded(fold(CB, *inside), CB)
        return session.items[0].summary_text  # type: ignore[union-attr]

    assert summary(pT("start", "half")) is None
    assert summary(T("whole")) == "whole"


# --- where ------------------------------------------------------------------------------------------


def test_a_message_takes_what_streamed_in_its_own_session() -> None:
    session = fold(pT("start", "a"), of("c", pT("start", "a")), of("c/d", pT("start", "a")))
    session = _discarded(session, of("c/d", T("a")))
    assert _keys(session) == ["assistant_text:1", "subagent:c"]
    assert _keys(session.subagents["c"]) == ["assistant_text:1", "subagent:d"]
    assert _keys(session.subagents["c"].subagents["d"]) == []


def test_a_session_that_is_not_there_loses_nothing() -> None:
    session = fold(pT("start", "a"))
    assert _discarded(session, of("c", T("a"))) == session


def test_an_absorbed_message_is_counted_where_it_belongs() -> None:
    session = absorb(fold(of("c", T("a"))), of("c", T("a")), behind_load=False)
    assert session.subagents["c"].diagnostics == Diagnostics(duplicate=1)
    assert session.diagnostics == Diagnostics()


def test_an_absorbed_message_behind_the_load_takes_a_resting_back() -> None:
    resting = idle(fold(U("q"), C("1"), T("a")))
    assert not absorb(resting, Message(payload=T("a")), behind_load=False).task_open
    awake = absorb(resting, Message(payload=T("a")), behind_load=True)
    assert awake.task_open
    assert [item.kind for item in awake.items] == ["user_text", "tool_call", "assistant_text"]
    assert awake.items[1].output_complete is False  # type: ignore[union-attr]


def test_a_text_that_was_closed_early_goes_if_the_body_begins_with_it() -> None:
    session = fold(pT("start", "hel"), X())
    assert _keys(_discarded(session, T("hello"))) == ["abort:1"]
    assert _discarded(session, T("other")).items[0] == AssistantTextItem(
        key="assistant_text:1~1", text="hel", stop_reason="aborted", at_ms=at(0)
    )
