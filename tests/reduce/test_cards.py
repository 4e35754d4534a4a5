"""Closing cards, for good and in show, and who may have spawned a session (rules 2, 19, 20, 28)."""

from __future__ import annotations

import pytest

from refold.folding import idle
from refold.items import ToolCallItem
from refold.reduce.cards import card_item
from refold.session import Session
from tests.notation import RB, RE, A, C, O, S, T, U, X, fold, later, of, pC, pO


def _cards(session: Session) -> list[ToolCallItem]:
    return [item for item in session.items if isinstance(item, ToolCallItem)]


def _closed(session: Session) -> list[tuple[str, bool, str | None]]:
    return [(each.key, each.output_complete, each.output_stop_reason) for each in _cards(session)]


# --- rule 19: closing -----------------------------------------------------------------------------


@pytest.mark.parametrize("end", [X(), U("next")])
def test_running_cards_are_closed_as_aborted(end: object) -> None:
    session = fold(U("q"), C("1"), C("2"), O("2"), end)
    assert _closed(session) == [("tool_call:1", True, "aborted"), ("tool_call:2", True, None)]


def test_a_closed_card_keeps_what_streamed_and_the_reason_it_had() -> None:
    streamed = (pO("1", "start", "part"), pO("1", "stop", "", "timeout"))
    (card,) = _cards(fold(U("q"), C("1"), *streamed, X()))
    assert (card.output, card.output_streaming, card.output_complete) == ("part", False, True)
    assert card.output_stop_reason == "timeout"


def test_a_card_whose_call_is_incomplete_is_no_running_card() -> None:
    (card,) = _cards(fold(U("q"), pC("1", "start", "{"), X()))
    assert (card.call_streaming, card.call_stop_reason) == (False, "aborted")
    assert (card.output_complete, card.output_stop_reason) == (False, None)


def test_a_card_that_stopped_before_the_abort_keeps_floating() -> None:
    session = fold(U("q"), pC("1", "start"), pC("1", "stop"), X(), U("next"))
    assert [item.key for item in session.items][-1] == "tool_call:1"
    assert _cards(session)[0].call_stop_reason is None


def test_calls_closed_early_stand_in_the_order_they_began() -> None:
    session = fold(pC("2", "start"), pC("1", "start"), pC("2", "stop"), pC("2", "start"), X())
    assert [item.key for item in session.items] == ["tool_call:2", "tool_call:1", "abort:1"]


def test_a_complete_places_a_call_that_was_closed_early_at_the_end() -> None:
    session = fold(pC("1", "start"), RE("timeout"), C("1"))
    assert [item.key for item in session.items] == ["reconnect:1", "tool_call:1"]
    assert _cards(session)[0].call_stop_reason is None


def test_pieces_of_a_call_that_was_closed_early_are_orphans_until_it_starts_again() -> None:
    early = (pC("1", "start", "a"), X(), pC("1", "delta", "b"), pC("1", "stop", "c"))
    (card,) = _cards(fold(*early))
    assert (card.arguments_text, card.call_streaming) == ("a", False)
    (card,) = _cards(fold(*early, pC("1", "start", "d"), pC("1", "delta", "e")))
    assert (card.arguments_text, card.call_streaming) == ("de", True)


def test_a_call_that_starts_again_where_it_stands_is_closed_again() -> None:
    session = fold(pC("1", "start", "a"), X(), pC("1", "start", "b"), RE("timeout"))
    (card,) = _cards(session)
    assert (card.call_streaming, card.call_stop_reason) == (False, "aborted")
    assert [item.key for item in session.items] == ["tool_call:1", "abort:1", "reconnect:1"]


# --- rule 20: closed in show ----------------------------------------------------------------------


def test_an_idle_shows_running_cards_closed() -> None:
    session = idle(fold(U("q"), C("1")))
    assert _closed(session) == [("tool_call:1", True, "aborted")]
    assert card_item(session, session.calls.cards["1"]).output_complete is False


def test_a_late_output_settles_a_card_that_an_idle_closed() -> None:
    session = fold(later(5, O("1", "late", "completed")), session=idle(fold(U("q"), C("1"))))
    assert _cards(session) == _cards(fold(U("q"), C("1"), later(5, O("1", "late", "completed"))))


def test_late_pieces_grow_the_card_underneath() -> None:
    resting = idle(fold(U("q"), C("1"), pO("1", "start", "a")))
    session = fold(pO("1", "delta", "b"), session=resting)
    (card,) = _cards(session)
    assert (card.output, card.output_complete, card.output_streaming) == ("ab", True, False)
    assert card_item(session, session.calls.cards["1"]).output_streaming is True


def test_a_steering_opens_what_an_idle_closed() -> None:
    session = fold(later(2, S("go on")), session=idle(fold(U("q"), C("1"))))
    assert _closed(session) == [("tool_call:1", False, None)]
    assert session.task_open


@pytest.mark.parametrize("begin", [RB, U("next")])
def test_what_closes_a_resting_task_for_good_closes_its_cards_for_good(begin: object) -> None:
    session = fold(begin, later(9, O("1", "late")), session=idle(fold(U("q"), C("1"))))
    assert _cards(session)[0].output == "late"
    assert session.calls.cards["1"].reopened is None


def test_an_idle_with_no_task_leaves_cards_open() -> None:
    assert _closed(idle(fold(C("1")))) == [("tool_call:1", False, None)]


def test_idling_twice_is_idling_once() -> None:
    once = idle(fold(U("q"), C("1"), pC("2", "start")))
    assert idle(once) == once


# --- rule 2: who may have spawned a session ---------------------------------------------------------


def _spawned(*payloads: object) -> list[str | None]:
    return [each.subagent_session_id for each in _cards(fold(*payloads))]


def test_the_latest_allowed_call_of_run_subagent_spawned_a_session() -> None:
    calls = (C("1", "run_subagent"), C("2", "run_subagent"), C("3", "exec"))
    assert _spawned(*calls, A("1"), A("2"), A("3"), of("c", T("a"))) == [None, "c", None]


def test_an_earlier_call_that_is_allowed_later_stays_the_earlier() -> None:
    calls = (C("1", "run_subagent"), C("2", "run_subagent"))
    assert _spawned(*calls, A("2"), A("1"), of("c", T("a"))) == [None, "c"]


@pytest.mark.parametrize(
    "why_not",
    [
        (),
        (A("1", "deny"),),
        (A("1"), A("1", "deny")),
        (A("1"), O("1")),
        (A("1"), of("other", T("a"))),
        (A("1"), X()),
    ],
)
def test_a_call_that_may_not_have_spawned_it_did_not(why_not: tuple[object, ...]) -> None:
    session = fold(U("q"), C("1", "run_subagent"), *why_not, of("c", T("a")))
    assert [item.key for item in session.items][-1] == "subagent:c"


def test_a_card_that_only_an_idle_closed_may_still_have_spawned_it() -> None:
    resting = idle(fold(U("q"), C("1", "run_subagent"), A("1")))
    session = fold(of("c", T("a")), session=resting)
    assert _cards(session)[0].subagent_session_id == "c"
