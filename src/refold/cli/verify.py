"""Try the laws on files; a broken one comes with a small counterexample."""

from __future__ import annotations

import argparse

from refold.cli.exits import FAILED
from refold.cli.files import Reading, add_file_arguments
from refold.decode import encode_line
from refold.laws import LAWS, Broken, check

__all__ = ["add_arguments", "run"]

_SHOWN = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold verify``."""
    add_file_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Try the laws on each file and return the exit code."""
    reading = Reading(arguments)
    failed = False
    for file in arguments.files:
        messages = list(reading.open(file).messages)
        broken = check(messages)
        failed = failed or bool(broken)
        held = len(LAWS) - len(broken)
        print(f"{file}: {len(messages)} messages, {held} of {len(LAWS)} laws hold")
        for each in broken:
            _print_broken(each)
    return FAILED if failed else reading.code


def _print_broken(broken: Broken) -> None:
    print(f"  law {broken.law.number}, {broken.law.name}: {broken.law.says}")
    print(f"    {broken.difference}")
    print(f"    broken by {len(broken.messages)} messages:")
    for message in broken.messages[:_SHOWN]:
        print(f"      {encode_line(message)}")
    if len(broken.messages) > _SHOWN:
        print(f"      … and {len(broken.messages) - _SHOWN} more")
