"""Colours: with rich, and the same words without."""

from __future__ import annotations

from typing import get_args

from refold.render.terminal.lines import Span, Tone
from refold.render.terminal.painting import STYLES, coloured, has_rich, plain


def test_every_tone_has_a_style() -> None:
    assert set(STYLES) == set(get_args(Tone))


def test_a_line_is_painted_span_by_span() -> None:
    line = (Span("● ", "good"), Span("Bash", "tool"), Span("  ls"))
    assert has_rich()
    assert plain(line) == "● Bash  ls"
    assert coloured(line) == "\x1b[32m● \x1b[0m\x1b[1;36mBash\x1b[0m  ls"
