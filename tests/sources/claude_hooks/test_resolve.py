"""Which streams no record accounts for, decided from all of them at once."""

from __future__ import annotations

from itertools import permutations

from refold.sources.claude_hooks.resolve import Commit, unaccounted
from refold.sources.claude_hooks.streams import Stream

COMMITS = (Commit(number=0, text="Help"), Commit(number=1, text="Hel"))


def stream(message_id: str, text: str, *, whole: bool = False) -> Stream:
    """Return a stream that knows the commits it is a beginning of."""
    return Stream(
        message_id=message_id,
        seen=0,
        text=text,
        length=len(text),
        taken=1,
        final=0 if whole else None,
        fits=tuple(each.number for each in COMMITS if each.text.startswith(text)),
    )


def left(*streams: Stream, commits: tuple[Commit, ...] = COMMITS) -> list[str]:
    return [each.message_id for each in unaccounted(streams, commits)]


def test_a_complete_stream_takes_an_equal_commit_before_a_beginning_does() -> None:
    for order in permutations([stream("whole", "Hel", whole=True), stream("part", "Hel")]):
        assert left(*order, commits=COMMITS[1:]) == ["part"]


def test_a_complete_stream_takes_no_commit_that_says_more() -> None:
    assert left(stream("whole", "Hel", whole=True), commits=COMMITS[:1]) == ["whole"]


def test_a_shorter_beginning_leaves_the_only_fitting_commit_to_a_longer_one() -> None:
    for order in permutations([stream("long", "Help"), stream("short", "H")]):
        assert left(*order) == []


def test_of_two_beginnings_of_one_commit_the_longer_is_accounted_for() -> None:
    for order in permutations([stream("long", "Hel"), stream("short", "He")]):
        assert left(*order, commits=COMMITS[:1]) == ["short"]


def test_what_is_left_keeps_its_order_and_an_empty_stream_takes_nothing() -> None:
    empty, other = stream("empty", ""), stream("other", "No")
    assert left(other, empty, stream("part", "H"), commits=COMMITS[:1]) == ["other", "empty"]
