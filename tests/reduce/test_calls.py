"""Calls, decisions and outputs (reducer.md rules 8-12, 25, 27, 36, 37)."""

from __future__ import annotations

from typing import Any

import pytest

from refold.folding import register_decision
from refold.items import ToolCallItem
from refold.messages import Message, Transport
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
    O,
    U,
    at,
    fold,
    items,
    later,
    pC,
    pO,
    untimed,
)


def card(key: str = "1", **fields: Any) -> ToolCallItem:
    return ToolCallItem(
        key=f"tool_call:{key}",
        tool_call_id=fields.pop("tool_call_id", key.partition("#")[0]),
        **fields,
    )


def called(key: str = "1", seconds: float = 0, **fields: Any) -> ToolCallItem:
    """Return a card whose call is complete."""
    given = {"name": "exec", "arguments_text": "{}", "call_started_at_ms": at(seconds), **fields}
    return card(key, call_complete=True, **given)


# --- rule 8: a call streams -----------------------------------------------------------------------


def test_a_start_makes_a_floating_card() -> None:
    assert items(pC("1", "start", "{", tool="read"), C("2"))[1] == card(
        name="read", arguments_text="{", call_streaming=True, arg_started_at_ms=at(0)
    )


def test_deltas_append_and_the_stop_ends_the_call() -> None:
    pieces = (
        pC("1", "start"),
        pC("1", "delta", '{"a"'),
        pC("1", "stop", ":1}", reason="completed"),
    )
    assert items(*pieces) == [
        card(
            name="exec",
            arguments_text='{"a":1}',
            call_stop_reason="completed",
            arg_started_at_ms=at(0),
            call_started_at_ms=at(2),
        )
    ]


def test_a_delta_names_a_card_that_has_no_name_and_no_other() -> None:
    unnamed = (pC("1", "start", tool=""), pC("1", "delta", "a", tool="read"))
    assert items(*unnamed)[0].name == "read"  # type: ignore[union-attr]
    assert items(*unnamed, pC("1", "stop", tool="write"))[0].name == "read"  # type: ignore[union-attr]


def test_another_start_begins_the_arguments_anew() -> None:
    pieces = (pC("1", "start", "old"), pC("1", "stop"), pC("1", "start", "n", tool="read"))
    assert items(*pieces) == [
        card(
            name="read",
            arguments_text="n",
            call_streaming=True,
            arg_started_at_ms=at(0),
            call_started_at_ms=at(1),
        )
    ]


def test_another_start_without_a_name_keeps_the_name() -> None:
    assert items(pC("1", "start"), pC("1", "start", tool=""))[0].name == "exec"  # type: ignore[union-attr]


def test_arguments_start_at_the_first_known_time() -> None:
    pieces = (untimed(pC("1", "start")), pC("1", "start"), pC("1", "start"))
    assert items(*pieces) == [card(name="exec", call_streaming=True, arg_started_at_ms=at(1))]


@pytest.mark.parametrize("event", ["delta", "stop"])
def test_a_piece_of_an_unknown_call_is_an_orphan(event: str) -> None:
    session = fold(*[pC("77", event)] * 3)
    assert list(session.items) == []
    assert session.diagnostics == Diagnostics(orphan=3)


def test_pieces_of_a_complete_call_are_late() -> None:
    session = fold(C("1"), pC("1", "start"), pC("1", "delta", "x"), pC("1", "stop", "y"))
    assert list(session.items) == [called()]
    assert session.diagnostics == Diagnostics(late=3)


# --- rule 9: the complete call --------------------------------------------------------------------


def test_a_complete_settles_its_card_whatever_streamed() -> None:
    pieces = (pC("1", "start", "old"), pC("1", "stop", reason="failed"), C("1", "read", "[]"))
    assert items(*pieces) == [
        called(seconds=2, name="read", arguments_text="[]", arg_started_at_ms=at(0))
    ]


def test_a_complete_alone_takes_the_previous_time_for_its_arguments() -> None:
    assert items(U("q"), C("1"))[1] == called(seconds=1, arg_started_at_ms=at(0))


def test_a_trace_says_when_the_arguments_started() -> None:
    message = Message(payload=C("1"), transport=Transport(started_at="2026-07-05T00:00:00.250Z"))
    assert items(U("q"), message)[1] == called(seconds=1, arg_started_at_ms=at(0.25))


def test_a_call_of_unknown_time_has_none() -> None:
    assert items(untimed(C("1"))) == [called(call_started_at_ms=None)]


def test_an_id_used_again_is_another_call_and_closes_the_old_card() -> None:
    assert items(C("1"), C("1", "read"), O("1", "two")) == [
        called(output_complete=True, output_stop_reason="aborted"),
        called(
            "1#2",
            1,
            name="read",
            arg_started_at_ms=at(0),
            output="two",
            output_complete=True,
            duration_ms=2000,
        ),
    ]


def test_an_id_used_again_leaves_a_finished_card_alone() -> None:
    one = items(C("1"), O("1", "one"))
    assert items(C("1"), O("1", "one"), C("1"))[:1] == one


def test_an_id_may_be_used_a_third_time() -> None:
    assert [item.key for item in items(C("1"), C("1"), C("1"))] == [
        "tool_call:1",
        "tool_call:1#2",
        "tool_call:1#3",
    ]


def test_percent_and_hash_in_ids_are_encoded_in_keys() -> None:
    assert [item.key for item in items(C("a#2"), C("100%"), C(""))] == [
        "tool_call:a%232",
        "tool_call:100%25",
        "tool_call:",
    ]


# --- rule 10: a call that was never run -----------------------------------------------------------


@pytest.mark.parametrize("reason", ["aborted", "malformed", "odd"])
def test_a_call_that_did_not_complete_was_never_run(reason: str) -> None:
    assert items(C("1", reason=reason)) == [
        called(call_stop_reason=reason, output_complete=True, output_stop_reason=reason)
    ]


def test_a_call_that_completed_is_run() -> None:
    assert items(C("1", reason="completed")) == [called(call_stop_reason="completed")]


# --- rule 11: an output streams -------------------------------------------------------------------


def test_an_output_streams_onto_its_card() -> None:
    pieces = (C("1"), pO("1", "start", "a"), pO("1", "delta", "b"))
    assert items(*pieces) == [called(output="ab", output_streaming=True)]


def test_the_stop_of_an_output_settles_the_duration_for_the_time_being() -> None:
    pieces = (C("1"), pO("1", "start"), pO("1", "stop", "x", "failed"))
    assert items(*pieces) == [called(output="x", output_stop_reason="failed", duration_ms=2000)]


def test_an_output_may_start_before_its_call_is_complete() -> None:
    pieces = (pC("1", "start"), pO("1", "start", "x"))
    assert items(*pieces) == [
        card(
            name="exec",
            call_streaming=True,
            arg_started_at_ms=at(0),
            output="x",
            output_streaming=True,
        )
    ]


def test_images_replace_as_a_whole() -> None:
    pieces = (
        C("1"),
        pO("1", "start", images=("a",)),
        pO("1", "delta", images=("b", "c")),
        pO("1", "delta", "x"),
    )
    assert items(*pieces)[0].images == ("b", "c")  # type: ignore[union-attr]
    assert items(*pieces, pO("1", "delta", images=()))[0].images is None  # type: ignore[union-attr]


def test_pieces_of_an_output_that_never_started_are_orphans() -> None:
    session = fold(C("1"), pO("1", "delta", "x"), pO("1", "stop", "y"))
    assert list(session.items) == [called()]
    assert session.diagnostics == Diagnostics(orphan=2)


def test_outputs_of_unknown_calls_make_no_item() -> None:
    session = fold(*[pO("77", "delta", "x")] * 1000, pO("77", "start"), pO("77", "stop"))
    assert list(session.items) == []
    assert session.diagnostics == Diagnostics(orphan=1002)


def test_pieces_of_a_complete_output_are_late() -> None:
    session = fold(C("1"), O("1"), pO("1", "start", "x"), pO("1", "delta", "y"), pO("1", "stop"))
    assert session.items[0] == items(C("1"), O("1"))[0]
    assert session.diagnostics == Diagnostics(late=3)


def test_a_restarted_output_goes_on() -> None:
    pieces = (C("1"), pO("1", "start", "a"), pO("1", "stop"), pO("1", "start", "b"))
    assert items(*pieces) == [called(output="ab", output_streaming=True, duration_ms=2000)]


# --- rule 12: the complete output -----------------------------------------------------------------


def test_a_complete_output_replaces_what_streamed() -> None:
    pieces = (C("1"), pO("1", "start", "part"), pO("1", "stop", "", "failed"), O("1", "whole"))
    assert items(*pieces) == [called(output="whole", output_complete=True, duration_ms=3000)]


def test_a_complete_output_without_images_keeps_those_that_streamed() -> None:
    pieces = (C("1"), pO("1", "start", images=("a",)), O("1", "x"))
    assert items(*pieces)[0].images == ("a",)  # type: ignore[union-attr]
    assert items(*pieces, O("1", "x", images=("b",)))[0].images == ("b",)  # type: ignore[union-attr]


def test_an_output_without_a_card_makes_a_nameless_one() -> None:
    session = fold(U("q"), O("99", "kept", "completed"))
    assert session.items[1] == card(
        "99", output="kept", output_complete=True, output_stop_reason="completed"
    )
    assert session.diagnostics == Diagnostics(orphan=1)


def test_a_call_that_comes_behind_its_output_names_the_card_where_it_stands() -> None:
    assert items(O("1", "early"), U("q"), later(9, C("1"))) == [
        called(
            seconds=9,
            arg_started_at_ms=at(1),
            output="early",
            output_complete=True,
            duration_ms=8000,
        ),
        items(later(1, U("q")))[0],
    ]


def test_an_output_places_a_card_that_floats() -> None:
    session = fold(pC("1", "start"), O("1", "x"), U("q"))
    assert [item.key for item in session.items] == ["tool_call:1", "user_text:1"]


def test_outputs_settle_their_own_cards_in_call_order() -> None:
    session = fold(C("1"), C("2"), C("3"), O("3"), O("1"))
    assert [(each.key, each.output_complete) for each in session.items] == [  # type: ignore[union-attr]
        ("tool_call:1", True),
        ("tool_call:2", False),
        ("tool_call:3", True),
    ]


def test_another_output_for_a_complete_one_replaces_it() -> None:
    assert items(C("1"), O("1", "one"), O("1", "two", "failed"))[0] == called(
        output="two", output_complete=True, output_stop_reason="failed", duration_ms=2000
    )


# --- rule 27: decisions ---------------------------------------------------------------------------


def test_a_decision_goes_on_its_card() -> None:
    assert items(C("1"), A("1", "deny")) == [
        called(decision="deny", decision_source="remote", approval_at_ms=at(1))
    ]


def test_the_first_decision_sets_the_time_and_the_last_decides() -> None:
    assert items(C("1"), A("1", "deny"), A("1", "allow")) == [
        called(decision="allow", decision_source="remote", approval_at_ms=at(1))
    ]


def test_a_decision_of_unknown_time_leaves_the_time_to_the_next() -> None:
    assert items(C("1"), untimed(A("1")), A("1")) == [
        called(decision="allow", decision_source="remote", approval_at_ms=at(2))
    ]


def test_a_decision_made_on_this_client_is_manual_however_often_it_comes() -> None:
    session = register_decision(Session(), "1")
    session = fold(C("1"), A("1"), C("1"), A("1"), C("2"), A("2"), session=session)
    assert [each.decision_source for each in session.items] == ["manual", "manual", "remote"]  # type: ignore[union-attr]


def test_a_decision_is_kept_for_a_card_that_is_still_to_come() -> None:
    assert items(A("1", "deny"), C("1")) == [
        called(
            seconds=1,
            arg_started_at_ms=at(0),
            decision="deny",
            decision_source="remote",
            approval_at_ms=at(0),
        )
    ]


def test_a_kept_decision_is_used_once() -> None:
    assert [each.decision for each in items(A("1"), C("1"), C("1"))] == ["allow", None]  # type: ignore[union-attr]


# --- rule 37: how long a tool took ----------------------------------------------------------------


def test_a_tool_takes_its_arguments_and_its_run() -> None:
    pieces = (pC("1", "start"), later(3, C("1")), later(10, O("1")))
    assert items(*pieces)[0].duration_ms == 10_000  # type: ignore[union-attr]


def test_a_tool_does_not_take_the_wait_for_its_approval() -> None:
    pieces = (pC("1", "start"), later(3, C("1")), later(50, A("1")), later(52, O("1")))
    assert items(*pieces)[0].duration_ms == 5_000  # type: ignore[union-attr]


def test_a_clock_that_goes_back_takes_no_time() -> None:
    pieces = (later(9, pC("1", "start")), later(5, C("1")), later(2, O("1")))
    assert items(*pieces)[0].duration_ms == 0  # type: ignore[union-attr]


def test_a_complete_output_of_unknown_time_leaves_no_duration() -> None:
    pieces = (C("1"), pO("1", "start"), pO("1", "stop"), untimed(O("1")))
    assert items(*pieces)[0].duration_ms is None  # type: ignore[union-attr]


def test_a_nameless_card_has_no_duration_until_its_call_comes() -> None:
    assert items(O("1"))[0].duration_ms is None  # type: ignore[union-attr]
    assert items(later(4, O("1")), later(2, C("1")))[0].duration_ms == 2000  # type: ignore[union-attr]


def test_an_approval_alone_times_a_nameless_card() -> None:
    assert items(A("1"), O("1"))[0].duration_ms == 1000  # type: ignore[union-attr]


# --- rule 36: starts that were ignored -------------------------------------------------------------


def test_a_start_of_a_complete_call_is_remembered_for_the_next_of_its_id() -> None:
    pieces = (C("1"), pC("1", "start"), pC("1", "start"), later(9, C("1")))
    assert items(*pieces)[1] == called("1#2", 9, arg_started_at_ms=at(1))


def test_a_start_inside_a_compaction_is_remembered_for_its_call() -> None:
    pieces = (U("q"), CB, pC("1", "start"), CE(), C("1"), C("1"))
    assert [each.arg_started_at_ms for each in items(*pieces)[2:]] == [at(2), at(4)]  # type: ignore[union-attr]


# --- rule 25: waits for approvals -----------------------------------------------------------------


def _tps(*payloads: Any) -> float | None:
    session = fold(U("q"), *payloads, U("next"))
    (row,) = [item for item in session.items if item.kind == "task_stats"]
    return row.stats.output_tps  # type: ignore[union-attr]


def test_tokens_per_second_leave_the_wait_for_an_approval_out() -> None:
    ran = (later(0, RB), later(5, C("1")), later(60, A("1")), later(60, RE()), TU(0, 0, output=50))
    assert _tps(*ran) == 10.0


def test_a_wait_counts_once_however_often_it_is_decided() -> None:
    decided = (later(60, A("1")), later(70, A("1")))
    ran = (later(0, RB), later(5, C("1")), *decided, later(70, RE()), TU(0, 0, output=150))
    assert _tps(*ran) == 10.0


def test_a_wait_counts_when_the_call_comes_behind_its_decision() -> None:
    ran = (later(0, RB), later(50, A("1")), later(45, C("1")), later(50, RE()), TU(0, 0, output=90))
    assert _tps(*ran) == 2.0


def test_a_wait_outside_any_request_counts_nowhere() -> None:
    ran = (later(0, RB), later(5, C("1")), later(5, RE()), later(60, A("1")), TU(0, 0, output=50))
    assert _tps(*ran) == 10.0
