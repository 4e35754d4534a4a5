"""A small counterexample out of a long one."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from refold.laws import shrunk
from refold.messages import Message
from tests.notation import U

ALL = [Message(payload=U(str(number))) for number in range(64)]


@given(st.sets(st.sampled_from(range(64)), min_size=1, max_size=3))
def test_only_what_is_needed_is_left(needed: set[int]) -> None:
    def breaks(messages: Sequence[Message]) -> bool:
        return all(ALL[number] in messages for number in needed)

    assert shrunk(ALL, breaks) == tuple(ALL[number] for number in sorted(needed))


def test_the_number_of_tries_is_bounded() -> None:
    asked: list[int] = []

    def breaks(messages: Sequence[Message]) -> bool:
        asked.append(len(messages))
        return True

    shrunk(ALL * 50, breaks, tries=10)
    assert 0 < len(asked) <= 10


def test_what_can_not_be_shrunk_stays() -> None:
    assert shrunk(ALL, lambda messages: len(messages) == len(ALL)) == tuple(ALL)
