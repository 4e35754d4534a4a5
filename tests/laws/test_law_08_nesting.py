"""Law 8: a nested session is the fold of its own messages."""

from __future__ import annotations

from hypothesis import given

from refold.laws.of_folds import nesting_is_the_same_fold
from refold.messages import Message
from refold.records import evolve
from refold.views import to_json
from tests.laws.folds import fold
from tests.strategies import any_streams


@given(any_streams())
def test_a_nested_session_is_the_fold_of_its_own_messages(stream: list[Message]) -> None:
    """fold(S).subagents[c] equals the fold, nested, of S's messages under c, but for the binding."""
    assert nesting_is_the_same_fold(stream) is None


@given(any_streams())
def test_a_session_nested_one_deeper_shows_the_same(stream: list[Message]) -> None:
    """A whole stream under one more origin gives the same nested session a level below."""
    once = fold([evolve(each, origin=("a", *each.origin)) for each in stream])
    twice = fold([evolve(each, origin=("b", "a", *each.origin)) for each in stream])
    outer = [to_json(each) for each in once.subagents.values()]
    inner = [
        to_json(each) for child in twice.subagents.values() for each in child.subagents.values()
    ]
    assert inner == outer
