"""The live session, behaviour by behaviour (live.md)."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from refold.folding import replay
from refold.live import (
    ApprovalRequested,
    CredentialsUpdated,
    HistoryFailed,
    LiveState,
    LoadHistory,
    LoadOlder,
    LocalDecision,
    OlderFailed,
    OlderLoaded,
    OlderWanted,
    Page,
    PendingChanged,
    Received,
    ResyncRequired,
    RetryWanted,
    RunningChanged,
    TaskState,
    ViewChanged,
    connect,
)
from refold.live.inputs import Input
from refold.live.machine import CASES
from refold.messages import Message
from refold.views import to_json
from refold.windows import window
from tests.live.sessions import effects_of, keys, live, loaded, received, told
from tests.notation import RB, RE, TU, A, C, T, U, at, later, of, pT, stream

TASK = stream(U("q"), RB, T("a", "completed"), RE())
NEXT = stream(later(10, U("next")), later(11, RB), later(12, T("b", "completed")), later(13, RE()))
IDLE = TaskState(state="idle")
RUNNING = TaskState(state="running")


def test_the_table_covers_the_inputs() -> None:
    assert set(CASES) == set(get_args(Input))


# --- 1: until the history is in ---------------------------------------------------------------------


def test_what_the_stream_brings_waits_for_the_history() -> None:
    state = told(connect(), *received(NEXT))
    assert (state.phase, keys(state)) == ("loading", [])
    assert keys(told(state, loaded(*TASK))) == [
        "user_text:1",
        "assistant_text:1",
        "task_stats:1",
        "user_text:2",
        "assistant_text:2",
    ]


def test_the_running_state_is_shown_at_once() -> None:
    assert effects_of(connect(), RUNNING) == [RunningChanged(running=True)]
    assert told(connect(), RUNNING).running is True


def test_an_overlap_shows_once_whichever_came_first() -> None:
    before = told(connect(), *received(TASK[2:]), loaded(*TASK))
    behind = told(connect(), loaded(*TASK), *received(TASK[2:]))
    assert list(before.items) == list(behind.items) == list(replay(TASK, now_ms=0).items)
    assert before.session.diagnostics.duplicate == behind.session.diagnostics.duplicate == 2


def test_a_stream_that_lags_behind_the_history_doubles_nothing() -> None:
    state = told(connect(), loaded(*TASK, *NEXT), *received([*TASK, *NEXT]))
    assert list(state.items) == list(replay([*TASK, *NEXT], now_ms=0).items)


def test_a_message_behind_the_overlap_is_news_even_if_it_is_equal() -> None:
    again = [NEXT[0], TASK[2]]
    assert keys(told(live(*TASK), *received(again))).count("assistant_text:2") == 1


def test_a_message_that_really_occurs_twice_shows_twice() -> None:
    ok = Message(payload=U("ok"), timestamp=TASK[0].timestamp)
    assert keys(live(ok, ok)) == ["user_text:1", "user_text:2"]
    assert keys(told(live(), *received([ok, ok]))) == ["user_text:1", "user_text:2"]
    assert keys(told(live(ok), *received([ok, ok]))) == ["user_text:1", "user_text:2"]


def test_the_task_that_runs_is_dated_back_by_the_servers_clock() -> None:
    history = loaded(*stream(U("q")), now_ms=100_000, server_now_ms=at(30))
    assert told(connect(), history).session.task_start_local_ms == 70_000


def test_a_redelivery_is_counted_and_not_applied_partials_too() -> None:
    pieces = received(stream(U("q"), pT("start", "a"), pT("delta", "b")))
    state = told(live(), *pieces, *pieces)
    assert state.session.items[1].text == "ab"  # type: ignore[union-attr]
    assert state.redelivered == 3


def test_a_redelivery_is_told_while_the_history_is_awaited_too() -> None:
    pieces = received(stream(U("q"), pT("start", "a"), pT("delta", "b")))
    state = told(connect(), *pieces, *pieces, loaded())
    assert state.session.items[1].text == "ab"  # type: ignore[union-attr]


def test_ids_of_another_epoch_begin_anew() -> None:
    state = told(live(), *received(stream(U("q")), first=5))
    state = told(state, *received(stream(T("a")), first=0, epoch="f"))
    assert (keys(state), state.redelivered) == (["user_text:1", "assistant_text:1"], 0)


@pytest.mark.parametrize(
    "event_id", [None, "", "7", "e-", "-7", "e-x", "e-\u0661", "e-" + "9" * 30]
)
def test_an_unknown_id_tells_no_redelivery(event_id: str | None) -> None:
    message = stream(U("q"))[0]
    twice = [Received(message=message, event_id=event_id)] * 2
    assert keys(told(live(), *twice)) == ["user_text:1", "user_text:2"]


# --- 2: at rest -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "is_open"),
    [
        ((), True),
        ((RUNNING,), True),
        ((IDLE,), False),
        ((RUNNING, IDLE), False),
        ((IDLE, RUNNING), True),
    ],
)
def test_only_the_last_running_state_decides_over_rest(
    said: tuple[Any, ...], is_open: bool
) -> None:
    state = told(connect(), *said, *received(NEXT), loaded(*TASK))
    assert state.session.task_open is is_open


def test_an_idle_in_the_buffer_closes_nothing_in_the_middle() -> None:
    state = told(connect(), *received(TASK), IDLE, *received(NEXT, first=9), RUNNING, loaded())
    assert list(state.items) == list(replay([*TASK, *NEXT], now_ms=0).items)


def test_an_idle_behind_the_load_closes_the_task() -> None:
    state = told(live(*TASK), IDLE)
    assert not state.session.task_open
    assert keys(state)[-1] == "task_stats:1"


# --- 4: resync ------------------------------------------------------------------------------------


def test_a_resync_loads_anew_and_keeps_showing_what_there_was() -> None:
    before = told(live(*TASK), ResyncRequired())
    assert effects_of(live(*TASK), ResyncRequired()) == [LoadHistory(round=1)]
    assert (before.phase, keys(before)) == ("loading", keys(live(*TASK)))
    assert keys(told(before, *received(NEXT))) == keys(live(*TASK))


def test_the_new_history_is_swapped_in_at_once() -> None:
    state = told(live(*TASK), ResyncRequired(), *received(NEXT[1:]), loaded(*NEXT[:2]))
    assert list(state.items) == list(replay(NEXT, now_ms=0).items)


def test_a_resync_clears_the_buffer_and_the_pending_approvals() -> None:
    requested = ApprovalRequested(message=Message(payload=C("1")))
    state = told(connect(), *received(NEXT), requested, ResyncRequired(), loaded(*TASK, round=1))
    assert list(state.items) == list(replay(TASK, now_ms=0).items)
    assert len(state.pending) == 0


def test_local_decisions_survive_a_resync() -> None:
    state = told(live(), LocalDecision(tool_call_id="1"), ResyncRequired())
    state = told(state, loaded(*stream(C("1"), A("1"))))
    assert state.session.items[0].decision_source == "manual"  # type: ignore[union-attr]


def test_late_results_of_an_older_round_are_ignored() -> None:
    state = told(connect(), ResyncRequired())
    assert told(state, loaded(*TASK, round=0)) == state
    assert told(state, HistoryFailed(error="x", round=0)) == state
    assert keys(told(state, loaded(*TASK, round=1))) == keys(live(*TASK))


def test_a_second_history_of_one_round_is_ignored() -> None:
    state = live(*TASK)
    assert told(state, loaded(*NEXT)) is state
    assert told(state, HistoryFailed()) is state


# --- 5: a load that failed --------------------------------------------------------------------------


def test_a_failed_load_says_why_and_goes_on_buffering() -> None:
    state = told(connect(), *received(NEXT[:2]), HistoryFailed(error="gone"))
    assert (state.phase, state.error) == ("failed", "gone")
    assert effects_of(state, RetryWanted()) == [LoadHistory(round=1)]
    state = told(state, RetryWanted(), *received(NEXT[2:], first=2), loaded(*TASK, round=1))
    assert (state.phase, state.error) == ("live", None)
    assert list(state.items) == list(replay([*TASK, *NEXT], now_ms=0).items)


def test_a_retry_without_a_failure_does_nothing() -> None:
    state = connect()
    assert told(state, RetryWanted()) is state
    assert effects_of(state, RetryWanted()) == []


def test_a_retry_goes_into_a_fresh_session() -> None:
    state = told(live(*TASK), ResyncRequired(), HistoryFailed(round=1), RetryWanted())
    assert keys(state) == keys(live(*TASK))
    assert keys(told(state, loaded(*NEXT, round=2))) == keys(live(*NEXT))


# --- 6: approvals ---------------------------------------------------------------------------------


_CALL = C("1")


def _requested(
    payload: Any = _CALL, *through: str, event_id: str | None = None
) -> ApprovalRequested:
    message = stream(payload)[0]
    message = of("/".join(through), message) if through else message
    return ApprovalRequested(message=message, event_id=event_id)


def test_a_request_is_pending_by_its_chain_and_id() -> None:
    state = told(live(), _requested(), _requested(C("2"), "c", "d"))
    assert list(state.pending) == [" 1", "c/d 2"]


def test_a_request_whose_card_is_missing_brings_it_and_the_equal_call_is_absorbed() -> None:
    state = told(live(), _requested())
    assert keys(state) == ["tool_call:1"]
    state = told(state, *received(stream(C("1"))))
    assert keys(state) == ["tool_call:1"]
    assert state.session.diagnostics.duplicate == 1


def test_another_call_of_the_id_is_no_duplicate() -> None:
    state = told(
        live(), _requested(), *received(stream(C("1"))), *received(stream(C("1", "x")), first=1)
    )
    assert keys(state) == ["tool_call:1", "tool_call:1#2"]


def test_a_request_whose_card_is_there_brings_none() -> None:
    assert keys(told(live(*stream(C("1"))), _requested())) == ["tool_call:1"]


def test_a_request_waits_for_the_history_but_is_pending_at_once() -> None:
    state = told(connect(), _requested())
    assert (keys(state), list(state.pending)) == ([], [" 1"])
    assert keys(told(state, loaded(*stream(C("1"))))) == ["tool_call:1"]


def test_a_request_sent_again_is_pending_once() -> None:
    state = told(live(), _requested(), _requested())
    assert (keys(state), list(state.pending)) == (["tool_call:1"], [" 1"])


def test_a_decision_ends_the_request_absorbed_or_not_and_before_the_history_too() -> None:
    decided = stream(C("1"), A("1"))
    assert len(told(live(), _requested(), *received(decided)).pending) == 0
    assert len(told(connect(), _requested(), *received(decided[1:])).pending) == 0
    absorbed = told(connect(), _requested(), *received(decided[1:]), loaded(*decided))
    assert len(absorbed.pending) == 0


def test_a_request_behind_a_decision_is_pending_though_the_decision_is_replayed_later() -> None:
    decision = Received(message=stream(C("1"), A("1"))[1])
    state = told(connect(), _requested(), decision, _requested(), loaded())
    assert list(state.pending) == [" 1"]


def test_a_decision_ends_its_own_request_only() -> None:
    state = told(live(), _requested(), _requested(C("1"), "c"), *received(stream(of("c", A("1")))))
    assert list(state.pending) == [" 1"]


def test_a_request_that_is_no_call_is_none() -> None:
    state = told(live(), _requested(T("a")))
    assert (keys(state), len(state.pending)) == ([], 0)


def test_a_request_delivered_again_is_counted() -> None:
    state = told(live(), _requested(event_id="e-1"), _requested(event_id="e-1"))
    assert state.redelivered == 1


# --- 7: windows -----------------------------------------------------------------------------------

HISTORY = [*TASK, *NEXT, *stream(later(20, U("third")), later(21, TU(9, 9)), later(22, T("c")))]


def _pages() -> tuple[Any, OlderLoaded, OlderLoaded]:
    """Return a history as three pages: the tail, then two older ones."""
    tail, middle = window(HISTORY, 1), window(HISTORY[:8], 1)
    assert (tail.start, middle.start) == (8, 4)
    return (
        loaded(*tail.messages, page=Page(before="8", prior=tail.prior)),
        OlderLoaded(messages=middle.messages, page=Page(before="4", prior=middle.prior)),
        OlderLoaded(messages=tuple(HISTORY[:4])),
    )


def test_older_pages_are_put_in_front_and_never_touch_the_live_part() -> None:
    tail, middle, first = _pages()
    state = told(connect(), tail)
    assert effects_of(state, OlderWanted()) == [LoadOlder(cursor="8", round=0)]
    state = told(state, OlderWanted(), middle)
    assert effects_of(state, OlderWanted()) == [LoadOlder(cursor="4", round=0)]
    whole = told(state, OlderWanted(), first)
    assert whole.session is state.session
    assert list(whole.items) == list(replay(HISTORY, now_ms=0).items)
    assert whole.session.stats == replay(HISTORY, now_ms=0).stats
    assert effects_of(whole, OlderWanted()) == []


def test_one_older_page_is_loaded_at_a_time() -> None:
    state = told(told(connect(), _pages()[0]), OlderWanted())
    assert effects_of(state, OlderWanted()) == []
    failed = told(state, OlderFailed())
    assert effects_of(failed, OlderWanted()) == [LoadOlder(cursor="8", round=0)]


@pytest.mark.parametrize("late", [OlderLoaded(round=7), OlderFailed(round=7)])
def test_late_pages_of_an_older_round_are_ignored(late: Any) -> None:
    state = told(told(connect(), _pages()[0]), OlderWanted())
    assert told(state, late) is state


def test_a_page_that_nobody_waits_for_is_ignored() -> None:
    state = told(connect(), _pages()[0])
    assert told(state, _pages()[1]) is state
    assert told(state, OlderFailed()) is state


def test_older_is_wanted_in_vain_where_nothing_is_older() -> None:
    assert effects_of(live(*TASK), OlderWanted()) == []
    assert effects_of(connect(), OlderWanted()) == []


def _with_older() -> LiveState:
    tail, middle, _ = _pages()
    return told(connect(), tail, OlderWanted(), middle)


def test_on_resync_older_pages_stay_if_the_tail_starts_at_the_same_cursor() -> None:
    state = told(_with_older(), ResyncRequired(), _pages()[0])
    assert list(state.items) == list(_with_older().items)
    assert effects_of(state, OlderWanted()) == [LoadOlder(cursor="4", round=1)]


def test_on_resync_older_pages_go_if_the_tail_reaches_the_beginning() -> None:
    state = told(_with_older(), ResyncRequired(), loaded(*HISTORY))
    assert list(state.items) == list(replay(HISTORY, now_ms=0).items)
    assert (state.older, effects_of(state, OlderWanted())) == ((), [])


def test_on_resync_the_whole_history_is_asked_for_if_pages_would_not_meet() -> None:
    moved = loaded(*HISTORY[4:], page=Page(before="other"))
    state = told(_with_older(), ResyncRequired())
    assert effects_of(state, moved) == [LoadHistory(round=2, whole=True)]
    state = told(state, moved)
    assert list(state.items) == list(_with_older().items)
    state = told(state, loaded(*HISTORY, round=2))
    assert (state.older, list(state.items)) == ((), list(replay(HISTORY, now_ms=0).items))


def test_local_decisions_are_given_to_every_window() -> None:
    history = stream(U("q"), C("1"), A("1"), U("next"), C("2"), A("2"))
    cut = window(history, 1)
    tail = loaded(*cut.messages, page=Page(before="3", prior=cut.prior))
    decided = [LocalDecision(tool_call_id=name) for name in ("1", "2")]
    state = told(connect(), *decided, tail, OlderWanted(), OlderLoaded(messages=tuple(history[:3])))
    cards = [item for item in state.items if item.kind == "tool_call"]
    assert [card.decision_source for card in cards] == ["manual", "manual"]  # type: ignore[union-attr]


# --- this client ----------------------------------------------------------------------------------

FAILED = stream(U("q"), RB, RE("auth"))


def test_new_credentials_clear_a_failure() -> None:
    assert live(*FAILED).session.last_auth_failure_ms == at(2)
    assert told(live(*FAILED), CredentialsUpdated()).session.last_auth_failure_ms is None


def test_new_credentials_are_not_undone_by_a_history_that_does_not_know_of_them() -> None:
    reloaded = told(live(*FAILED), CredentialsUpdated(), ResyncRequired(), loaded(*FAILED))
    assert reloaded.session.last_auth_failure_ms is None
    early = told(connect(), CredentialsUpdated(), loaded(*FAILED))
    assert early.session.last_auth_failure_ms is None


def test_a_failure_behind_new_credentials_counts() -> None:
    again = stream(later(9, RE("auth")))
    state = told(live(*FAILED), CredentialsUpdated(), ResyncRequired(), loaded(*FAILED, *again))
    assert state.session.last_auth_failure_ms == at(9)
    state = told(connect(), CredentialsUpdated(), *received(again), loaded(*FAILED, *again))
    assert state.session.last_auth_failure_ms == at(9)


def test_credentials_with_nothing_to_clear_change_no_view() -> None:
    assert effects_of(live(*TASK), CredentialsUpdated()) == []


def test_a_decision_of_this_client_is_manual() -> None:
    state = told(live(), LocalDecision(tool_call_id="1"), *received(stream(C("1"), A("1"))))
    assert state.session.items[0].decision_source == "manual"  # type: ignore[union-attr]


# --- 8: effects -----------------------------------------------------------------------------------


def test_what_changed_is_told() -> None:
    state = live(*TASK)
    assert effects_of(state, received(NEXT)[0]) == [ViewChanged()]
    assert effects_of(state, _requested()) == [ViewChanged(), PendingChanged()]
    assert effects_of(state, RUNNING) == [RunningChanged(running=True)]
    assert effects_of(told(state, RUNNING), RUNNING) == []
    assert effects_of(told(state, RUNNING), IDLE) == [ViewChanged(), RunningChanged(running=False)]
    assert effects_of(told(connect(), _requested()), ResyncRequired()) == [
        PendingChanged(),
        LoadHistory(round=1),
    ]


def test_what_is_buffered_changes_no_view() -> None:
    assert effects_of(connect(), received(NEXT)[0]) == []


def test_a_redelivery_changes_no_view() -> None:
    state = told(live(), *received(NEXT))
    assert effects_of(state, received(NEXT)[0]) == []


def test_a_state_stays_as_it_was() -> None:
    state = live(*TASK)
    before = to_json(state.session)
    told(state, *received(NEXT), IDLE, ResyncRequired())
    assert to_json(state.session) == before
    assert state == live(*TASK)
