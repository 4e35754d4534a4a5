"""Law 3: no sequence of messages makes the fold raise, and every message is accounted for."""

from __future__ import annotations

import attrs
from hypothesis import given
from hypothesis import strategies as st

from refold.folding import apply, discard, finalize, idle, register_decision, replay
from refold.laws.of_folds import is_total
from refold.live import HistoryLoaded, Received, connect, step
from refold.messages import Message
from refold.session import Session
from refold.views import digest, settled, to_json
from tests.laws.folds import fold
from tests.strategies import chaotic_streams, disciplined_streams, messages


@given(st.one_of(chaotic_streams(), disciplined_streams()))
def test_no_sequence_of_messages_makes_apply_raise(stream: list[Message]) -> None:
    """Orphans, duplicates, unknown types, absurd times, any order; keys stay unique."""
    assert is_total(stream) is None


@given(chaotic_streams(), st.data())
def test_no_sequence_of_inputs_makes_the_fold_raise(
    stream: list[Message], data: st.DataObject
) -> None:
    """Idle, finalize, discards and decisions may come anywhere between the messages."""
    others = (idle, finalize, lambda session: register_decision(session, "t1"))
    session = Session()
    for index, message in enumerate(stream):
        which = data.draw(st.integers(0, 5))
        if which < len(others):
            session = others[which](session)
        elif which == len(others):
            session = discard(session, data.draw(messages()))
        session = apply(session, message, now_ms=index)
    assert _keys_are_unique(session)
    assert len(digest(session)) == 16
    assert to_json(settled(session))["task_open"] is False


def _keys_are_unique(session: Session) -> bool:
    keys = [item.key for item in session.items]
    return len(keys) == len(set(keys)) and all(map(_keys_are_unique, session.subagents.values()))


@given(chaotic_streams())
def test_a_message_is_counted_once_at_most(stream: list[Message]) -> None:
    """Diagnostics grow by one at most, in the session the message belongs to."""
    session = Session()
    for index, message in enumerate(stream):
        after = apply(session, message, now_ms=index)
        assert _counted(after) - _counted(session) in (0, 1)
        session = after


def _counted(session: Session) -> int:
    own = sum(attrs.astuple(session.diagnostics))
    return own + sum(map(_counted, session.subagents.values()))


@given(st.one_of(chaotic_streams(), disciplined_streams()))
def test_replaying_at_once_gives_what_applying_one_by_one_gives(stream: list[Message]) -> None:
    """A history in one call differs from the same messages one by one in local clocks only."""
    assert settled(replay(stream, now_ms=5)) == settled(fold(stream))
    assert replay(stream, now_ms=5).diagnostics == fold(stream).diagnostics


@given(chaotic_streams(), chaotic_streams())
def test_a_live_session_takes_anything(history: list[Message], stream: list[Message]) -> None:
    """History and stream may have nothing, or anything, to do with each other."""
    state = connect()
    for index, message in enumerate(stream):
        if index == len(stream) // 2:
            state, _ = step(state, HistoryLoaded(messages=tuple(history)))
        state, _ = step(state, Received(message=message))
    assert to_json(settled(state.session))["task_open"] is False
