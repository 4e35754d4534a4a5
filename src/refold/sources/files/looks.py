"""A first look at a file: its shape and its first records.

Rules of this file:

- What was read for the look is read again, so nothing of a pipe is lost.
- What is compressed is not unpacked here, but said to be so: nothing else in it can be told.
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
from refold.sources.registry import FormatError, detect
from refold.sources.shapes import Shape, shape_of, values_in
from refold.sources.source import Source

__all__ = ["Look", "detected", "look_at"]

_SAMPLE: Final = 32
_FIRST_LOOK: Final = 1 << 16
_LONG_LOOK: Final = 1 << 24
_COMPRESSIONS: Final = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip",
}


@record
class Look:
    """A file whose beginning has been looked at.

    Args:
        source: where it came from.
        name: what errors call it.
        lane: its file name.
        shape: the shape of its text.
        values: its first records.
        compression: how it is compressed, if it is.
        chunks: its content, from the beginning.
    """

    source: Input
    name: str | None
    lane: str | None
    shape: Shape
    values: list[Any]
    compression: str | None
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
        compression=_compression(head),
        chunks=chain(head, file.chunks),
    )


def detected(look: Look) -> Source:
    """Return the one source that recognises what a look showed.

    Args:
        look: at a file's beginning.

    Raises:
        FormatError: it is compressed, or no source recognises it, or more than one does.
    """
    name = look.name or "the input"
    if look.compression is not None:
        raise FormatError(f"{name} is compressed ({look.compression}): unpack it first")
    return detect(look.values, name=name)


def _compression(head: list[Chunk]) -> str | None:
    beginning = head[0] if head else b""
    if isinstance(beginning, str):
        return None
    return next(
        (name for magic, name in _COMPRESSIONS.items() if beginning.startswith(magic)), None
    )


def _enough(values: list[Any], size: int) -> bool:
    return len(values) == _SAMPLE or (size >= _LONG_LOOK and bool(values))


def _sample(head: list[Chunk]) -> list[Any]:
    values = (value for _, value in values_in(head, shape_of(head)))
    return list(islice((each for each in values if not isinstance(each, DecodeError)), _SAMPLE))
