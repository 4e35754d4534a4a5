"""Bytes that arrive bit by bit to values, as soon as these are whole.

Rules of this file:

- What isn't whole is kept until it is: a torn last line, an event without its blank line.
- A JSON object that stands whole on a line is a value before its line feed comes: an object can't
  go on behind its brace, and many a writer ends a line only when it begins the next.
- Lines are counted from the beginning, whatever the pieces.
- A document has no whole parts: when it grows, what was given of it is void.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Protocol, TypeAlias

from refold.decode.json_lines import json_lines, placed
from refold.decode.json_text import parse
from refold.decode.lines import MAX_LINE
from refold.errors import DecodeError
from refold.sources.shapes import Shape, values_in

__all__ = ["Arriving", "Values", "arriving"]

Values: TypeAlias = list[tuple[int | None, Any]]

_LONGEST_EARLY: Final = 1 << 20


class Arriving(Protocol):
    """What turns the bytes of one file into values."""

    @property
    def void(self) -> bool:
        """Whether what was given doesn't hold any more."""
        ...

    def take(self, chunk: bytes) -> Values:
        """Return the values that bytes complete."""
        ...

    def pause(self) -> Values:
        """Return what stands whole at the end of what has come, though more may come."""
        ...

    def end(self) -> Values:
        """Return what is left, now that no more comes."""
        ...


def arriving(shape: Shape, *, name: str | None, prose: bool) -> Arriving:
    """Return what turns the bytes of a file of a shape into values.

    Args:
        shape: the shape of its text.
        name: what errors call it.
        prose: whether lines that are no JSON object are given as text, as in a log.
    """
    if shape == "lines":
        return _Lines(name, prose=prose)
    return _Events(name) if shape == "events" else _Document(name)


class _Lines:
    void = False

    def __init__(self, name: str | None, *, prose: bool) -> None:
        self._name = name
        self._prose = prose
        self._line = 1
        self._rest = _Rest()

    def take(self, chunk: bytes) -> Values:
        head, line_feed, rest = chunk.rpartition(b"\n")
        if not line_feed:
            self._rest.add(rest)
            return []
        values = self._values(self._rest.taken() + head + line_feed)
        self._rest.add(rest)
        return values

    def pause(self) -> Values:
        rest = self._rest
        if not rest.may_be_whole():
            return []
        text = rest.taken()
        try:
            value = parse(text)
        except DecodeError:
            rest.add(text, tried=True)
            return []
        if type(value) is not dict:
            rest.add(text, tried=True)
            return []
        return [(self._line, value)]

    def end(self) -> Values:
        return self._values(self._rest.taken())

    def _values(self, text: bytes) -> Values:
        # Whoever takes a message bounds its depth; of prose, nobody else does.
        prose = self._prose
        found = json_lines([text], name=self._name, bounded=prose, prose=prose)
        before = self._line - 1
        values: Values = [(before + line, _moved(value, before)) for line, value in found]
        self._line += text.count(b"\n")
        return values


class _Rest:
    """A line that hasn't ended; of one that is too long, its beginning."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._tried = True

    def add(self, piece: bytes, *, tried: bool = False) -> None:
        if piece and self._size <= MAX_LINE:
            self._pieces.append(piece)
            self._size += len(piece)
            self._tried = tried

    def taken(self) -> bytes:
        whole = b"".join(self._pieces)
        self._pieces, self._size, self._tried = [], 0, True
        return whole

    def may_be_whole(self) -> bool:
        """Tell whether it ends as an object does, and wasn't found unfinished before."""
        if self._tried or self._size > _LONGEST_EARLY:
            return False
        return self._pieces[-1].rstrip().endswith(b"}")


class _Events:
    void = False

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._line = 1
        self._rest = b""

    def take(self, chunk: bytes) -> Values:
        whole = self._rest + chunk
        end = max(_behind(whole, b"\n\n"), _behind(whole, b"\n\r\n"))
        self._rest = whole[end:]
        values = self._values(whole[:end])
        return values + self.end() if len(self._rest) > MAX_LINE else values

    def pause(self) -> Values:
        return []

    def end(self) -> Values:
        rest, self._rest = self._rest, b""
        return self._values(rest)

    def _values(self, text: bytes) -> Values:
        before = self._line - 1
        found = values_in([text], "events", name=self._name) if text else ()
        values: Values = [
            (None if line is None else before + line, _moved(value, before))
            for line, value in found
        ]
        self._line += text.count(b"\n")
        return values


class _Document:
    def __init__(self, name: str | None) -> None:
        self.void = False
        self._name = name
        self._pieces: list[bytes] = []
        self._given = False

    def take(self, chunk: bytes) -> Values:
        self.void = self._given
        self._pieces.append(chunk)
        return []

    def pause(self) -> Values:
        if self._given or not self._pieces:
            return []
        self._given = True
        pieces: Iterable[bytes] = self._pieces
        return list(values_in(pieces, "document", name=self._name))

    def end(self) -> Values:
        return self.pause()


def _behind(text: bytes, end: bytes) -> int:
    at = text.rfind(end)
    return 0 if at < 0 else at + len(end)


def _moved(value: Any, lines: int) -> Any:
    """Return a value; an error among them says the line in the file, not in the piece."""
    if isinstance(value, DecodeError) and value.line is not None:
        return placed(value, value.line + lines, value.source)
    return value
