"""The command line: its parser, and what every subcommand shares.

Rules of this file:

- Diagnostics go to standard error, each with its place; what was asked for goes to standard output.
- A closed pipe or an interrupt ends the command quietly; an expected error is one line.
- A subcommand's module is imported when it is called: ``refold json`` needs no terminal library.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Literal, TextIO

from refold.cli.collecting import collecting_rarely
from refold.cli.exits import DONE, INTERRUPTED, UNUSABLE
from refold.cli.saying import say
from refold.errors import RefoldError, told

__all__ = ["SUBCOMMANDS", "main", "make_parser"]

SUBCOMMANDS = {
    "show": "show a session in the terminal",
    "json": "print the view as JSON",
    "record": "turn a live capture into a trace",
    "convert": "write any format as OmniMessages",
    "tail": "follow a growing file in the terminal",
    "serve": "show growing sessions in a browser",
    "stats": "where time, tokens and money went",
    "report": "write one self-contained HTML page",
    "diff": "what differs between two sessions",
    "verify": "try the laws on files",
    "conform": "run golden cases",
}


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command; subcommands add their own arguments when called."""
    parser = argparse.ArgumentParser(
        prog="refold",
        description="Fold the messages of an AI agent into one view: the same live or replayed.",
    )
    parser.add_argument("--version", action="version", version=f"refold {_version()}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, says in SUBCOMMANDS.items():
        subparsers.add_parser(name, help=says, add_help=False)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    Args:
        arguments: the words behind ``refold``; those of the process if left out.
    """
    _prepare_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(words)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (RefoldError, OSError) as error:
        say(told(error))
        return UNUSABLE
    return code


def _run(words: list[str]) -> int:
    if not words or words[0] not in SUBCOMMANDS:
        make_parser().parse_args(words)
        return DONE
    module = import_module(f"refold.cli.{words[0]}")
    parser = argparse.ArgumentParser(
        prog=f"refold {words[0]}", description=str(module.__doc__).splitlines()[0]
    )
    module.add_arguments(parser)
    options = parser.parse_args(words[1:])
    with collecting_rarely():
        code: int = module.run(options)
    return code


def _version() -> str:
    from importlib.metadata import version  # noqa: PLC0415 - only asked for by --version

    return version("refold")


def _prepare_streams() -> None:
    """Let no character, however odd or wherever it came from, and no closed stream end the command."""
    sys.stdin = sys.stdin or _nothing("r")
    sys.stdout = sys.stdout or _nothing("w")
    sys.stderr = sys.stderr or _nothing("w")
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _nothing(mode: Literal["r", "w"]) -> TextIO:
    """Return what stands for a stream that whoever started the command closed."""
    return Path(os.devnull).open(mode, encoding="utf-8")


def _forget_output() -> None:
    """Keep the interpreter from flushing into a closed pipe when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
