"""Follow a growing file in the terminal.

Rules of this file:

- What is settled is written once, as it comes; what runs and streams stands below it, and is
  written over, where standard output is a terminal.
- Piped, it is a line for each settled item.
- The only clock and the only waiting are here: what to write is decided by ``render.terminal``.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Final

from refold.cli.files import Reading
from refold.cli.screen import Screen
from refold.cli.show import tell_counts, tell_format
from refold.cli.terminal import add_terminal_arguments, terminal_of
from refold.folding import apply, finalize, replay
from refold.messages import Message
from refold.render.terminal import Tail, advanced, opened, running_lines
from refold.render.terminal.lines import BLANK, line
from refold.session import Session
from refold.sources.files.following import Follower
from refold.sources.files.shards import shards_beside

__all__ = ["add_arguments", "run"]

_LIVE_ROWS: Final = 12
_LONGEST_INTERVAL: Final = 86_400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold tail``."""
    parser.add_argument("file", metavar="FILE", help="a file that grows, or - for standard input")
    parser.add_argument("--format", help="the file's format; told from the first records")
    parser.add_argument(
        "-n",
        "--tasks",
        type=int,
        default=1,
        metavar="N",
        help="begin with the last N tasks; -1: all",
    )
    parser.add_argument(
        "--brief",
        action=argparse.BooleanOptionalAction,
        help="a line for each item; where output is no terminal",
    )
    parser.add_argument(
        "--interval", type=_seconds, default=0.25, metavar="S", help="seconds between looks"
    )
    add_terminal_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Follow the file until it ends, which only standard input does, and return the exit code."""
    reading = Reading(arguments)
    _expect(arguments.file)
    follower = Follower(arguments.file, format=arguments.format, errors=reading.report)
    tailing = _Tailing(arguments)
    try:
        _follow(follower, tailing, arguments)
    finally:
        tailing.screen.draw(())
    tailing.end(follower.due())
    tell_counts(follower.counts())
    return reading.code


def _expect(file: str) -> None:
    """Refuse a file that isn't there: more often it is misspelt than about to come.

    Raises:
        FileNotFoundError: it isn't there.
    """
    if file != "-" and not Path(file).exists():
        shards_beside(Path(file))[0].stat()


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= _LONGEST_INTERVAL:
        raise argparse.ArgumentTypeError(
            f"expected seconds from 0 to {_LONGEST_INTERVAL}, got {text!r}"
        )
    return seconds


def _follow(follower: Follower, tailing: _Tailing, arguments: argparse.Namespace) -> None:
    told = False
    while True:
        poll = follower.poll()
        if poll.restarted:
            tailing.restart(arguments.file)
        tailing.take(poll.messages)
        if poll.more:
            continue
        tailing.rest()
        if not told and follower.format is not None:
            tell_format(follower.format, asked=arguments.format)
            told = True
        if follower.ended and not poll.messages:
            return
        time.sleep(arguments.interval)


class _Tailing:
    """The session that is followed, and what was told of it.

    Args:
        arguments: of the command.
    """

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self.screen = Screen(terminal_of(arguments))
        self._session = Session()
        self._tail: Tail | None = None

    def restart(self, file: str) -> None:
        """Begin anew: the file was replaced."""
        if self._tail is not None:
            self.screen.write([BLANK, line(f"── {file} begins anew ──", "rule")])
        self._session, self._tail = Session(), None

    def take(self, messages: tuple[Message, ...]) -> None:
        """Fold messages, and tell what they settle once the beginning was told."""
        if self._tail is None:
            self._session = replay(messages, now_ms=_now_ms(), session=self._session)
            return
        for message in messages:
            self._advance(apply(self._session, message, now_ms=_now_ms()))

    def rest(self) -> None:
        """Tell the beginning if that wasn't done yet, and what runs and streams."""
        terminal = self.screen.terminal = terminal_of(self._arguments)
        if self._tail is None:
            self._tail, lines = opened(
                self._session,
                terminal.layout,
                brief=self._is_brief(),
                tasks=self._arguments.tasks if self._arguments.tasks >= 0 else None,
            )
            self.screen.write(lines)
        if terminal.is_live:
            self.screen.draw(
                running_lines(self._session, terminal.layout, now_ms=_now_ms(), most=_LIVE_ROWS)
            )

    def end(self, due: tuple[Message, ...]) -> None:
        """Tell what is left, now that nothing comes any more."""
        self._advance(finalize(replay(due, now_ms=_now_ms(), session=self._session)))

    def _advance(self, session: Session) -> None:
        self._session = session
        if self._tail is not None:
            layout = self.screen.terminal.layout
            self._tail, lines = advanced(self._tail, session, layout)
            self.screen.write(lines)

    def _is_brief(self) -> bool:
        asked: bool | None = self._arguments.brief
        return not self.screen.terminal.stream.isatty() if asked is None else asked


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
