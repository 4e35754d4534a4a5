"""The progress bar: seen by people, by nobody else, and gone afterwards."""

from __future__ import annotations

import io

from refold.cli.progress import Progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_written_where_nobody_looks() -> None:
    stream = io.StringIO()
    with Progress(stream) as progress:
        progress.step(1, 2)
    assert stream.getvalue() == ""


def test_a_terminal_sees_one_line_that_is_cleared() -> None:
    stream = _Terminal()
    with Progress(stream) as progress:
        progress.step(0, 1)
        progress.step(1, 4)
    assert stream.getvalue() == ("\r\x1b[K" + "█" * 7 + "░" * 23 + " 1 of 4" + "\r\x1b[K")
