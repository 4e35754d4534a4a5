"""Which streams no record accounts for: the whole rule of the delta/commit join.

Rules of this file (sources/claude-code.md 3.4, 3.5):

- Deltas and records share no id, so the join key is the text: a record's own text, before any
  display rewrites it.
- It is decided afresh from all streams and all commits of the open turn. An incremental claim that
  is never taken back depends on the order of arrival; this doesn't.
- A commit accounts for at most one stream: a complete one of equal text before an incomplete one
  that is a beginning of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from refold.records import record
from refold.sources.claude_hooks.streams import Stream

__all__ = ["Commit", "unaccounted"]


@record
class Commit:
    """An assistant text that a record has brought.

    Args:
        number: how many commits came before it.
        text: what it says.
    """

    number: int
    text: str


def unaccounted(streams: Sequence[Stream], commits: Sequence[Commit]) -> tuple[Stream, ...]:
    """Return the streams, in their order, that no commit accounts for.

    Which of several equal streams stays is decided by their texts and ids alone.

    Args:
        streams: of the open turn, each knowing the commits it is a beginning of (``fits``).
        commits: of the open turn.
    """
    free = {each.number: len(each.text) for each in commits}
    claimed = {each.message_id for each in _by_length(streams) if _claims(each, free)}
    return tuple(each for each in streams if each.message_id not in claimed)


def _by_length(streams: Sequence[Stream]) -> list[Stream]:
    # Complete ones first. Among the rest, the longest first gives a maximum matching: of two
    # streams that fit one commit, one is a beginning of the other, so whatever fits the longer
    # fits the shorter too, and the longer can't take what only the shorter could have used.
    return sorted(streams, key=lambda each: (not each.complete, -each.length, each.message_id))


def _claims(stream: Stream, free: dict[int, int]) -> bool:
    for number in stream.fits:
        length = free.get(number)
        if length is not None and (length == stream.length if stream.complete else stream.length):
            del free[number]
            return True
    return False
