"""Files on the command line: their arguments, their messages, and what couldn't be read.

Rules of this file:

- A line that can't be read is reported with its place on standard error, and the rest is read.
- ``-`` is standard input, and standard output where a file is written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from refold.cli.exits import DONE, INCOMPLETE
from refold.cli.saying import say
from refold.errors import RefoldError, told
from refold.sources.files import Trace, open_trace

__all__ = ["Reading", "add_file_arguments", "output"]


def add_file_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that reads sessions."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a trace, a live capture, another agent's transcript, a session's folder, or -",
    )
    parser.add_argument(
        "--format", help="the files' format; told from the first records if left out"
    )


class Reading:
    """What is read for one command, and how much of it couldn't be.

    Args:
        arguments: parsed by a parser that has ``add_file_arguments``.
    """

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._format = arguments.format
        self._reported = 0

    def open(self, *files: str) -> Trace:
        """Return the messages of one session's files."""
        return open_trace(*files, format=self._format, errors=self.report)

    def report(self, error: RefoldError | OSError) -> None:
        """Report a line, or a file, that can't be read."""
        self._reported += 1
        say(told(error))

    @property
    def code(self) -> int:
        """The exit code: done, or done but for what was reported."""
        return INCOMPLETE if self._reported else DONE


@contextmanager
def output(path: str) -> Iterator[IO[str]]:
    """Open a file to write text to; ``-`` is standard output."""
    if path == "-":
        yield sys.stdout
    else:
        with Path(path).open("w", encoding="utf-8") as file:
            yield file
