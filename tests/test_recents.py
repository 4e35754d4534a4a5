"""What is put last stands in front, and nothing but speed tells it."""

from __future__ import annotations

from refold.recents import EMPTY_RECENT


def test_what_was_put_last_is_no_part_of_equality() -> None:
    one = EMPTY_RECENT.put("a", 1).put("b", 2)
    other = EMPTY_RECENT.put("b", 2).put("a", 1)
    assert one == other
    assert hash(one) == hash(other)
    assert one.put("b", 3) != other


def test_putting_the_last_name_again_leaves_the_trie_alone() -> None:
    one = EMPTY_RECENT.put("a", 1).put("b", 2)
    assert one.put("b", 3)._behind is one._behind
