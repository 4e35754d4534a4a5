"""The terminal that a command writes to: how wide it is, and whether it has colours.

Rules of this file:

- The only room that asks the terminal and the environment; everything else is told.
- Where output is no terminal it has no colours and 100 columns, whoever runs the command.
- ``NO_COLOR`` and ``TERM=dumb`` are respected; ``--color`` and ``--no-color`` decide over both.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable
from typing import IO, Final

from dateutil.tz import UTC, tzlocal

from refold.errors import MissingExtraError
from refold.records import record
from refold.render.terminal import LEAST_WIDTH, Layout, Painter, coloured, has_rich, plain
from refold.render.terminal.lines import Line

__all__ = ["Terminal", "add_terminal_arguments", "terminal_of"]

_PIPED_WIDTH: Final = 100


@record
class Terminal:
    """Where and how to write.

    Args:
        stream: where to.
        layout: how lines are laid out.
        paint: a line as text.
        is_live: whether lines can be taken back: somebody looks at it, and it obeys.
    """

    stream: IO[str]
    layout: Layout
    paint: Painter
    is_live: bool

    def write(self, lines: Iterable[Line]) -> None:
        """Write lines, each as soon as there is one."""
        for line in lines:
            self.stream.write(self.paint(line) + "\n")


def add_terminal_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that shows something to a person."""
    parser.add_argument("--width", type=int, metavar="N", help="columns; as the terminal has")
    parser.add_argument(
        "--color",
        action=argparse.BooleanOptionalAction,
        help="colours (extra cli); where output is a terminal, unless NO_COLOR is set",
    )
    parser.add_argument("--full", action="store_true", help="everything long, whole")
    parser.add_argument("--utc", action="store_true", help="times in UTC, not the local zone")


def terminal_of(arguments: argparse.Namespace) -> Terminal:
    """Return the terminal that standard output is.

    Args:
        arguments: parsed by a parser that has ``add_terminal_arguments``.

    Raises:
        MissingExtraError: ``--color`` was given, and ``rich`` isn't installed.
    """
    stream = sys.stdout
    is_terminal = stream.isatty()
    width = arguments.width or (shutil.get_terminal_size().columns if is_terminal else _PIPED_WIDTH)
    layout = Layout(
        width=max(width, LEAST_WIDTH),
        full=arguments.full,
        zone=UTC if arguments.utc else tzlocal(),
    )
    is_live = is_terminal and os.environ.get("TERM") != "dumb"
    return Terminal(
        stream=stream,
        layout=layout,
        paint=coloured if _has_colours(arguments.color, is_live=is_live) else plain,
        is_live=is_live,
    )


def _has_colours(wanted: bool | None, *, is_live: bool) -> bool:
    if wanted and not has_rich():
        raise MissingExtraError("--color", "cli")
    if wanted is not None:
        return wanted
    return is_live and not os.environ.get("NO_COLOR") and has_rich()
