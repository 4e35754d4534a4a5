"""The command as people run it: in a process of its own, in a pipe, or in a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

__all__ = ["WITHOUT_RICH", "InTerminal", "environment", "piped", "screen_of"]

WITHOUT_RICH = """
import sys
from importlib.machinery import PathFinder

class WithoutRich(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] == "rich" else super().find_spec(name, path, target)

sys.meta_path[:] = [WithoutRich if each is PathFinder else each for each in sys.meta_path]
from refold.cli import main
sys.exit(main())
"""

_COMMAND = [sys.executable, "-m", "refold"]


def environment(**changes: str) -> dict[str, str]:
    """Return an environment that says nothing of terminals, colours and encodings but what it is told."""
    silent = ("NO_COLOR", "TERM", "COLUMNS", "LINES", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in silent}
    return {**kept, "TZ": "UTC", "PYTHONUTF8": "1", **changes}


def piped(
    *words: str | Path, given: bytes = b"", python: Sequence[str] = (), **changes: str
) -> tuple[int, str, str]:
    """Run the command in a pipe and return its exit code, its output and its diagnostics.

    Args:
        words: what stands behind ``refold``.
        given: standard input.
        python: what Python runs instead of ``-m refold``.
        changes: to the environment.
    """
    command = [sys.executable, *python] if python else _COMMAND
    ran = subprocess.run(
        [*command, *map(str, words)],
        input=given,
        capture_output=True,
        env=environment(**changes),
        timeout=60,
        check=False,
    )
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


class InTerminal:
    """The command in a terminal of its own.

    Args:
        words: what stands behind ``refold``.
        columns: how wide it is.
        changes: to the environment.
    """

    def __init__(self, *words: str | Path, columns: int = 80, **changes: str) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.process = subprocess.Popen(
            [*_COMMAND, *map(str, words)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(**{"TERM": "xterm", **changes}),
        )
        os.close(theirs)
        self.written = ""
        self._rest = b""

    def wait_for(self, text: str) -> None:
        """Read until the screen holds a text."""
        while text not in "\n".join(screen_of(self.written)):
            assert self._read(), f"{text!r} never came, but {self.written!r}"

    def wait(self) -> int:
        """Read to the end and return the exit code."""
        while self._read():
            pass
        os.close(self._ours)
        return self.process.wait(timeout=60)

    def _read(self) -> bool:
        try:
            piece = os.read(self._ours, 1 << 16)
        except OSError:
            return False
        self._rest += piece
        text = self._rest.decode(errors="ignore")
        self._rest = self._rest[len(text.encode()) :]
        self.written += text
        return bool(piece)


def screen_of(written: str) -> list[str]:
    """Return the lines that stand on a screen of any height, colours aside."""
    screen, row = [""], 0
    for part in re.findall(r"\x1b\[\d*[A-Za-z]|\x1b\[[\d;]*m|\r|\n|[^\x1b\r\n]+", written):
        if part == "\n":
            row += 1
            screen += [""] * (row + 1 - len(screen))
        elif part == "\r" or (part.endswith("m") and part.startswith("\x1b")):
            continue
        elif part.startswith("\x1b"):
            row, screen = _moved(part, row, screen)
        else:
            screen[row] += part
    return [line.rstrip() for line in screen]


def _moved(part: str, row: int, screen: list[str]) -> tuple[int, list[str]]:
    if part.endswith("A"):
        return row - int(part[2:-1]), screen
    assert part == "\x1b[J", part
    return row, [*screen[:row], ""]
