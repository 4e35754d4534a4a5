"""Streams braided by time: the order of ``nested`` and ``merging``, for what may still go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from refold.sources.files.following.strands import Strand, braided

Timed = tuple[str, int | None]


class Arrivals:
    """What a strand fetches: what was put there since."""

    def __init__(self, *items: Timed) -> None:
        self.items = list(items)

    def __call__(self) -> list[Timed]:
        items, self.items = self.items, []
        return items


def strand(arrivals: Arrivals, *rank: int, at_ms: float = float("-inf")) -> Strand:
    return Strand(arrivals, lambda before, item: item[1], rank=rank, at_ms=at_ms)


def nothing_beside(strand: Strand, item: Any) -> Iterable[Strand]:
    return ()


def names(found: Iterator[tuple[Strand, Any]]) -> list[str]:
    return [item[0] for _, item in found]


def test_time_decides_then_rank_and_what_has_no_time_stays_where_it_is() -> None:
    a = strand(Arrivals(("a1", 1), ("a?", None), ("a3", 3)), 1)
    b = strand(Arrivals(("b?", None), ("b1", 1), ("b2", 2)), 0)
    assert names(braided([a, b], nothing_beside)) == ["b?", "b1", "a1", "a?", "b2", "a3"]


def test_nothing_waits_for_what_has_nothing_now() -> None:
    silent, talking = Arrivals(), Arrivals(("b5", 5))
    a, b = strand(silent, 0), strand(talking, 1)
    assert names(braided([a, b], nothing_beside)) == ["b5"]
    silent.items.append(("a1", 1))
    assert names(braided([a, b], nothing_beside)) == ["a1"]


def test_what_was_not_taken_comes_the_next_time() -> None:
    a = strand(Arrivals(("a1", 1), ("a2", 2), ("a3", 3)), 0)
    b = strand(Arrivals(("b1", 1), ("b2", 2)), 1)
    found = braided([a, b], nothing_beside)
    first = [next(found)[1][0], next(found)[1][0]]
    found.close()
    assert [*first, *names(braided([a, b], nothing_beside))] == ["a1", "b1", "a2", "b2", "a3"]


def test_a_strand_that_begins_with_an_item_is_braided_in_from_there_on() -> None:
    parent = strand(Arrivals(("p1", 1), ("p2", 2), ("p4", 4)), 0)
    child = Arrivals(("c?", None), ("c0", 0), ("c3", 3))

    def beside(of: Strand, item: Any) -> list[Strand]:
        return [strand(child, 1, at_ms=of.at_ms)] if item[0] == "p2" else []

    assert names(braided([parent], beside)) == ["p1", "p2", "c?", "c0", "c3", "p4"]
