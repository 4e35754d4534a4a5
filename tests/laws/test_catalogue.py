"""Trying all laws on a list of messages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from refold.laws import LAWS, Law, check
from refold.messages import Message
from refold.records import evolve
from tests.notation import K, T, U, stream


def _law(breaks: object) -> Law:
    def differs(messages: Sequence[Message]) -> str | None:
        found = any(message.payload == breaks for message in messages)
        return f"{len(messages)} messages" if found else None

    return evolve(LAWS[0], differs=differs)


def test_every_law_of_messages_is_listed_once() -> None:
    assert [law.number for law in LAWS] == list(range(1, 12))
    assert all(law.name and law.says for law in LAWS)


def test_a_session_that_breaks_none_gives_none() -> None:
    assert check(stream(U("q"), K("hm"), T("a"))) == []
    assert check([]) == []


def test_a_broken_law_comes_with_the_fewest_messages_that_break_it() -> None:
    law = _law(T("bad"))
    (broken,) = check([*stream(*[U("q")] * 30, T("bad"), *[U("q")] * 9)], [law])
    assert broken.law is law
    assert [message.payload for message in broken.messages] == [T("bad")]
    assert broken.difference == "1 messages"


def test_a_law_that_raises_is_broken_and_hides_no_other() -> None:
    def differs(messages: Sequence[Message]) -> str | None:
        raise KeyError("x")

    broken = check(stream(T("bad")), [evolve(LAWS[0], differs=differs), _law(T("bad"))])
    assert [each.difference for each in broken] == ["raised KeyError('x')", "1 messages"]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: str(law.number))
def test_a_law_holds_of_nothing(law: Law) -> None:
    assert law.differs([]) is None
