"""A loaded history and what the stream brought meanwhile, in one session."""

from __future__ import annotations

from refold.folding import replay
from refold.live import LiveState, Page, TaskState, connect
from refold.live.loading import decided, load
from refold.maps import EMPTY_MAP
from refold.session import Session
from refold.windows import close_window, prior_of
from tests.live.sessions import keys, loaded, received, told
from tests.notation import RB, TU, A, C, T, U, fold, later, stream

TASK = stream(U("q"), RB, TU(9, 9), T("a"))


def test_a_page_goes_on_from_what_stands_in_front_of_it() -> None:
    prior = prior_of(close_window(replay(TASK, now_ms=0)))
    page = loaded(
        *stream(later(9, U("next")), later(10, T("b"))), page=Page(before="x", prior=prior)
    )
    state = load(connect(), page)
    assert keys(state) == ["user_text:2", "assistant_text:2"]
    assert state.session.stats.session_total == 9


def test_what_was_buffered_goes_in_behind_the_history_and_is_gone() -> None:
    state = told(connect(), *received(TASK[2:]), TaskState(state="running"))
    state = load(state, loaded(*TASK[:2]))
    assert (state.phase, len(state.buffer)) == ("live", 0)
    assert list(state.items) == list(replay(TASK, now_ms=0).items)


def test_decisions_are_told_to_a_session() -> None:
    session = decided(Session(), EMPTY_MAP.put("1", True))
    session = fold(C("1"), A("1"), session=session)
    assert session.items[0].decision_source == "manual"  # type: ignore[union-attr]
    assert decided(Session(), EMPTY_MAP) == Session()


def test_items_are_those_of_all_that_is_loaded_oldest_first() -> None:
    older = (close_window(fold(U("one"))), close_window(fold(U("two"))))
    state = LiveState(session=fold(U("three")), older=older)
    assert [item.text for item in state.items] == ["one", "two", "three"]  # type: ignore[union-attr]
