"""Which reducer takes which message (reducer.md "Words", rules 1, 4, 20, 35, 36)."""

from __future__ import annotations

from typing import get_args

import pytest

from refold.folding import apply, idle
from refold.json_values import JsonObject
from refold.messages import (
    MAX_HOPS,
    CompletePayload,
    EventPayload,
    InlineData,
    InlineThinking,
    McpConnectBegin,
    Message,
    PartialPayload,
    Payload,
    SessionMeta,
    Subagent,
    UnknownPayload,
)
from refold.reduce.cases import (
    COMPLETES,
    COMPLETES_INSIDE,
    EVENTS,
    PARTIALS,
    PARTIALS_INSIDE,
    role_of,
)
from refold.session import Session
from refold.state import Diagnostics
from refold.views import to_json
from tests.notation import (
    CB,
    CE,
    RB,
    RE,
    TU,
    A,
    K,
    O,
    S,
    T,
    U,
    X,
    at,
    fold,
    later,
    meta,
    of,
    pC,
    pT,
    untimed,
)

# --- the tables -----------------------------------------------------------------------------------


def test_the_tables_cover_the_union() -> None:
    assert set(COMPLETES) == set(COMPLETES_INSIDE) == set(get_args(CompletePayload))
    assert set(PARTIALS) == set(PARTIALS_INSIDE) == set(get_args(PartialPayload))
    assert set(EVENTS) == set(get_args(EventPayload))
    listed = {*COMPLETES, *PARTIALS, *EVENTS, SessionMeta, UnknownPayload}
    assert listed == set(get_args(Payload))


def test_every_partial_has_its_three_events() -> None:
    assert {frozenset(steps) for steps in (*PARTIALS.values(), *PARTIALS_INSIDE.values())} == {
        frozenset({"start", "delta", "stop"})
    }


@pytest.mark.parametrize(
    ("payload", "role"),
    [
        (T("a"), "complete"),
        (InlineData(role="user", data="", mime_type=""), "complete"),
        (RB, "event"),
        (pT("delta"), "partial"),
        (pT("restart"), "unknown"),
        (meta(), "session_meta"),
        (UnknownPayload(category="event_msg", body=JsonObject()), "event"),
        (UnknownPayload(category="model_msg", body=JsonObject()), "unknown"),
        (UnknownPayload(category="later", body=JsonObject()), "unknown"),
    ],
)
def test_a_message_has_one_role(payload: Payload, role: str) -> None:
    assert role_of(payload) == role


# --- what isn't known -----------------------------------------------------------------------------


@pytest.mark.parametrize("category", ["event_msg", "model_msg", "later"])
def test_what_is_not_known_changes_no_item_and_is_counted(category: str) -> None:
    unknown = UnknownPayload(category=category, body=JsonObject({"type": "later"}))
    session = fold(U("q"), unknown, T("a"))
    assert [item.key for item in session.items] == ["user_text:1", "assistant_text:1"]
    assert session.diagnostics == Diagnostics(unknown=1)


def test_an_unlisted_piece_of_a_fragment_is_unknown() -> None:
    session = fold(pT("start", "a"), pT("restart", "b"), pT("delta", "c"))
    assert session.items[0].text == "ac"  # type: ignore[union-attr]
    assert session.diagnostics == Diagnostics(unknown=1)


def test_an_unknown_event_is_still_an_event() -> None:
    """Its time is seen in the task, and it is the previous time."""
    unknown = UnknownPayload(category="event_msg", body=JsonObject())
    session = fold(U("q"), later(5, unknown), later(6, K("hm")), U("next"))
    assert session.items[1].started_at_ms == at(5)  # type: ignore[union-attr]
    assert session.stats.session_elapsed_ms == 6000


def test_an_unknown_message_is_no_event() -> None:
    unknown = UnknownPayload(category="model_msg", body=JsonObject())
    session = fold(U("q"), later(5, unknown), later(6, K("hm")))
    assert session.items[1].started_at_ms == at(0)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "payload",
    [
        InlineData(role="user", data="AA", mime_type="text/plain"),
        InlineThinking(role="assistant", data="AA", mime_type="a/b"),
        Subagent(session_id="c"),
        meta(),
    ],
)
def test_what_renders_nothing_adds_no_item(payload: Payload) -> None:
    session = fold(U("q"), payload)
    assert [item.key for item in session.items] == ["user_text:1"]
    assert session.diagnostics == Diagnostics()


# --- rule 1: the way down --------------------------------------------------------------------------


def test_a_message_with_an_origin_leaves_the_parents_items_alone() -> None:
    before = fold(U("q"), pT("start", "par"))
    after = fold(of("s1", T("child")), session=before)
    assert after.items[0] is before.items[0]
    assert [item.key for item in after.items] == ["user_text:1", "subagent:s1", "assistant_text:1"]
    assert after.items[2] is before.items[1]


def test_each_hop_of_an_origin_is_a_session_deeper() -> None:
    session = fold(of("a/b/c", T("deep")))
    deep = session.subagents["a"].subagents["b"].subagents["c"]
    assert [item.key for item in deep.items] == ["assistant_text:1"]


def test_an_origin_as_long_as_the_bound_is_folded_and_shown() -> None:
    origin = tuple(f"s{depth}" for depth in range(MAX_HOPS))
    session = apply(Session(), Message(payload=T("deep"), origin=origin), now_ms=0)
    view = to_json(session)
    for name in origin:
        view = view["subagents"][name]
    assert view["items"][0]["text"] == "deep"


def test_an_origin_longer_than_the_bound_is_unknown() -> None:
    origin = ("s",) * (MAX_HOPS + 1)
    session = apply(Session(), Message(payload=T("deep"), origin=origin), now_ms=0)
    assert (len(session.items), len(session.subagents)) == (0, 0)
    assert session.diagnostics == Diagnostics(unknown=1)


def test_an_empty_name_is_a_name() -> None:
    session = apply(Session(), Message(payload=T("a"), origin=("",)), now_ms=0)
    assert list(session.subagents) == [""]


# --- rule 20: what closes a resting task for good ----------------------------------------------------


def _resting() -> Session:
    return idle(fold(U("q"), RB, T("a"), RE(), TU(9, 9)))


CLOSING = [RB, U("next"), McpConnectBegin(servers=("a",))]


@pytest.mark.parametrize("begin", [*CLOSING, CB])
def test_what_begins_closes_a_resting_task_for_good(begin: Payload) -> None:
    session = fold(later(9, begin), session=_resting())
    assert session.task is None or not session.task.provisional
    rows = [item for item in session.placed if item.kind == "task_stats"]
    assert len(rows) == 1


@pytest.mark.parametrize(
    "late",
    [T("b"), K("b"), O("7"), RE(), TU(20, 11), X(), A("7"), CE(), of("c", RB), of("c", U("x"))],
)
def test_what_comes_late_still_belongs_to_a_resting_task(late: Payload) -> None:
    session = fold(later(9, late), session=_resting())
    assert session.task is not None
    assert session.task.provisional
    assert not session.task_open


@pytest.mark.parametrize("begin", [RB, McpConnectBegin(servers=("a",))])
def test_what_begins_inside_a_compaction_closes_nothing(begin: Payload) -> None:
    session = fold(later(9, begin), session=idle(fold(U("q"), CB)))
    assert session.task is not None
    assert session.task.provisional


def test_late_messages_move_the_figures_of_the_row_that_stands_there() -> None:
    resting = _resting()
    later_on = fold(later(9, T("b", "completed")), later(9, TU(30, 21)), session=resting)
    (before, after) = (each.items[-1] for each in (resting, later_on))
    assert before.assistant_text == "a"  # type: ignore[union-attr]
    assert after.assistant_text == "a\n\nb"  # type: ignore[union-attr]
    assert after.stats.tokens_delta == 30  # type: ignore[union-attr]
    assert after.key == before.key == "task_stats:1"


def test_a_row_stays_behind_what_comes_late() -> None:
    session = fold(later(9, X()), session=_resting())
    assert [item.key for item in session.items] == [
        "user_text:1",
        "assistant_text:1",
        "abort:1",
        "task_stats:1",
    ]


# --- rules 4 and 36: the previous time ---------------------------------------------------------------


def _previous(*payloads: object) -> int | None:
    return fold(*payloads).previous_ms


def test_completes_and_events_are_the_previous_time() -> None:
    assert _previous(U("q")) == at(0)
    assert _previous(U("q"), RB) == at(1)
    assert _previous(U("q"), CB, T("inside")) == at(2)


def test_nothing_else_is() -> None:
    assert _previous(U("q"), pT("start"), meta(), of("c", T("a")), pC("1", "start")) == at(0)
    assert _previous(U("q"), untimed(RB)) == at(0)
    assert _previous(U("q"), UnknownPayload(category="x", body=JsonObject())) == at(0)


def test_the_previous_time_is_the_last_one_not_the_largest() -> None:
    assert _previous(later(9, U("q")), later(3, RB)) == at(3)


# --- rule 19: what a task has seen -------------------------------------------------------------------


def _elapsed(*payloads: object) -> int:
    return fold(*payloads, later(99, U("next"))).stats.session_elapsed_ms


def test_a_task_lasts_to_the_largest_time_seen() -> None:
    assert _elapsed(U("q"), later(5, T("a")), later(3, K("b"))) == 5000


def test_a_task_lasts_to_its_last_requests_end() -> None:
    assert _elapsed(U("q"), RB, later(3, RE()), later(9, O("1"))) == 3000


def test_an_end_of_unknown_time_ends_nothing() -> None:
    assert _elapsed(U("q"), RB, later(3, RE()), RB, untimed(RE())) == 3000


def test_a_start_of_unknown_time_starts_at_the_first_known_one() -> None:
    assert _elapsed(untimed(U("q")), later(2, RB), later(7, RE())) == 5000


def test_partials_and_session_meta_are_not_seen() -> None:
    assert _elapsed(U("q"), later(50, pT("start")), later(60, meta())) == 0


def test_compactions_are_not_seen_but_for_their_begin() -> None:
    inside = (later(20, T("s")), later(21, RB), later(30, RE()), later(31, CE()))
    assert _elapsed(U("q"), later(5, CB), *inside) == 5000


def test_a_nested_sessions_completes_and_events_are_seen() -> None:
    assert _elapsed(U("q"), later(4, of("c", T("a"))), later(50, of("c", pT("start")))) == 4000
    assert _elapsed(U("q"), later(4, of("c/d", RB)), later(60, of("c", meta()))) == 4000


def test_a_nested_session_is_not_seen_while_compacting() -> None:
    assert _elapsed(U("q"), CB, later(50, of("c", T("a"))), CE()) == 1000


def test_a_summary_text_is_seen() -> None:
    assert _elapsed(U("q"), later(7, U("[context_summary]\nso far"))) == 7000


def test_a_steering_is_seen() -> None:
    assert _elapsed(U("q"), later(7, S("left"))) == 7000


def test_a_clock_that_goes_back_gives_no_negative_time() -> None:
    assert _elapsed(later(9, U("q")), RB, later(3, RE())) == 0
