"""Chunks of a file to its lines, in bounded memory.

Rules of this file (sources/census.md 7):

- Only a line feed ends a line: JSON texts may hold every other line separator there is.
- A last line without its line feed is a line.
- A line over the limit is never held: its beginning is kept to show, the rest is passed over.
- Bytes and text are split alike; nothing here decodes, parses or opens anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from refold.errors import DecodeError

__all__ = ["MAX_LINE", "Chunk", "line_batches"]

MAX_LINE = 64 * 1024 * 1024

_SHOWN = 64

Chunk: TypeAlias = str | bytes


def line_batches(
    chunks: Iterable[Chunk], limit: int = MAX_LINE
) -> Iterator[tuple[int, list[Chunk | DecodeError]]]:
    """Yield, as soon as lines have ended, the number of the first (1-based) and the lines.

    Args:
        chunks: all bytes or all text, cut anywhere.
        limit: the most bytes (characters of a text) of a line; a longer one is an error.
    """
    number = 1
    unfinished = _Unfinished(limit)
    for chunk in chunks:
        parts: list[Any] = chunk.split(b"\n" if isinstance(chunk, bytes) else "\n")  # type: ignore[arg-type]
        last = parts.pop()
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
    if isinstance(line, DecodeError) or len(line) <= limit:
        return line
    return _too_long(line[:_SHOWN], limit)


def _too_long(beginning: Chunk, limit: int) -> DecodeError:
    return DecodeError(f"a line of at most {limit} bytes", value=beginning)


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
        if self.size > self._limit:
            self._pieces = [self.nothing.join([*self._pieces, piece[:_SHOWN]])[:_SHOWN]]
        elif piece:
            self._pieces.append(piece)

    def ended(self, piece: Chunk) -> Chunk | DecodeError:
        """Return the line that ends with a piece, and begin the next."""
        if not self.size:
            return piece
        self.add(piece)
        whole: Chunk = self.nothing.join(self._pieces)
        size, self.size, self._pieces = self.size, 0, []
        return whole if size <= self._limit else _too_long(whole, self._limit)
