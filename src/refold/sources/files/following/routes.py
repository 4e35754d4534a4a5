"""The way from the files of a session to its messages, whatever the format.

Rules of this file:

- What an item gives is given whole: whoever takes it may stop behind any item, and what wasn't
  taken comes the next time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from refold.messages import Message
from refold.sources.files.following.strands import Strand, braided
from refold.sources.files.following.trails import Trail

__all__ = ["Route"]


class Route(ABC):
    """The way from files that grow to messages.

    Args:
        format: the name of the format.
    """

    def __init__(self, format: str) -> None:
        self.format = format
        self._strands: list[Strand] = []
        self._trails: list[Trail] = []

    @property
    def void(self) -> bool:
        """Whether what was read doesn't hold any more."""
        return any(each.void for each in self._trails)

    @property
    def paths(self) -> list[Path]:
        """The files that are read so far."""
        return [path for trail in self._trails for path in trail.paths]

    def arrived(self) -> Iterator[tuple[Message, ...]]:
        """Yield the messages of each item that came since; what isn't taken comes the next time."""
        self._strands += self._appeared()
        for strand, item in braided(self._strands, self._beginning):
            yield self._messages(strand, item)

    def _beginning(self, strand: Strand, item: Any) -> list[Strand]:
        strands = self._beside(strand, item)
        self._strands += strands
        return strands

    @abstractmethod
    def due(self) -> tuple[Message, ...]:
        """Return what would be due if nothing came any more."""

    @abstractmethod
    def counts(self) -> dict[str, int]:
        """Return how many records were not understood so far, by reason."""

    @abstractmethod
    def _messages(self, strand: Strand, item: Any) -> tuple[Message, ...]:
        """Return what an item gives."""

    def _appeared(self) -> list[Strand]:
        """Return the strands that appeared since the last time."""
        return []

    def _beside(self, strand: Strand, item: Any) -> list[Strand]:
        """Return the strands that begin with an item."""
        return []
