"""A progress bar on standard error, where somebody looks at it.

Rules of this file:

- Nothing is written where standard error is no terminal, and nothing is left behind.
- One line, rewritten; it asks no clock. Where nobody knows how many there are, it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import IO, Self, TypeVar

__all__ = ["Progress"]

T = TypeVar("T")

_WIDTH = 30
_CLEAR = "\r\x1b[K"
_EVERY = 10_000


class Progress:
    """A bar for a known number of steps; a context that clears it.

    Args:
        stream: where to write.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._shown = stream.isatty()
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()

    def step(self, done: int, total: int) -> None:
        """Show how many are done.

        Args:
            done: how many.
            total: how many there are.
        """
        if not self._shown or total <= 1:
            return
        filled = _WIDTH * done // total
        bar = "█" * filled + "░" * (_WIDTH - filled)
        self._draw(f"{bar} {done:,} of {total:,}")

    def counted(self, items: Iterable[T], noun: str) -> Iterator[T]:
        """Yield items, and show how many there were so far.

        Args:
            items: however many.
            noun: what they are, in the plural.
        """
        for count, item in enumerate(items):
            if self._shown and count and not count % _EVERY:
                self._draw(f"{count:,} {noun}…")
            yield item

    def _draw(self, text: str) -> None:
        self._stream.write(_CLEAR + text)
        self._stream.flush()
        self._drawn = True
