"""Chunks of a file to its lines, in bounded memory.

Rules of this file (sources/census.md 7):

- Only a line feed ends a line: JSON texts may hold every other line separator there is.
- A line keeps its line feed, for cutting it off would copy the line; a last one without is a line.
- A line over the limit is never held: its beginning is kept to show, the rest is passed over.
- Bytes and text are split alike; nothing here decodes, parses or opens anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO, StringIO
from typing import Any, TypeAlias

from refold.errors import DecodeError

__all__ = ["MAX_LINE", "Chunk", "line_batches"]

MAX_LINE = 64 * 1024 * 1024

_SHOWN = 64

Chunk: TypeAlias = str | bytes


def line_batches(
    chunks: Iterable[Chunk], limit: int = MAX_LINE
) -> Iterator[tuple[int, list[Chunk | DecodeError]]]:
    """Yield, as soon as lines have ended, the number of the first (1-based) and the lines, ends and all.

    Args:
        chunks: all bytes or all text, cut anywhere.
        limit: the most bytes (characters of a text) of a line, its end apart; a longer one is an
            error.
    """
    number = 1
    unfinished = _Unfinished(limit)
    for chunk in chunks:
        # Readers look for the line feed with ``memchr``, which ``split`` doesn't.
        file: Any = BytesIO(chunk) if isinstance(chunk, bytes) else StringIO(chunk, newline="\n")
        parts: list[Any] = file.readlines()
        last = parts.pop() if parts and not _is_ended(parts[-1]) else chunk[:0]
        if parts:
            parts[0] = unfinished.ended(parts[0])
            if len(chunk) > limit:
                parts = [_within(each, limit) for each in parts]
            yield number, parts
            number += len(parts)
        unfinished.add(last)
    if unfinished.size:
        yield number, [unfinished.ended(unfinished.nothing)]


def _within(line: Any, limit: int) -> Any:
    if isinstance(line, DecodeError) or len(line) - 1 <= limit:
        return line
    return _too_long(line, limit)


def _is_ended(line: Chunk) -> bool:
    return line[-1:] in ("\n", b"\n")


def _too_long(line: Chunk, limit: int) -> DecodeError:
    shown = line[:_SHOWN]
    value = shown[:-1] if _is_ended(shown) else shown
    return DecodeError(f"a line of at most {limit} bytes", value=value)


class _Unfinished:
    """The line that no line feed has ended yet."""

    __slots__ = ("_limit", "_pieces", "nothing", "size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: list[Any] = []
        self.nothing: Any = ""
        self.size = 0

    def add(self, piece: Chunk) -> None:
        """Take what a chunk holds of the line."""
        self.nothing = piece[:0]
        self.size += len(piece)
        # The line feed doesn't count, and whether this ends in one isn't looked at for every piece.
        if self.size > self._limit + 1:
            self._pieces = [self.nothing.join([*self._pieces, piece[:_SHOWN]])[:_SHOWN]]
        elif piece:
            self._pieces.append(piece)

    def ended(self, piece: Chunk) -> Chunk | DecodeError:
        """Return the line that ends with a piece, and begin the next."""
        if not self.size:
            return piece
        self.add(piece)
        whole: Chunk = self.nothing.join(self._pieces)
        size = self.size - _is_ended(piece)
        self.size, self._pieces = 0, []
        return whole if size <= self._limit else _too_long(whole, self._limit)
