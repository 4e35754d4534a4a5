"""Which items of two sessions belong together.

Rules of this file:

- Items that say the same belong together, in order; between those, items of the same kind do.
- What has no words of its own is told by its kind alone.
- A long common beginning or end costs nothing more than to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, TypeAlias

from refold.items import Item

__all__ = ["Pair", "aligned"]

Pair: TypeAlias = tuple[int | None, int | None]
"""The indexes of an item on both sides; None where there is no such item."""

_WORDS: Final[dict[str, Callable[[Any], Hashable]]] = {
    "user_text": lambda item: item.text,
    "user_steering": lambda item: item.text,
    "user_image": lambda item: item.image_url,
    "assistant_text": lambda item: item.text,
    "thinking": lambda item: item.thinking,
    "tool_call": lambda item: (item.name, item.arguments_text),
    "notice": lambda item: (item.name, item.text),
}


_NEAR: Final = 32


def aligned(a: Sequence[Item], b: Sequence[Item]) -> Iterator[Pair]:
    """Yield the pairs of items, in order; an item that has no counterpart is a pair with None.

    Args:
        a: the items of one session.
        b: the items of the other.
    """
    left, right = list(map(_said, a)), list(map(_said, b))
    for start, end, start_b, end_b, equal in _stretches(left, right):
        if equal:
            yield from zip(range(start, end), range(start_b, end_b), strict=True)
        else:
            yield from _by_kind(a, b, range(start, end), range(start_b, end_b))


def _said(item: Item) -> Hashable:
    words = _WORDS.get(item.kind)
    return item.kind, None if words is None else words(item)


def _by_kind(a: Sequence[Item], b: Sequence[Item], ours: range, theirs: range) -> Iterator[Pair]:
    """Yield pairs of one kind, the next of it that isn't far away."""
    at = theirs.start
    for index in ours:
        near = range(at, min(at + _NEAR, theirs.stop))
        found = next((each for each in near if b[each].kind == a[index].kind), None)
        if found is None:
            yield index, None
            continue
        yield from ((None, each) for each in range(at, found))
        yield index, found
        at = found + 1
    yield from ((None, each) for each in range(at, theirs.stop))


def _stretches(
    left: Sequence[Hashable], right: Sequence[Hashable]
) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield stretches of both sides that are equal, and those between, in order."""
    few = min(len(left), len(right))
    head = next((at for at in range(few) if left[at] != right[at]), few)
    most = few - head
    tail = next((at for at in range(most) if left[-1 - at] != right[-1 - at]), most)
    yield 0, head, 0, head, True
    end, end_b = len(left) - tail, len(right) - tail
    matcher = SequenceMatcher(None, left[head:end], right[head:end_b])
    for tag, i, j, k, m in matcher.get_opcodes():
        yield i + head, j + head, k + head, m + head, tag == "equal"
    yield end, len(left), end_b, len(right), True
