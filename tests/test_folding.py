"""What a session takes in."""

from __future__ import annotations

from typing import Any

import pytest

from refold.decode import decode, encode
from refold.errors import DecodeError
from refold.folding import (
    absorb,
    apply,
    credentials_updated,
    decoded,
    discard,
    finalize,
    idle,
    register_decision,
    replay,
)
from refold.messages import Message
from refold.session import Session
from refold.views import settled
from tests.notation import A, C, T, U, at, fold, of, pT, stream

RAW: dict[str, Any] = {
    "timestamp": "2026-07-05T00:00:00.000Z",
    "type": "model_msg",
    "payload": {"type": "text", "role": "user", "text": "q"},
}


def test_a_raw_object_is_decoded_first() -> None:
    assert apply(Session(), RAW, now_ms=5) == apply(Session(), decode(RAW), now_ms=5)
    assert replay([RAW], now_ms=5) == replay([decode(RAW)], now_ms=5)
    assert discard(fold(pT("start", "a")), encode(stream(T("a"))[0])) == discard(
        fold(pT("start", "a")), stream(T("a"))[0]
    )
    assert decoded(RAW) == decode(RAW)


@pytest.mark.parametrize("raw", [{}, {"type": 7}, 7, None, "x", [], {"type": "model_msg"}])
def test_what_is_no_message_is_refused(raw: Any) -> None:
    for take in (
        lambda: apply(Session(), raw, now_ms=0),
        lambda: replay([raw], now_ms=0),
        lambda: discard(Session(), raw),
    ):
        with pytest.raises(DecodeError, match="expected "):
            take()


def test_a_refused_message_leaves_what_was_folded_before_it() -> None:
    session = fold(U("q"))
    before = settled(session)
    with pytest.raises(DecodeError):
        apply(session, {"type": 7}, now_ms=0)
    assert settled(session) == before


def test_a_replay_goes_on_from_a_session_and_takes_any_iterable() -> None:
    session = replay(iter(stream(U("q"))), now_ms=0)
    assert settled(replay(iter(stream(T("a"))), now_ms=0, session=session)) == settled(
        fold(T("a"), session=fold(U("q")))
    )


def test_a_replay_of_nothing_is_the_session() -> None:
    assert replay([], now_ms=5) == Session()


def test_finalize_is_idle() -> None:
    session = fold(U("q"), C("1"), pT("start", "a"))
    assert finalize(session) == idle(session)


def test_decisions_are_registered_for_the_whole_tree_and_not_used_up() -> None:
    session = register_decision(Session(), "1")
    session = fold(C("1"), A("1"), of("c", C("1")), of("c", A("1")), session=session)
    cards = [session.items[0], session.subagents["c"].items[0]]
    assert [card.decision_source for card in cards] == ["manual", "manual"]  # type: ignore[union-attr]
    assert "1" in session.marks.local_decisions


def test_a_decision_registered_behind_its_event_changes_nothing() -> None:
    session = register_decision(fold(C("1"), A("1")), "1")
    assert session.items[0].decision_source == "remote"  # type: ignore[union-attr]


def test_a_duplicate_is_counted_and_takes_what_streamed_for_it() -> None:
    session = absorb(fold(U("q"), pT("start", "a")), stream(T("a"))[0], behind_load=False)
    assert [item.key for item in session.items] == ["user_text:1"]
    assert session.diagnostics.duplicate == 1


def test_every_input_leaves_its_argument_as_it_was() -> None:
    session = fold(U("q"), C("1"), pT("start", "a"))
    before, message = settled(session), Message(payload=T("a"))
    for result in (
        apply(session, message, now_ms=0),
        idle(session),
        discard(session, message),
        register_decision(session, "1"),
        credentials_updated(session),
        absorb(session, message, behind_load=True),
    ):
        assert isinstance(result, Session)
    assert settled(session) == before
    assert session == fold(U("q"), C("1"), pT("start", "a"))


def test_local_times_are_the_callers() -> None:
    session = apply(Session(), RAW, now_ms=123)
    assert session.task_start_local_ms == 123
    assert session.items[0].at_ms == at(0)  # type: ignore[union-attr]
