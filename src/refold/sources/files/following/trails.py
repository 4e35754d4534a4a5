"""The values of one trace that grows, in one file or in shards that follow each other.

Rules of this file:

- A shard is read to its end before the next is opened; once there is a next, nothing grows any
  more in front of it.
- A file's last line may have no line feed: it counts when it is whole, or when the next shard is
  there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from refold.sources.files.following.arriving import Arriving, Values
from refold.sources.files.following.growing import Growing, GrowingFile

__all__ = ["Later", "Trail"]

Later: TypeAlias = Callable[[Path], Path | None]
"""From a shard to the one behind it, if there is one by now."""


class Trail:
    """One trace, as far as it was read.

    Args:
        first: its first file, or a stream.
        values: makes what turns the bytes of a file into values, from what errors call it.
        later: tells the shard behind one.
    """

    def __init__(
        self,
        first: Growing,
        values: Callable[[str | None], Arriving],
        later: Later = lambda _: None,
    ) -> None:
        self.paths: list[Path] = []
        self._new_values = values
        self._later = later
        self._next: Path | None = None
        self._path: Path | None = None
        self._open(first)

    @property
    def void(self) -> bool:
        """Whether what was read doesn't hold any more, and reading must begin anew."""
        return self._file.replaced or self._values.void

    @property
    def name(self) -> str:
        """What errors call what was read last."""
        return self._file.name

    @property
    def lane(self) -> str:
        """The name of the file that was read last, without its directory."""
        return self._file.name if self._path is None else self._path.name

    def read(self) -> Values:
        """Return the next values, those of a chunk at most; none if there are none now.

        Raises:
            OSError: a file is there, but can't be read.
        """
        values: Values | None = []
        while values == [] and not self.void:
            values = self._step()
        return [] if self.void else values or []

    def _step(self) -> Values | None:
        """Go one step on: to what came, to the next shard, or (None) nowhere."""
        chunk = self._file.read()
        if chunk:
            return self._values.take(chunk)
        if self._file.ended:
            return self._values.end() or None
        if self._next is None:
            # It may have grown between its end and the look that finds the next shard.
            self._next = None if self._path is None else self._later(self._path)
            return self._values.pause() or (None if self._next is None else [])
        values = self._values.end()
        if not values:
            self._open(GrowingFile(self._next))
        return values

    def _open(self, file: Growing) -> None:
        self._file = file
        self._next = None
        self._path = file.path if isinstance(file, GrowingFile) else None
        self.paths += [] if self._path is None else [self._path]
        self._values = self._new_values(file.name)
