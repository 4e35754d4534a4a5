"""Text that grows by pieces at a cost that doesn't depend on its length.

Rules of this file:

- A rope is a short tail over levels of joined pieces: ``levels[k]`` holds up to 32 strings, each
  about 32 times as long as those of ``levels[k-1]``. Nothing is linked, so nothing recurses.
- A rope equals, hashes and reads like the string it stands for; it is joined once, when read.
- Where two pieces meet inside a surrogate pair, they join to the one character.
"""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["GrownText", "Rope", "appended", "grow", "rope", "size"]

_TAIL = 128
_WIDTH = 32

Levels: TypeAlias = tuple[tuple[str, ...], ...]


class Rope:
    """A text in pieces. Make one with ``rope`` or ``grow``."""

    __slots__ = ("_levels", "_tail", "_whole")

    _levels: Levels
    _tail: str
    _whole: str | None

    def __str__(self) -> str:
        whole = self._whole
        if whole is None:
            parts = [piece for level in reversed(self._levels) for piece in level]
            parts.append(self._tail)
            # The cache is filled with the one value it can have: a benign race.
            whole = self._whole = "".join(parts)
        return whole

    def __repr__(self) -> str:
        return repr(str(self))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, Rope | str):
            return str(self) == str(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return rope, (str(self),)

    def append(self, piece: str) -> Rope:
        """Return the rope with a piece behind it.

        Args:
            piece: what comes next; its first half of a surrogate pair may complete the last.
        """
        if not piece:
            return self
        tail = self._tail
        if piece >= "\udc00" and _pairs(tail, piece):
            tail, piece = tail[:-1], _paired(tail[-1], piece[0]) + piece[1:]
        longer: Rope = Rope()
        if len(tail) + len(piece) <= _TAIL:
            longer._levels = self._levels
            longer._tail = tail + piece
        else:
            longer._levels = _pushed(self._levels, tail)
            longer._tail = piece
        longer._whole = None
        return longer


GrownText: TypeAlias = str | Rope


def rope(text: str) -> Rope:
    """Return a string as a rope."""
    return _rope((), text)


def _rope(levels: Levels, tail: str) -> Rope:
    """Make a rope; calling the class would cost three times as much."""
    made: Rope = Rope()
    made._levels = levels
    made._tail = tail
    made._whole = None
    return made


def grow(text: GrownText, piece: str) -> GrownText:
    """Return a text with a piece behind it; an empty piece changes nothing.

    Args:
        text: a string or a rope.
        piece: what is appended.
    """
    if type(text) is Rope:
        return text.append(piece)
    if not text:
        return piece
    if len(text) + len(piece) <= _TAIL and piece < "\udc00":  # type: ignore[arg-type]
        # A text as short as a rope's tail needs no rope.
        return text + piece  # type: ignore[operator]
    return rope(text).append(piece)  # type: ignore[arg-type]


def appended(before: GrownText, after: GrownText) -> str | None:
    """Return what ``grow`` added between two versions of a text, at the cost of the addition.

    Args:
        before: the earlier version.
        after: the later one.

    Returns:
        The added piece, or None if ``after`` can't be told to continue ``before`` cheaply.
    """
    old = before if type(before) is Rope else rope(str(before))
    new = after if type(after) is Rope else rope(str(after))
    tail, grown = old._tail, new._tail
    if old._levels is new._levels:
        return grown[len(tail) :] if grown.startswith(tail) else None
    return grown if _pushed(old._levels, tail) == new._levels else None


def size(text: GrownText) -> int:
    """Return how many characters a text has, without joining it."""
    if type(text) is Rope:
        return len(text._tail) + sum(len(piece) for level in text._levels for piece in level)
    return len(text)  # type: ignore[arg-type]


def _pairs(tail: str, piece: str) -> bool:
    """Tell whether two pieces meet inside a surrogate pair."""
    return piece[0] <= "\udfff" and "\ud800" <= tail[-1:] <= "\udbff"


def _paired(high: str, low: str) -> str:
    return (high + low).encode("utf-16", "surrogatepass").decode("utf-16")


def _pushed(levels: Levels, piece: str) -> Levels:
    if not piece:
        return levels
    pushed = list(levels)
    for depth, level in enumerate(levels):
        if len(level) < _WIDTH:
            pushed[depth] = (*level, piece)
            return tuple(pushed)
        pushed[depth] = (piece,)
        piece = "".join(level)
    pushed.append((piece,))
    return tuple(pushed)
