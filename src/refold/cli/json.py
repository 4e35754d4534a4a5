"""Print a session's view as JSON."""

from __future__ import annotations

import argparse
import json
import sys
import time

from refold.cli.files import Reading, add_file_arguments
from refold.folding import replay
from refold.views import settled, to_json

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold json``."""
    add_file_arguments(parser)
    parser.add_argument(
        "--settled", action="store_true", help="at rest, without what belongs to a local clock"
    )
    parser.add_argument(
        "--now-ms", type=int, metavar="N", help="the clock, in Unix milliseconds; now if left out"
    )
    parser.add_argument("--indent", type=int, metavar="N", help="indent by N spaces")


def run(arguments: argparse.Namespace) -> int:
    """Print the view and return the exit code."""
    reading = Reading(arguments)
    now_ms = time.time_ns() // 1_000_000 if arguments.now_ms is None else arguments.now_ms
    session = replay(reading.open(*arguments.files).messages, now_ms=now_ms)
    view = to_json(settled(session) if arguments.settled else session)
    json.dump(view, sys.stdout, indent=arguments.indent, allow_nan=False)
    print()
    return reading.code
