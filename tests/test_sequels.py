"""A sequel is a map with an order, which is no part of its equality."""

from __future__ import annotations

from refold.sequels import EMPTY_SEQUEL


def test_the_order_of_a_sequel_is_no_part_of_its_equality() -> None:
    one = EMPTY_SEQUEL.put("a", 1).put("b", 2)
    other = EMPTY_SEQUEL.put("b", 2).put("a", 1)
    assert one == other
    assert hash(one) == hash(other)
    assert (list(one), list(other)) == (["a", "b"], ["b", "a"])


def test_the_changed_names_of_one_put_are_that_name() -> None:
    before = EMPTY_SEQUEL
    for number in range(2000):
        before = before.put(str(number), number)
    assert before.put("7", -1).changed(before) == [("7", -1, 7)]
    assert before.put("new", -1).changed(before) == [("new", -1, None)]
    assert before.without("7").changed(before) == [("7", None, 7)]
    assert before.changed(before) == []
