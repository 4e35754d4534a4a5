"""Law 9: a session loaded from its checkpoint is equal, and goes on as it would."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from refold.checkpoints import dumps, loads
from refold.folding import apply, idle, register_decision
from refold.laws.of_folds import checkpoints_carry_everything
from refold.messages import Message
from refold.session import Session
from tests.laws.folds import fold, settled_json, text_of
from tests.strategies import any_streams


@given(any_streams(), any_streams(), st.integers(0, 3))
def test_going_on_from_a_checkpoint_is_going_on(
    stream: list[Message], later: list[Message], which: int
) -> None:
    """loads(dumps(s)) == s at any place, at rest or not, and all that follows is equal."""
    session = fold(stream)
    if which:
        session = idle(session)
    if which > 1:
        session = register_decision(session, "t1")
    loaded = loads(dumps(session))
    assert loaded == session
    assert text_of(loaded) == text_of(session)
    went_on, resumed = fold(later, session=session), fold(later, session=loaded)
    assert resumed == went_on
    assert settled_json(resumed) == settled_json(went_on)


@given(any_streams())
def test_checkpoints_at_every_place_change_nothing(stream: list[Message]) -> None:
    """A session that is dumped and loaded before each message ends as one that never was."""
    session = Session()
    for index, message in enumerate(stream):
        session = apply(loads(dumps(session)), message, now_ms=index)
    assert session == fold(stream)


@given(any_streams())
def test_a_checkpoint_is_json_and_is_written_the_same_again(stream: list[Message]) -> None:
    """dumps(loads(text)) == text, and any JSON library may carry it."""
    text = dumps(fold(stream))
    assert dumps(loads(text)) == text
    assert dumps(loads(json.dumps(json.loads(text)))) == text


@given(any_streams())
def test_the_law_holds_as_users_run_it(stream: list[Message]) -> None:
    """``refold verify`` finds nothing."""
    assert checkpoints_carry_everything(stream) is None
