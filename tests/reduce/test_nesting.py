"""Nested sessions and the cards they hang on (reducer.md rules 1-3)."""

from __future__ import annotations

from typing import Any

import pytest

from refold.folding import apply
from refold.items import SubagentItem, ToolCallItem
from refold.json_values import JsonObject
from refold.messages import Message, UnknownPayload
from refold.records import evolve
from refold.session import Session
from refold.state import Meta
from tests.notation import RB, A, C, O, T, U, X, at, fold, later, meta, of, pT, untimed

SPAWN = (C("A", "run_subagent"), C("B", "run_subagent"), A("A"), A("B"))


def _cards(session: Session) -> dict[str, str | None]:
    """Return which session hangs on which card."""
    return {
        item.key.removeprefix("tool_call:"): item.subagent_session_id
        for item in session.items
        if isinstance(item, ToolCallItem)
    }


def _alone(session: Session) -> list[str]:
    return [item.session_id for item in session.items if isinstance(item, SubagentItem)]


def _bindings(session: Session) -> dict[str, str | None]:
    return {name: each.binding for name, each in session.subagents.items()}


def _named(origin: str, name: str) -> Message:
    return of(origin, T("a", names=name))


# --- rule 2: when a session is bound ----------------------------------------------------------------


def test_a_session_exists_from_its_first_message_and_floats_until_it_is_bound() -> None:
    session = fold(of("c", pT("start", "a")), C("1"))
    assert _bindings(session) == {"c": None}
    assert [item.key for item in session.items] == ["tool_call:1", "subagent:c"]


@pytest.mark.parametrize("first", [T("a"), RB, meta(), A("7"), U("x")])
def test_it_is_bound_at_its_first_complete_event_or_session_meta(first: Any) -> None:
    session = fold(of("c", pT("start", "a")), of("c", first), C("1"))
    assert _bindings(session) == {"c": "none"}
    assert [item.key for item in session.items] == ["subagent:c", "tool_call:1"]


def test_an_unknown_message_binds_nothing() -> None:
    unknown = UnknownPayload(category="later", body=JsonObject())
    assert _bindings(fold(of("c", unknown))) == {"c": None}


def test_a_message_of_a_session_inside_it_binds_it_too() -> None:
    session = fold(*SPAWN, of("c/d", T("deep")))
    assert _bindings(session) == {"c": "inferred"}
    assert _bindings(session.subagents["c"]) == {"d": "none"}


def test_sessions_stand_in_the_order_in_which_they_were_bound() -> None:
    session = fold(of("x", pT("start")), of("y", T("a")), of("x", T("b")))
    assert list(session.subagents) == ["y", "x"]
    assert _alone(session) == ["y", "x"]


def test_an_id_with_awkward_characters_is_its_key() -> None:
    session = apply(Session(), Message(payload=T("a"), origin=("a/b#%",)), now_ms=0)
    assert [item.key for item in session.items] == ["subagent:a/b#%"]


# --- explicit -------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_sessions_that_name_their_calls_hang_on_them_in_any_order(order: str) -> None:
    session = fold(*SPAWN, *[_named(f"child{name}", name) for name in order])
    assert _cards(session) == {"A": "childA", "B": "childB"}
    assert set(_bindings(session).values()) == {"explicit"}
    assert _alone(session) == []


def test_a_named_call_needs_neither_an_approval_nor_the_name_run_subagent() -> None:
    session = fold(C("A", "delegate"), O("A"), _named("c", "A"))
    assert _cards(session) == {"A": "c"}


def test_a_card_that_is_placed_later_takes_the_session_that_named_it() -> None:
    session = fold(_named("c", "A"), U("q"))
    assert (_alone(session), _bindings(session)) == (["c"], {"c": "none"})
    session = fold(C("A"), session=session)
    assert (_alone(session), _bindings(session)) == ([], {"c": "explicit"})
    assert _cards(session) == {"A": "c"}


def test_a_card_that_an_output_places_takes_it_too() -> None:
    assert _cards(fold(_named("c", "A"), O("A"))) == {"A": "c"}


def test_a_card_that_still_streams_is_not_placed() -> None:
    from tests.notation import pC

    assert _alone(fold(pC("A", "start"), _named("c", "A"))) == ["c"]
    assert _cards(fold(pC("A", "start"), _named("c", "A"), C("A"))) == {"A": "c"}


def test_a_card_has_one_session_and_a_second_stands_alone() -> None:
    session = fold(*SPAWN, _named("one", "A"), _named("two", "A"))
    assert _cards(session) == {"A": "one", "B": None}
    assert _alone(session) == ["two"]
    assert _bindings(session) == {"one": "explicit", "two": "none"}


def test_of_two_that_wait_for_a_card_the_first_takes_it() -> None:
    session = fold(_named("one", "A"), _named("two", "A"), C("A"))
    assert _cards(session) == {"A": "one"}
    assert _alone(session) == ["two"]


def test_a_session_meta_names_its_call_whenever_it_comes() -> None:
    session = fold(*SPAWN, of("c", T("a")), of("c", meta(names="A")))
    assert _cards(session) == {"A": "c", "B": None}
    assert _bindings(session) == {"c": "explicit"}


def test_a_session_meta_takes_a_session_that_stood_alone_to_its_card() -> None:
    session = fold(of("c", T("a")), C("A"), of("c", meta(names="A")))
    assert (_cards(session), _alone(session)) == ({"A": "c"}, [])


def test_a_session_meta_that_names_a_card_to_come_takes_its_session_off_a_guess() -> None:
    session = fold(*SPAWN, of("c", T("a")), of("c", meta(names="Z")))
    assert _cards(session) == {"A": None, "B": None}
    assert _alone(session) == ["c"]
    assert _cards(fold(C("Z"), session=session)) == {"A": None, "B": None, "Z": "c"}


def test_a_session_is_bound_explicitly_once() -> None:
    session = fold(*SPAWN, _named("c", "A"), of("c", meta(names="B")))
    assert _cards(session) == {"A": "c", "B": None}


def test_only_the_first_message_names_a_call_unless_it_is_a_session_meta() -> None:
    session = fold(*SPAWN, of("c", T("a")), _named("c", "A"))
    assert _cards(session) == {"A": None, "B": "c"}


def test_a_name_of_another_type_names_nothing() -> None:
    odd = evolve(T("a"), extra=JsonObject({"parent_tool_call_id": 7}))
    assert _bindings(fold(*SPAWN, of("c", odd))) == {"c": "inferred"}


def test_a_message_passed_on_names_a_call_inside_the_session_it_passed() -> None:
    session = fold(*SPAWN, of("c", C("A")), _named("c/d", "A"))
    assert _cards(session.subagents["c"]) == {"A": "d"}
    assert _bindings(session) == {"c": "inferred"}


# --- inferred, and none -----------------------------------------------------------------------------


def test_sessions_that_name_nothing_are_guessed_onto_the_latest_call() -> None:
    session = fold(*SPAWN, of("one", T("a")), of("two", T("a")), of("three", T("a")))
    assert _cards(session) == {"A": "two", "B": "one"}
    assert _alone(session) == ["three"]
    assert _bindings(session) == {"one": "inferred", "two": "inferred", "three": "none"}


def test_a_card_that_lost_its_session_may_be_guessed_again() -> None:
    lost = (*SPAWN, of("c", T("a")), of("c", meta(names="A")))
    assert _cards(fold(*lost, of("d", T("a")))) == {"A": "c", "B": "d"}


def test_a_nested_sessions_view_is_never_copied_into_its_card() -> None:
    session = fold(*SPAWN, of("c", T("a")))
    before = session.items[1]
    assert fold(of("c", T("b")), session=session).items[1] is before


# --- rule 3: what a nested session says of itself -----------------------------------------------------


@pytest.mark.parametrize(
    ("agent_state", "agent_id"),
    [
        ("/home/agents/explorer/state", "explorer"),
        ("C:\\agents\\coder\\state", "coder"),
        ("agents/mixed\\state.json", "mixed"),
        ("/agents/x/state/", "x"),
        ("/state", None),
        ("state", None),
        ("", None),
    ],
)
def test_an_agents_id_is_the_directory_of_its_state(agent_state: str, agent_id: str | None) -> None:
    session = fold(of("c", meta(agent_state)))
    assert session.subagents["c"].meta == Meta(
        agent_id=agent_id, provider="p", model_id="m", source="subagent"
    )


def test_the_latest_session_meta_counts() -> None:
    session = fold(of("c", meta(model="m")), of("c", meta(model="n")))
    assert session.subagents["c"].meta.model_id == "n"  # type: ignore[union-attr]


def test_a_session_meta_of_a_session_inside_says_nothing_of_its_parent() -> None:
    session = fold(of("c/d", meta()))
    assert session.subagents["c"].meta is None
    assert session.subagents["c"].subagents["d"].meta is not None


def test_the_main_session_keeps_none() -> None:
    session = fold(meta())
    assert (session.meta, session.nested, session.binding) == (None, False, None)


# --- rule 3: times --------------------------------------------------------------------------------


def _times(*payloads: Any) -> tuple[int | None, int | None]:
    nested = fold(*payloads).subagents["c"]
    return nested.first_ts_ms, nested.last_activity_ts_ms


def test_times_are_those_of_the_whole_subtree() -> None:
    assert _times(of("c", T("a")), later(5, of("c/d", RB)), U("q")) == (at(0), at(5))


def test_the_last_activity_is_the_largest_time() -> None:
    assert _times(later(9, of("c", T("a"))), later(3, of("c", T("b")))) == (at(9), at(9))


def test_a_partial_is_no_first_time_and_moves_the_last_for_a_while() -> None:
    partial = later(20, of("c", pT("start")))
    assert _times(partial) == (None, at(20))
    assert _times(of("c", T("a")), partial) == (at(0), at(20))
    assert _times(of("c", T("a")), partial, later(5, of("c", RB))) == (at(0), at(5))


def test_a_session_meta_is_a_first_time() -> None:
    assert _times(of("c", meta())) == (at(0), at(0))


def test_unknown_times_tell_nothing() -> None:
    assert _times(untimed(of("c", T("a")))) == (None, None)


def test_the_callers_clock_is_kept_beside() -> None:
    session = apply(Session(), of("c", pT("start")), now_ms=5)
    session = apply(session, of("c", T("a")), now_ms=9)
    nested = session.subagents["c"]
    assert (nested.first_seen_local_ms, nested.last_activity_local_ms) == (5, 9)


def test_an_abort_of_the_parent_closes_the_card_not_the_session() -> None:
    session = fold(U("q"), *SPAWN, of("c", U("x")), X())
    assert session.items[2].output_complete is True  # type: ignore[union-attr]
    assert session.subagents["c"].task_open
