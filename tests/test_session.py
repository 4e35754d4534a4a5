"""A session is a frozen value; its items are a sequence like any other."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis import strategies as st

from refold.folding import apply, idle, register_decision, replay
from refold.items import Item, TaskStatsItem, UserTextItem
from refold.messages import Message, PartialText, Text
from refold.session import Items, Session, freeze_session, thaw_session
from refold.vectors import EMPTY_VECTOR, vector_of
from tests.strategies import any_streams, timed

_INDICES = st.none() | st.integers(-60, 60)
_ROW = TaskStatsItem(key="task_stats:1", assistant_text="a")


def _user(number: int) -> UserTextItem:
    return UserTextItem(key=f"user_text:{number}", text="a")


@st.composite
def _items(draw: st.DrawFn) -> tuple[Items, list[Item]]:
    """Items of a session, with holes and a row in any place, and the list they are."""
    numbers = st.lists(st.none() | st.integers(0, 9).map(_user), max_size=45)
    placed, floating = draw(numbers), draw(numbers)
    front = [each for each in placed if each is not None]
    behind = [each for each in floating if each is not None]
    if draw(st.booleans()):
        return Items(vector_of(placed), vector_of(floating)), [*front, *behind]
    rank = draw(st.integers(0, len(front)))
    model = [*front[:rank], _ROW, *front[rank:], *behind]
    return Items(vector_of(placed), vector_of(floating), _ROW, rank), model


@given(_items(), _INDICES, _INDICES, st.none() | st.integers(-5, 5).filter(bool))
def test_items_are_indexed_sliced_and_iterated_as_the_list_is(
    given_items: tuple[Items, list[Item]], start: int | None, stop: int | None, step: int | None
) -> None:
    items, model = given_items
    assert list(items) == model
    assert (len(items), bool(items)) == (len(model), bool(model))
    assert [items[at] for at in range(-len(model), len(model))] == [*model, *model]
    assert items[start:stop:step] == tuple(model[start:stop:step])
    assert list(reversed(items)) == model[::-1]


@given(_items())
def test_an_index_outside_is_an_index_error(given_items: tuple[Items, list[Item]]) -> None:
    items, model = given_items
    for index in (len(model), -len(model) - 1):
        with pytest.raises(IndexError, match=f"item {index} of {len(model)}"):
            items[index]


@given(_items(), _items())
def test_items_are_equal_as_the_lists_are(
    one: tuple[Items, list[Item]], other: tuple[Items, list[Item]]
) -> None:
    (items, model), (others, model_of_others) = one, other
    assert (items == others) is (model == model_of_others)
    assert (items == model_of_others) is (model == model_of_others)
    assert (items == tuple(model_of_others)) is (model == model_of_others)
    assert items == model


@given(_items())
def test_equal_items_hash_alike_wherever_they_stand(given_items: tuple[Items, list[Item]]) -> None:
    items, model = given_items
    for same in (Items(vector_of(model), EMPTY_VECTOR), Items(EMPTY_VECTOR, vector_of(model))):
        assert same == items
        assert hash(same) == hash(items)


@given(_items())
def test_items_know_what_they_hold(given_items: tuple[Items, list[Item]]) -> None:
    items, model = given_items
    assert isinstance(items, Sequence)
    for each in model:
        assert each in items
        assert items.index(each) == model.index(each)
        assert items.count(each) == model.count(each)
    assert "" not in items
    assert items != "a"
    assert repr(items) == f"Items({model!r})"


@given(any_streams(), st.booleans())
def test_every_version_shows_its_items_as_one_sequence(stream: list[Message], rest: bool) -> None:
    session = replay(stream, now_ms=0)
    items = (idle(session) if rest else session).items
    model = list(items)
    assert [items[at] for at in range(len(items))] == model
    assert items[:] == tuple(model)
    assert len({item.key for item in model}) == len(model)


def test_unchanged_items_are_the_same_objects_from_version_to_version() -> None:
    """What one message changes is one item, however many stand in front of it."""
    said = [Text(role=role, text="a") for role in ("user", "assistant")] * 100
    start = PartialText(role="assistant", event_type="start", text="a")
    session = replay(timed([*said, start]), now_ms=0)
    delta = PartialText(role="assistant", event_type="delta", text="b")
    later = apply(session, Message(payload=delta), now_ms=0)
    shared = [one is other for one, other in zip(session.items, later.items, strict=True)]
    assert shared == [True] * (len(session.items) - 1) + [False]


def test_a_session_takes_no_value() -> None:
    session: Any = Session()
    for name in ("placed", "items", "anything"):
        with pytest.raises(FrozenInstanceError):
            setattr(session, name, 1)
    with pytest.raises(FrozenInstanceError):
        del session.placed
    assert not hasattr(session, "__dict__")
    assert session == Session()


@given(any_streams(), st.booleans())
def test_a_session_is_pickled_whole(stream: list[Message], rest: bool) -> None:
    session = replay(stream, now_ms=7)
    session = idle(session) if rest else session
    copy = pickle.loads(pickle.dumps(session))
    assert type(copy) is Session
    assert copy == session
    assert hash(copy) == hash(session)


@given(any_streams())
def test_sessions_of_the_same_messages_are_equal_and_hash_alike(stream: list[Message]) -> None:
    one, other = replay(stream, now_ms=7), replay(stream, now_ms=7)
    assert one == other
    assert hash(one) == hash(other)


def test_a_session_differs_by_what_it_carries_on_alone() -> None:
    session = Session()
    assert register_decision(session, "t1") != session
    assert session != object()


@given(any_streams())
def test_thawing_leaves_the_session_as_it_was(stream: list[Message]) -> None:
    session = replay(stream, now_ms=0)
    draft = thaw_session(session)
    draft.placed = EMPTY_VECTOR
    assert session == replay(stream, now_ms=0)
    assert freeze_session(thaw_session(session)) == session


def test_a_session_says_how_large_it_is() -> None:
    session = replay(timed([Text(role="user", text="do it")]), now_ms=0)
    assert repr(session) == "<Session of 1 items, 0 subagents>"
