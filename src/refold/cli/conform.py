"""Run golden cases and say of each that fails what differs first.

Rules of this file:

- The last line says how many passed. No case at all is wrong usage: nothing was tried.
- A file that can't be read is named on standard error, and the others are run.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from refold.cli.exits import DONE, FAILED, INCOMPLETE, UNUSABLE
from refold.cli.saying import say
from refold.conformance import run_case
from refold.decode.json_lines import json_lines
from refold.errors import DecodeError, told
from refold.sources.files.inputs import opened

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold conform``."""
    parser.add_argument("cases", nargs="+", metavar="CASES", help="JSON Lines, a case a line, or -")


def run(arguments: argparse.Namespace) -> int:
    """Run the cases and return the exit code; the last line says how many passed."""
    passed = failed = unread = 0
    for file in arguments.cases:
        try:
            for passes in _tried(file):
                passed += passes
                failed += not passes
        except OSError as error:
            unread += 1
            say(told(error))
    tried = passed + failed
    if tried or not unread:
        print(f"{passed} passed, {failed} failed")
    if not tried:
        return UNUSABLE
    return FAILED if failed else INCOMPLETE if unread else DONE


def _tried(file: str) -> Iterator[bool]:
    """Print what differs first in each case of a file that fails, and yield of each if it passes."""
    for line, case in _cases(file):
        found = _found(case)
        if found is not None:
            place = "" if isinstance(case, DecodeError) else f"{_name(case, file, line)}: "
            print(f"{place}{found}")
        yield found is None


def _cases(file: str) -> Iterator[tuple[int | None, Any]]:
    source = opened(file)
    return json_lines(source.chunks, name=source.name, bounded=False)


def _found(case: Any) -> str | None:
    if isinstance(case, DecodeError):
        return str(case)
    if type(case) is not dict:
        return "expected a case: an object with steps"
    try:
        return run_case(case)
    except DecodeError as error:
        return str(error)


def _name(case: Any, file: str, line: int | None) -> str:
    return str(case["name"]) if type(case) is dict and "name" in case else f"{file}, line {line}"
