"""Which items belong together: those that say the same, then those of a kind."""

from __future__ import annotations

from hypothesis import given

from refold.differences.alignment import aligned
from refold.folding import replay
from refold.items import AbortItem, AssistantTextItem, Item, UserTextItem
from refold.messages import Message
from tests.strategies import any_streams


def said(*texts: str) -> list[Item]:
    return [AssistantTextItem(key=f"k{at}", text=text) for at, text in enumerate(texts)]


def test_what_is_missing_on_one_side_moves_nothing_else() -> None:
    assert list(aligned(said("a", "b", "c"), said("a", "x", "b", "c"))) == [
        (0, 0),
        (None, 1),
        (1, 2),
        (2, 3),
    ]


def test_what_says_something_else_belongs_to_its_kind() -> None:
    a: list[Item] = [UserTextItem(key="u", text="hi"), *said("Hello."), AbortItem(key="x")]
    b: list[Item] = [UserTextItem(key="u", text="hi"), AbortItem(key="x"), *said("Good day.")]
    assert list(aligned(a, b)) == [(0, 0), (1, None), (2, 1), (None, 2)]


def test_many_that_all_differ_are_paired_in_their_order() -> None:
    count = 3000
    a = said(*[f"a{number}" for number in range(count)])
    b = said(*[f"b{number}" for number in range(count)])
    assert list(aligned(a, b)) == [(number, number) for number in range(count)]


def test_many_that_repeat_themselves_are_paired_in_their_order() -> None:
    a = said(*["same"] * 3000)
    assert list(aligned(a, a[:-1])) == [*[(at, at) for at in range(2999)], (2999, None)]


@given(any_streams(), any_streams())
def test_every_item_is_in_one_pair_and_in_order(
    before: list[Message], after: list[Message]
) -> None:
    a, b = replay(before, now_ms=0).items, replay(after, now_ms=0).items
    pairs = list(aligned(a, b))
    assert [index for index, _ in pairs if index is not None] == list(range(len(a)))
    assert [index for _, index in pairs if index is not None] == list(range(len(b)))
    assert all(a[i].kind == b[j].kind for i, j in pairs if i is not None and j is not None)
