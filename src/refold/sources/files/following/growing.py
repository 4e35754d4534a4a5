"""Something that grows, as the bytes that came since the last look.

Rules of this file:

- A file that is shorter than what was read of it, or holds other bytes in front of where reading
  stands, was replaced. Its name, its inode and its times say nothing: writers that replace a file
  by a longer copy of it only made it grow.
- A file that isn't there has nothing new: it may come, or come back.
- Nothing waits here: what there is is given, and nothing if there is nothing.
"""

from __future__ import annotations

import os
import select
from pathlib import Path
from typing import Final, Protocol

from refold.sources.files.looks import Look, look_at

__all__ = ["CHUNK", "Growing", "GrowingFile", "GrowingStream"]

CHUNK: Final = 1 << 18

_REMEMBERED: Final = 256


class Growing(Protocol):
    """A file or a stream that grows."""

    @property
    def name(self) -> str:
        """What errors call it."""
        ...

    @property
    def replaced(self) -> bool:
        """Whether what was read is void."""
        ...

    @property
    def ended(self) -> bool:
        """Whether nothing can come any more."""
        ...

    def look(self) -> Look:
        """Return a first look at it, which takes nothing away."""
        ...

    def read(self) -> bytes:
        """Return the next bytes, ``CHUNK`` at most; none if there are none now."""
        ...


class GrowingFile:
    """A file that grows, that may be replaced, and that may not be there yet.

    Args:
        path: where it is.
    """

    ended = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)
        self.replaced = False
        self._offset = 0
        self._before = b""
        self._read_whole_at: tuple[int, ...] | None = None

    def look(self) -> Look:
        """Return a first look at the file.

        Raises:
            OSError: it can't be read.
        """
        return look_at(self.path)

    def read(self) -> bytes:
        """Return the next bytes, ``CHUNK`` at most; none if there are none now.

        Raises:
            OSError: it is there, but can't be read.
        """
        state = self._state()
        if state is None or state == self._read_whole_at:
            return b""
        found = self._found()
        if not found.startswith(self._before):
            self.replaced = True
            return b""
        fresh = found[len(self._before) :]
        self._read_whole_at = state if len(fresh) < CHUNK else None
        self._offset += len(fresh)
        self._before = found[-_REMEMBERED:]
        return fresh

    def _state(self) -> tuple[int, ...] | None:
        try:
            state = self.path.stat()
        except FileNotFoundError:
            return None
        return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns

    def _found(self) -> bytes:
        """Return what is remembered of what was read, if it still stands there, and what follows."""
        with self.path.open("rb", buffering=0) as file:
            file.seek(self._offset - len(self._before))
            return file.read(len(self._before) + CHUNK)


class GrowingStream:
    """A pipe, or anything else that is read once.

    Args:
        descriptor: an open file descriptor to read from; it stays open.
        name: what errors call it.
    """

    replaced = False

    def __init__(self, descriptor: int, name: str) -> None:
        self.ended = False
        self.name = name
        self._descriptor = descriptor
        self._held = b""

    def look(self) -> Look:
        """Return a first look at what has come so far."""
        self._held += self._arrived()
        return look_at([self._held] if self._held else [])

    def read(self) -> bytes:
        """Return the next bytes, those of the look first; none if there are none now."""
        held, self._held = self._held, b""
        return held or self._arrived()

    def _arrived(self) -> bytes:
        if self.ended or not select.select([self._descriptor], [], [], 0)[0]:
            return b""
        chunk = os.read(self._descriptor, CHUNK)
        self.ended = not chunk
        return chunk
