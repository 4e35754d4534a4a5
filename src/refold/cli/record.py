"""Turn a live capture into a trace: JSON Lines without partials."""

from __future__ import annotations

import argparse

from refold.cli.files import Reading, add_file_arguments, output
from refold.decode import encode_line
from refold.recording import record

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold record``."""
    add_file_arguments(parser)
    parser.add_argument("-o", "--output", default="-", metavar="OUT", help="where to write it")


def run(arguments: argparse.Namespace) -> int:
    """Write the trace and return the exit code."""
    reading = Reading(arguments)
    with output(arguments.output) as out:
        for message in record(reading.open(*arguments.files).messages):
            out.write(encode_line(message) + "\n")
    return reading.code
