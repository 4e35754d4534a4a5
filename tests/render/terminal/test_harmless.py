"""Text that may be written to a terminal, whatever it holds."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given

from refold.render.terminal.harmless import harmless, one_line
from tests.render.terminal.strategies import texts

JOINERS = "\u200c\u200d"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, with a\ttab and\na line feed", "plain, with a\ttab and\na line feed"),
        ("\x1b[2J\x07", "␛[2J␇"),
        ("\x7f\x9b1m", "␡\\x9b1m"),
        ("one\r\ntwo\rthree", "one\ntwo␍three"),
        ("user\u202egnp.exe", "user\\u202egnp.exe"),
        ("\u2066a\u2069\u200e\u061c", "\\u2066a\\u2069\\u200e\\u061c"),
        ("\ufeffmark \u2028", "\\ufeffmark \\u2028"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("👩\u200d👩 می\u200cخواهم", "👩\u200d👩 می\u200cخواهم"),
    ],
)
def test_what_acts_is_shown_and_the_rest_is_as_it_was(text: str, shown: str) -> None:
    assert harmless(text) == shown


@given(texts())
def test_nothing_that_acts_gets_through(text: str) -> None:
    shown = harmless(text)
    hidden = [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    assert set(hidden) <= {"\n", "\t", *JOINERS} | {c for c in hidden if ord(c) > 0xFFFF}
    shown.encode()


@given(texts())
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert harmless(harmless(text)) == harmless(text)


@given(texts())
def test_a_line_is_one_line(text: str) -> None:
    assert "\n" not in one_line(text)
    assert "\t" not in one_line(text)


def test_breaks_are_spaces_on_one_line() -> None:
    assert one_line("  one\n   two\t three \n\n four ") == "one two  three four"
