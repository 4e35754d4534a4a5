"""Columns: what a text takes, cut and wrapped to what there is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.render.terminal.cells import clipped, columns, padded, rows, unfinished
from refold.render.terminal.harmless import harmless
from tests.render.terminal.strategies import texts


def flat(text: str) -> str:
    return harmless(text).replace("\n", " ").expandtabs(4)


@pytest.mark.parametrize(
    ("text", "taken"),
    [("", 0), ("plain", 5), ("日本", 4), ("e\u0301", 1), ("👍", 2), ("\u200d", 0), ("ｆｕｌｌ", 8)],
)
def test_a_text_takes_the_columns_that_terminals_give_it(text: str, taken: int) -> None:
    assert columns(text) == taken


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("short", 5, "short"),
        ("longer", 5, "long…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
    ],
)
def test_what_is_cut_off_is_told(text: str, width: int, cut: str) -> None:
    assert clipped(text, width) == cut


def test_a_text_is_padded_by_columns() -> None:
    assert (padded("日", 4), padded("longer", 4)) == ("日  ", "longer")


def test_a_row_that_goes_on_ends_in_dots() -> None:
    assert (unfinished("short", 10), unfinished("full", 4), unfinished("日本", 4)) == (
        "short…",
        "ful…",
        "日…",
    )


@pytest.mark.parametrize(
    ("text", "width", "wrapped"),
    [
        ("", 10, [""]),
        ("one two three", 20, ["one two three"]),
        ("one two three", 8, ["one two", "three"]),
        ("  indented words", 10, ["  indented", "words"]),
        ("one abcdefghij two", 5, ["one", "abcde", "fghij", "two"]),
        ("日本語の文章", 5, ["日本", "語の", "文章"]),
        ("     ", 3, [""]),
        ("trailing   ", 20, ["trailing"]),
    ],
)
def test_a_line_breaks_at_spaces_and_in_a_word_only_if_it_must(
    text: str, width: int, wrapped: list[str]
) -> None:
    assert list(rows(text, width)) == wrapped


@given(texts().map(flat), st.integers(2, 30))
def test_no_row_is_too_wide_and_no_character_is_lost(text: str, width: int) -> None:
    wrapped = list(rows(text, width))
    assert all(columns(row) <= width for row in wrapped)
    assert "".join("".join(wrapped).split()) == "".join(text.split())


@given(texts().map(flat), st.integers(0, 30))
def test_no_cut_is_too_wide(text: str, width: int) -> None:
    assert columns(clipped(text, width)) <= width


def test_a_long_word_is_wrapped_in_time_that_grows_with_it() -> None:
    # A thousand times a row of a thousand: with a copy of the rest for every row, minutes.
    wrapped = list(rows("日x" * 500_000, 100))
    assert len(wrapped) == 15_152
