"""Try the laws on files; a broken one comes with a small counterexample.

Rules of this file:

- A file that can't be read is named on standard error, and the others are tried.
"""

from __future__ import annotations

import argparse

from refold.cli.exits import FAILED, UNUSABLE
from refold.cli.files import Reading, add_file_arguments
from refold.decode import encode_line
from refold.errors import RefoldError
from refold.laws import LAWS, Broken, check
from refold.messages import Message
from refold.render.terminal.harmless import one_line

__all__ = ["add_arguments", "run"]

_SHOWN = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold verify``."""
    add_file_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Try the laws on each file and return the exit code."""
    reading = Reading(arguments)
    failed = False
    tried = 0
    for file in arguments.files:
        try:
            messages = list(reading.open(file).messages)
        except (RefoldError, OSError) as error:
            reading.report(error)
            continue
        tried += 1
        failed = not _holds(file, messages) or failed
    if not tried:
        return UNUSABLE
    return FAILED if failed else reading.code


def _holds(file: str, messages: list[Message]) -> bool:
    """Print which laws hold on a file's messages, and return whether all of them do."""
    broken = check(messages)
    held = len(LAWS) - len(broken)
    print(f"{one_line(file)}: {len(messages)} messages, {held} of {len(LAWS)} laws hold")
    for each in broken:
        _print_broken(each)
    return not broken


def _print_broken(broken: Broken) -> None:
    print(f"  law {broken.law.number}, {broken.law.name}: {broken.law.says}")
    print(f"    {broken.difference}")
    print(f"    broken by {len(broken.messages)} messages:")
    for message in broken.messages[:_SHOWN]:
        print(f"      {encode_line(message)}")
    if len(broken.messages) > _SHOWN:
        print(f"      … and {len(broken.messages) - _SHOWN} more")
