"""Requests, their failures, and aborts (reducer.md rules 25, 28, 31-33)."""

from __future__ import annotations

from typing import Any

import pytest

from refold.folding import credentials_updated
from refold.items import AbortItem, AssistantTextItem, ReconnectItem, ThinkingItem
from refold.session import Session
from tests.notation import (
    CB,
    CE,
    RB,
    RE,
    TU,
    A,
    C,
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
    pT,
    untimed,
)


def _reconnects(session: Session) -> list[ReconnectItem]:
    return [item for item in session.items if isinstance(item, ReconnectItem)]


def _tps(*payloads: Any) -> float | None:
    session = fold(U("q"), *payloads, U("next"))
    (row,) = [item for item in session.items if item.kind == "task_stats"]
    return row.stats.output_tps  # type: ignore[union-attr]


# --- rule 32: failures ----------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["failed", "timeout", "malformed"])
def test_a_failure_places_a_reconnect(status: str) -> None:
    session = fold(U("q"), RB, RE(status), now_ms=7)
    assert session.items[1] == ReconnectItem(key="reconnect:1", status=status, attempt=1)


@pytest.mark.parametrize("status", ["completed", "aborted", "auth", "odd"])
def test_any_other_status_places_none(status: str) -> None:
    assert [item.kind for item in items(U("q"), RB, RE(status))] == ["user_text"]


def test_a_planned_retry_says_how_long_it_waits_and_since_when() -> None:
    session = fold(RE("failed", retry_in_ms=500), now_ms=77)
    assert _reconnects(session) == [
        ReconnectItem(
            key="reconnect:1", status="failed", attempt=1, planned_delay_ms=500, arrived_at_ms=77
        )
    ]


def test_a_retry_at_once_waits_for_nothing() -> None:
    assert items(RE("failed", retry_in_ms=0)) == [
        ReconnectItem(key="reconnect:1", status="failed", attempt=1)
    ]


def test_attempts_count_up_where_the_events_do_not_say() -> None:
    session = fold(RE("failed"), RE("timeout"), RE("failed", attempt=7), RE("failed"))
    assert [each.attempt for each in _reconnects(session)] == [1, 2, 7, 8]


@pytest.mark.parametrize("between", [RE(), RE("aborted"), RE("auth"), X()])
def test_anything_but_a_failure_begins_the_count_anew(between: Any) -> None:
    session = fold(RE("failed"), RE("failed"), between, RE("failed"))
    assert [each.attempt for each in _reconnects(session)] == [1, 2, 1]


def test_requests_that_begin_do_not_begin_the_count_anew() -> None:
    session = fold(RB, RE("failed"), RB, RE("failed"))
    assert [each.attempt for each in _reconnects(session)] == [1, 2]


@pytest.mark.parametrize("status", ["failed", "timeout", "malformed", "aborted", "auth"])
def test_a_request_that_did_not_complete_closes_what_streams_with_its_status(status: str) -> None:
    streams = (pT("start", "a"), pK("start", "b"), pC("1", "start"))
    found = items(*streams, RE(status))
    assert found[0] == AssistantTextItem(
        key="assistant_text:1~1", text="a", stop_reason=status, at_ms=at(0)
    )
    assert found[1] == ThinkingItem(
        key="thinking:1~1", thinking="b", stop_reason=status, started_at_ms=at(1)
    )
    assert (found[2].call_streaming, found[2].call_stop_reason) == (False, status)  # type: ignore[union-attr]


def test_a_request_that_completed_leaves_what_streams() -> None:
    assert items(pT("start", "a"), RE())[0].streaming is True  # type: ignore[union-attr]


def test_a_retry_is_one_reply_beside_the_closed_attempt() -> None:
    first = (U("q"), RB, pT("start", "Half"), RE("timeout"))
    again = (RB, pT("start", "Half"), pT("delta", " done"), pT("stop"), T("Half done"), RE())
    found = [each for each in items(*first, *again) if isinstance(each, AssistantTextItem)]
    assert [(each.text, each.stop_reason) for each in found] == [
        ("Half", "timeout"),
        ("Half done", None),
    ]


# --- credentials ----------------------------------------------------------------------------------


def test_a_failed_credential_is_kept_with_its_time() -> None:
    assert fold(U("q"), RB, later(5, RE("auth"))).last_auth_failure_ms == at(5)


def test_of_unknown_time_it_takes_the_previous_one_or_none() -> None:
    assert fold(U("q"), untimed(RE("auth"))).last_auth_failure_ms == at(0)
    assert fold(untimed(RE("auth"))).last_auth_failure_ms == 0


def test_a_completed_request_or_a_new_credential_clears_it() -> None:
    failed = fold(RE("auth"))
    assert fold(RE(), session=failed).last_auth_failure_ms is None
    assert credentials_updated(failed).last_auth_failure_ms is None
    assert fold(RE("failed"), session=failed).last_auth_failure_ms == at(0)


def test_credentials_updated_without_need_changes_nothing() -> None:
    session = fold(U("q"))
    assert credentials_updated(session) is session


# --- rules 31 and 33: waiting -----------------------------------------------------------------------


def test_a_request_that_begins_retries() -> None:
    session = fold(RE("failed", retry_in_ms=500), RB, now_ms=9)
    assert _reconnects(session) == [
        ReconnectItem(
            key="reconnect:1", status="failed", attempt=1, retrying=True, planned_delay_ms=500
        )
    ]


def test_only_the_last_reconnect_waits() -> None:
    session = fold(RE("failed", retry_in_ms=5), RE("failed", retry_in_ms=6), RB, now_ms=9)
    assert [each.retrying for each in _reconnects(session)] == [False, True]


def test_nothing_of_the_local_clock_outlives_the_wait() -> None:
    for end in (RB, X(), U("q"), RE("failed")):
        session = fold(RE("failed", retry_in_ms=5), end, now_ms=9)
        assert _reconnects(session)[0].arrived_at_ms is None


def test_a_reconnect_that_was_retried_is_not_given_up() -> None:
    (item,) = _reconnects(fold(RE("failed"), RB, X()))
    assert (item.retrying, item.gave_up) == (True, None)


# --- rule 28: aborts ------------------------------------------------------------------------------


def test_an_abort_is_placed_with_its_reason() -> None:
    assert items(X("user"), X()) == [
        AbortItem(key="abort:1", reason="user"),
        AbortItem(key="abort:2"),
    ]


def test_an_abort_gives_up_a_waiting_reconnect() -> None:
    (item,) = _reconnects(fold(RE("failed", retry_in_ms=5), X(), now_ms=9))
    assert (item.gave_up, item.retrying, item.arrived_at_ms) == (True, False, None)


def test_an_abort_leaves_the_task_open() -> None:
    assert fold(U("q"), RB, X()).task_open


def test_an_abort_concerns_its_own_session_only() -> None:
    session = fold(of("c", pT("start", "a")), of("c", C("1")), pT("start", "b"), X())
    assert session.subagents["c"].items[-1].streaming is True  # type: ignore[union-attr]
    assert session.subagents["c"].items[0].output_complete is False  # type: ignore[union-attr]


def test_an_abort_inside_a_compaction_leaves_it_running() -> None:
    session = fold(U("q"), CB, X())
    assert session.items[1].running is True  # type: ignore[union-attr]
    assert session.items[2] == AbortItem(key="abort:1")


# --- rule 25: tokens per second ---------------------------------------------------------------------


def test_requests_add_up() -> None:
    ran = (later(0, RB), later(2, RE()), later(10, RB), later(13, RE()), TU(0, 0, output=10))
    assert _tps(*ran) == 2.0


def test_a_later_begin_replaces_an_unclosed_one() -> None:
    assert _tps(later(0, RB), later(8, RB), later(10, RE()), TU(0, 0, output=10)) == 5.0


@pytest.mark.parametrize(
    "request_",
    [
        (later(5, RB), later(3, RE())),
        (untimed(RB), later(3, RE())),
        (later(3, RB), untimed(RE())),
        (later(3, RE()),),
        (),
    ],
)
def test_without_time_in_requests_there_is_no_rate(request_: tuple[Any, ...]) -> None:
    assert _tps(*request_, TU(0, 0, output=10)) is None


def test_the_wait_inside_a_request_never_makes_its_time_negative() -> None:
    waited = (later(0, RB), later(1, C("1")), later(60, A("1")), later(10, RE()))
    ran = (*waited, later(61, RB), later(63, RE()), TU(0, 0, output=10))
    assert _tps(*ran) == 5.0


def test_failed_requests_count_too() -> None:
    assert _tps(later(0, RB), later(5, RE("failed")), TU(0, 0, output=10)) == 2.0


def test_a_compactions_requests_do_not_count() -> None:
    inside = (CB, later(10, RB), later(90, RE()), CE())
    assert _tps(later(0, RB), later(5, RE()), *inside, TU(0, 0, output=10)) == 2.0
