"""A screen: lines that stay, and below them lines that are written over."""

from __future__ import annotations

import io

from refold.cli.screen import Screen
from refold.cli.terminal import Terminal
from refold.render.terminal import Layout, plain
from refold.render.terminal.lines import Line, line
from tests.cli.running import screen_of


def screen(*, is_live: bool) -> tuple[Screen, io.StringIO]:
    stream = io.StringIO()
    return Screen(Terminal(stream=stream, layout=Layout(), paint=plain, is_live=is_live)), stream


def lines(*texts: str) -> list[Line]:
    return [line(text) for text in texts]


def test_what_is_drawn_is_written_over_and_what_is_written_stays() -> None:
    shown, stream = screen(is_live=True)
    shown.draw(lines("one", "two"))
    shown.draw(lines("three"))
    assert screen_of(stream.getvalue()) == ["three", ""]
    shown.write(lines("first"))
    shown.draw(lines("four", "five"))
    shown.write(lines("second"))
    assert screen_of(stream.getvalue()) == ["first", "second", ""]


def test_what_is_drawn_already_is_not_drawn_again() -> None:
    shown, stream = screen(is_live=True)
    shown.draw(lines("one"))
    before = stream.getvalue()
    shown.draw(lines("one"))
    assert stream.getvalue() == before


def test_where_nobody_looks_only_what_stays_is_written() -> None:
    shown, stream = screen(is_live=False)
    shown.draw(lines("one"))
    shown.write(lines("first"))
    shown.write([])
    assert stream.getvalue() == "first\n"
