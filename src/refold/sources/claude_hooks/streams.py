"""One text being streamed, put together by index.

Rules of this file (sources/claude-code.md 3.5, G9):

- What is shown of a stream is its contiguous beginning: pieces 0 to k joined by index, whatever
  order they came in. A piece beyond a gap waits.
- The first piece of an index wins; a repetition changes nothing.
- A stream is complete once its final piece is part of that beginning.
- A surrogate pair cut between two pieces is joined; half of one is held back until then, so what
  is shown never ends in half a character.
"""

from __future__ import annotations

from refold.records import evolve, record
from refold.sources.claude_hooks.deltas import Delta
from refold.texts import GrownText, grow

__all__ = ["MOST_WAITING", "Stream", "grown"]

MOST_WAITING = 256


@record
class Stream:
    """A text of which some pieces have come.

    Args:
        message_id: its id in the delta log.
        seen: how many streams were seen before it.
        text: its contiguous beginning.
        length: how many characters that is.
        taken: how many pieces it is made of.
        half: the first half of a surrogate pair that ended the last piece, or nothing.
        waiting: pieces beyond a gap, by index, at most ``MOST_WAITING``.
        final: the index of the final piece, once that piece has come.
        fits: the numbers of the commits it is a beginning of (``join``).
    """

    message_id: str
    seen: int
    text: GrownText = ""
    length: int = 0
    taken: int = 0
    half: str = ""
    waiting: tuple[tuple[int, str], ...] = ()
    final: int | None = None
    fits: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the whole text is there."""
        return self.final is not None and self.taken > self.final


def grown(stream: Stream, delta: Delta) -> tuple[Stream, str]:
    """Return a stream with one more piece, and what its contiguous beginning gained.

    Args:
        stream: the stream of the delta's message.
        delta: the piece; a repetition, or one behind the final piece, changes nothing.
    """
    if not _is_wanted(stream, delta.index):
        return stream, ""
    final = delta.index if delta.final and stream.final is None else stream.final
    waiting = tuple(sorted((*stream.waiting, (delta.index, delta.text))))
    return _joined(evolve(stream, final=final, waiting=waiting))


def _is_wanted(stream: Stream, index: int) -> bool:
    if index < stream.taken or (stream.final is not None and index > stream.final):
        return False
    if index > stream.taken and len(stream.waiting) >= MOST_WAITING:
        return False
    return all(index != each for each, _ in stream.waiting)


def _joined(stream: Stream) -> tuple[Stream, str]:
    taken, pieces = stream.taken, [stream.half]
    waiting = stream.waiting
    while waiting and waiting[0][0] == taken:
        pieces.append(waiting[0][1])
        waiting, taken = waiting[1:], taken + 1
    if taken == stream.taken:
        return stream, ""
    gained, half = _whole_characters(pieces, last=stream.final is not None and taken > stream.final)
    after = evolve(
        stream,
        text=grow(stream.text, gained),
        length=stream.length + len(gained),
        taken=taken,
        half=half,
        waiting=waiting,
    )
    return after, gained


def _whole_characters(pieces: list[str], *, last: bool) -> tuple[str, str]:
    joined: GrownText = ""
    for piece in pieces:
        joined = grow(joined, piece)
    text = str(joined)
    if not last and text and "\ud800" <= text[-1] <= "\udbff":
        return text[:-1], text[-1]
    return text, ""
