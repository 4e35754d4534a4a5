"""Say what differs between two sessions.

Rules of this file:

- Settled views are compared: two runs, a run live and stored, or one file under two versions.
- Exit code 0 says that they are the same, 1 that they are not.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from refold.cli.exits import FAILED
from refold.cli.files import Reading
from refold.cli.progress import Progress
from refold.cli.show import tell_counts, tell_format
from refold.cli.terminal import add_terminal_arguments, terminal_of
from refold.differences import ABSENT, Difference, Ignored, differences
from refold.folding import replay
from refold.render.terminal.comparison import difference_lines
from refold.views import View, settled

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold diff``."""
    parser.add_argument(
        "a", metavar="A", help="a session's file or folder, or - for standard input"
    )
    parser.add_argument("b", metavar="B", help="another's")
    parser.add_argument("--format", help="the files' format; told from the first records")
    parser.add_argument(
        "--ignore-times", action="store_true", help="don't compare times, durations and speed"
    )
    parser.add_argument(
        "--ignore-ids", action="store_true", help="don't compare ids of calls and sessions"
    )
    parser.add_argument("--json", action="store_true", help="as a JSON array of {path, a, b}")
    add_terminal_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what differs and return the exit code."""
    reading = Reading(arguments)
    a, b = _view(arguments.a, reading, arguments), _view(arguments.b, reading, arguments)
    ignored = Ignored(times=arguments.ignore_times, ids=arguments.ignore_ids)
    found = differences(a, b, ignored)
    if arguments.json:
        json.dump([_plain(each) for each in found], sys.stdout, indent=1, allow_nan=False)
        print()
    else:
        terminal = terminal_of(arguments)
        terminal.write(difference_lines(found, terminal.layout))
    return FAILED if found else reading.code


def _view(file: str, reading: Reading, arguments: argparse.Namespace) -> View:
    trace = reading.open(file)
    tell_format(trace.format, asked=arguments.format)
    with Progress(sys.stderr) as progress:
        # Nothing that is settled depends on the clock.
        session = replay(progress.counted(trace.messages, "messages"), now_ms=0)
    tell_counts(trace.counts())
    return settled(session)


def _plain(found: Difference) -> dict[str, Any]:
    """Return a difference as plain JSON; a side that has nothing there is left out."""
    shown = {"path": found.path}
    if found.path_b != found.path:
        shown["path_b"] = found.path_b
    sides = {"a": found.a, "b": found.b}
    return {**shown, **{side: value for side, value in sides.items() if value is not ABSENT}}
