"""Streams that go on, each in its own order, braided into one by time.

Rules of this file:

- A strand that has nothing now is left out until it has: nothing waits for it.
- What has no time of its own stays with the item in front of it.
- At a tie the strand of the lower rank goes first.
- Nothing here knows what the items are.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

__all__ = ["BEFORE_ALL", "Strand", "Timing", "braided"]

BEFORE_ALL: Final = float("-inf")

Timing: TypeAlias = Callable[[float, Any], float | None]
"""From the time of what came before, in Unix ms, and an item to its time; None is unknown."""


class Strand:
    """What comes from one place.

    Args:
        fetch: gives the items that came since it was asked last.
        timing: the time of an item.
        rank: what decides at a tie.
        at_ms: the time of what it follows on, in Unix ms.
        chain: the session ids it lies under, outer to inner.
    """

    __slots__ = ("_fetch", "_items", "_rank", "_timing", "at_ms", "chain", "head")

    def __init__(
        self,
        fetch: Callable[[], Iterable[Any]],
        timing: Timing,
        *,
        rank: tuple[Any, ...] = (),
        at_ms: float = BEFORE_ALL,
        chain: tuple[str, ...] = (),
    ) -> None:
        self.chain = chain
        self.at_ms = at_ms
        self.head: Any = None
        self._fetch = fetch
        self._timing = timing
        self._rank = rank
        self._items: deque[Any] = deque()

    def __lt__(self, other: Strand) -> bool:
        return (self.at_ms, self._rank) < (other.at_ms, other._rank)

    def has_head(self) -> bool:
        """Tell whether there is an item now."""
        if self.head is None:
            self.advance()
        return self.head is not None

    def advance(self) -> bool:
        """Go to the next item; tell whether there is one that has a time of its own."""
        if not self._items:
            self._items.extend(self._fetch())
        self.head = self._items.popleft() if self._items else None
        at_ms = None if self.head is None else self._timing(self.at_ms, self.head)
        if at_ms is None:
            return False
        self.at_ms = at_ms
        return True


def braided(
    strands: Iterable[Strand], beside: Callable[[Strand, Any], Iterable[Strand]]
) -> Iterator[tuple[Strand, Any]]:
    """Yield what the strands have now, each item with its strand.

    Args:
        strands: which strands; what they hold and isn't taken stays theirs.
        beside: the strands that begin with an item; they are braided in from there on.
    """
    waiting = [each for each in strands if each.has_head()]
    heapq.heapify(waiting)
    while waiting:
        strand = heapq.heappop(waiting)
        ready = [strand]
        while (item := strand.head) is not None:
            ready += beside(strand, item)
            timed = strand.advance()
            yield strand, item
            if timed:
                break
        for each in ready:
            if each.has_head():
                heapq.heappush(waiting, each)
