"""Law 2: a version stays as it was, and versions share what didn't change."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, settings
from hypothesis import strategies as st

from refold.checkpoints import dumps
from refold.folding import apply, discard, finalize, idle, register_decision
from refold.items import Item
from refold.messages import Message
from refold.session import Session
from refold.views import settled
from tests.laws.folds import fold, text_of
from tests.strategies import chaotic_streams, disciplined_streams, messages

streams = st.one_of(chaotic_streams(), disciplined_streams())


@given(streams)
def test_every_version_stays_as_it_was(stream: list[Message]) -> None:
    """``apply`` and the other inputs leave their argument equal to what it was."""
    kept = []
    session = Session()
    for index, message in enumerate(stream):
        kept.append((session, text_of(session), dumps(session)))
        idle(session)
        settled(session)
        discard(session, message)
        register_decision(session, "t1")
        session = apply(session, message, now_ms=index)
    assert [(text_of(each), dumps(each)) for each, *_ in kept] == [tuple(each) for _, *each in kept]


@given(streams)
def test_items_that_a_message_does_not_concern_are_the_same_objects(
    stream: list[Message],
) -> None:
    """One item at most is made anew without being another; nested sessions not at all.

    A nested session that a card takes over is concerned (rule 2).
    """
    session = Session()
    for index, message in enumerate(stream):
        after = apply(session, message, now_ms=index)
        assert len(_copied(session, after)) <= 1
        others = [name for name in session.subagents if name not in message.origin[:1]]
        same = {name for name in others if after.subagents[name] is session.subagents[name]}
        assert all(_is_taken(session, after, name) for name in others if name not in same)
        session = after


def _is_taken(before: Session, after: Session, name: str) -> bool:
    return before.subagents[name].binding == "none" and after.subagents[name].binding == "explicit"


def _copied(before: Session, after: Session) -> list[Item]:
    """Return items that are equal in both versions but not one object, but for a derived row."""
    old = {item.key: item for item in before.items}
    return [
        item
        for item in after.items
        if item == old.get(item.key) and item is not old[item.key] and item.kind != "task_stats"
    ]


@given(streams, messages(), messages())
def test_a_version_can_be_extended_twice_in_different_ways(
    stream: list[Message], one: Message, other: Message
) -> None:
    """Neither branch sees the other."""
    session = fold(stream)
    before = dumps(session)
    left, right = apply(session, one, now_ms=1), apply(session, other, now_ms=2)
    left, right = apply(left, other, now_ms=3), apply(right, one, now_ms=4)
    assert dumps(session) == before
    assert left == apply(apply(fold(stream), one, now_ms=1), other, now_ms=3)
    assert right == apply(apply(fold(stream), other, now_ms=2), one, now_ms=4)


@given(streams)
def test_versions_can_be_hashed_into_a_set(stream: list[Message]) -> None:
    """Equal versions have equal hashes, and a set holds each version once."""
    versions = [fold(stream[:n]) for n in range(len(stream) + 1)]
    again = [fold(stream[:n]) for n in range(len(stream) + 1)]
    assert [hash(each) for each in versions] == [hash(each) for each in again]
    kept = set(versions)
    assert len(kept | set(again)) == len(kept)


@settings(max_examples=10)
@given(disciplined_streams())
def test_versions_are_read_while_others_extend_them(stream: list[Message]) -> None:
    """Readers in other threads see just what they would see alone."""
    versions = [fold(stream[:n]) for n in range(len(stream) + 1)]
    alone = [text_of(fold(stream[:n])) for n in range(len(stream) + 1)]
    with ThreadPoolExecutor(4) as pool:
        extending = [pool.submit(fold, stream, session=each) for each in versions]
        assert list(pool.map(text_of, versions)) == alone
        assert all(each.result() is not None for each in extending)


def test_a_session_refuses_to_be_changed() -> None:
    """A version is frozen: attributes can be neither set nor deleted."""
    session = Session()
    with pytest.raises(FrozenInstanceError):
        session.task = None
    with pytest.raises(FrozenInstanceError):
        del session.task
    with pytest.raises(FrozenInstanceError):
        session.anything = 1  # type: ignore[attr-defined]


@given(streams)
def test_resting_twice_is_resting_once(stream: list[Message]) -> None:
    """``finalize`` of a session at rest is equal to it."""
    once = finalize(fold(stream))
    assert finalize(once) == once
