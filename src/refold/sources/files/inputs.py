"""A path, standard input, an open file or lines, as chunks of bytes or text.

Rules of this file:

- Nothing is opened before its first chunk is asked for; what was opened here is closed here.
- A chunk is given as soon as there is one: a line that was written to a pipe is not waited behind.
- A small file is closed before its content is used: many can be read side by side.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final, TypeAlias, cast

from refold.decode.lines import Chunk
from refold.records import record

__all__ = ["Input", "Opened", "is_pipe", "opened"]

Input: TypeAlias = "str | os.PathLike[str] | IO[bytes] | IO[str] | Iterable[str | bytes]"

_CHUNK: Final = 1 << 18


@record
class Opened:
    """Something that can be read once.

    Args:
        name: what errors call it, or None.
        lane: its file name, or None.
        chunks: its content, all bytes or all text.
    """

    name: str | None
    lane: str | None
    chunks: Iterator[Chunk]


def opened(source: Input) -> Opened:
    """Return how to read a source.

    Args:
        source: a path, ``-`` for standard input, an open file (which stays open), or lines.
    """
    if isinstance(source, str | os.PathLike):
        if source == "-":
            return Opened(name="<stdin>", lane="<stdin>", chunks=_standard_input())
        path = Path(source)
        return Opened(name=os.fspath(source), lane=path.name, chunks=_file_chunks(path))
    if hasattr(source, "read"):
        file = cast("IO[Any]", source)
        name = file.name if isinstance(getattr(file, "name", None), str) else None
        lane = None if name is None else Path(name).name
        return Opened(name=name, lane=lane, chunks=_stream_chunks(file))
    return Opened(name=None, lane=None, chunks=_line_chunks(source))


def is_pipe(path: Path) -> bool:
    """Return whether a path is a pipe or a device: what is read of it is gone.

    Args:
        path: of anything, or of nothing.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _standard_input() -> Iterator[Chunk]:
    yield from _stream_chunks(getattr(sys.stdin, "buffer", sys.stdin))


def _file_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb", buffering=0) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode) or state.st_size > _CHUNK:
            while chunk := file.read(_CHUNK):
                yield chunk
            return
        whole = file.read()
    yield whole


def _stream_chunks(file: IO[Any]) -> Iterator[Chunk]:
    """Read what there is: a text file only tells by its lines."""
    take = getattr(file, "read1", None)
    if take is None:
        take = file.readline if isinstance(file.read(0), str) else file.read
    while chunk := take(_CHUNK):
        yield chunk


def _line_chunks(lines: Iterable[str | bytes]) -> Iterator[Chunk]:
    for line in lines:
        if isinstance(line, str):
            yield line if line.endswith("\n") else line + "\n"
        elif isinstance(line, bytes):
            yield line if line.endswith(b"\n") else line + b"\n"
        else:
            raise TypeError(f"a line is str or bytes, not {type(line).__name__}")
