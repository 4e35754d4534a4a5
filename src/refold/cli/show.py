"""Show a session in the terminal.

Rules of this file:

- Several FILEs are one session: its shards, or the files of a format that has several.
- What was taken for granted is told on standard error: the format, and what wasn't understood.
- Messages are folded as they are read and not kept.
"""

from __future__ import annotations

import argparse
import sys
import time

from refold.cli.files import Reading, add_file_arguments
from refold.cli.progress import Progress
from refold.cli.saying import say
from refold.cli.terminal import add_terminal_arguments, terminal_of
from refold.folding import finalize, replay
from refold.records import evolve
from refold.render.terminal import session_lines
from refold.session import Session
from refold.sources.files import Trace

__all__ = ["add_arguments", "run", "tell_counts", "tell_format"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold show``."""
    add_file_arguments(parser)
    add_terminal_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Show the session and return the exit code."""
    terminal = terminal_of(arguments)
    reading = Reading(arguments)
    trace = reading.open(*arguments.files)
    tell_format(trace.format, asked=arguments.format)
    session = _read(trace)
    terminal.write(session_lines(session, evolve(terminal.layout, at_rest=True)))
    tell_counts(trace.counts())
    return reading.code


def _read(trace: Trace) -> Session:
    with Progress(sys.stderr) as progress:
        messages = progress.counted(trace.messages, "messages")
        return finalize(replay(messages, now_ms=time.time_ns() // 1_000_000))


def tell_format(taken: str, *, asked: str | None) -> None:
    """Say on standard error what a file was taken for, if that could be a surprise.

    Args:
        taken: the format's name.
        asked: the format that was asked for, if any.
    """
    if asked is None and taken != "omni":
        say(f"read as {taken}")


def tell_counts(counts: dict[str, int]) -> None:
    """Say on standard error how many records show nothing, if any.

    Args:
        counts: how many, by reason.
    """
    total = sum(counts.values())
    if total:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in counts.items() if count)
        shown = "record shows" if total == 1 else "records show"
        say(f"{total:,} {shown} nothing: {reasons}")
