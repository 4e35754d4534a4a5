"""A first look at a file: its shape and its first records.

Rules of this file:

- What was read for the look is read again, so nothing of a pipe is lost.
- A look holds some dozens of records, and of a file of large ones as few as tell something.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final

from refold.decode.lines import Chunk
from refold.errors import DecodeError
from refold.records import record
from refold.sources.files.inputs import Input, opened
from refold.sources.shapes import Shape, shape_of, values_in

__all__ = ["Look", "look_at"]

_SAMPLE: Final = 32
_FIRST_LOOK: Final = 1 << 16
_LONG_LOOK: Final = 1 << 24


@record
class Look:
    """A file whose beginning has been looked at.

    Args:
        source: where it came from.
        name: what errors call it.
        lane: its file name.
        shape: the shape of its text.
        values: its first records.
        chunks: its content, from the beginning.
    """

    source: Input
    name: str | None
    lane: str | None
    shape: Shape
    values: list[Any]
    chunks: Iterator[Chunk]


def look_at(source: Input) -> Look:
    """Open a source and read as much of it as tells its format.

    Args:
        source: as ``opened`` takes it.

    Raises:
        OSError: it can't be opened or read.
    """
    file = opened(source)
    head: list[Chunk] = []
    size, wanted = 0, _FIRST_LOOK
    for chunk in file.chunks:
        head.append(chunk)
        size += len(chunk)
        if size >= wanted and _enough(_sample(head), size):
            break
        wanted = max(wanted, size * 2) if size >= wanted else wanted
    return Look(
        source=source,
        name=file.name,
        lane=file.lane,
        shape=shape_of(head),
        values=_sample(head),
        chunks=chain(head, file.chunks),
    )


def _enough(values: list[Any], size: int) -> bool:
    return len(values) == _SAMPLE or (size >= _LONG_LOOK and bool(values))


def _sample(head: list[Chunk]) -> list[Any]:
    values = (value for _, value in values_in(head, shape_of(head)))
    return list(islice((each for each in values if not isinstance(each, DecodeError)), _SAMPLE))
