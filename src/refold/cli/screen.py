"""A terminal with a part that is written over: lines that stay, and below them lines that don't.

Rules of this file:

- What stays is written once, in front of what doesn't; where nobody looks, nothing else is written.
- Only two things are asked of a terminal: to go up some lines, and to clear what is below.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from refold.cli.terminal import Terminal
from refold.render.terminal.lines import Line

__all__ = ["Screen"]

_UP: Final = "\x1b[{}A"
_CLEAR_BELOW: Final = "\r\x1b[J"


class Screen:
    """Writes to a terminal.

    Args:
        terminal: where and how.
    """

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._drawn: list[str] = []

    def write(self, lines: Sequence[Line]) -> None:
        """Write lines that stay."""
        if lines:
            self.draw(())
            self.terminal.write(lines)
            self.terminal.stream.flush()

    def draw(self, lines: Sequence[Line]) -> None:
        """Write lines in place of those drawn before."""
        painted = [self.terminal.paint(line) for line in lines]
        if not self.terminal.is_live or painted == self._drawn:
            return
        up = _UP.format(len(self._drawn)) + _CLEAR_BELOW if self._drawn else ""
        text, write = up + "".join([text + "\n" for text in painted]), self.terminal.stream.write
        # An interrupt comes when a call returns: what is being written counts as drawn.
        self._drawn = painted
        write(text)
        self.terminal.stream.flush()
