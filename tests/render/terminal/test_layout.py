"""Long texts: how much is shown, and how much more there is."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest
from hypothesis import given

from refold.render.terminal.cells import columns
from refold.render.terminal.layout import (
    LEAST_WIDTH,
    Layout,
    clock_text,
    date_text,
    elided,
    narrowed,
    prose,
)
from tests.render.terminal.strategies import texts

NARROW = Layout(width=30)
NUMBERS = "\n".join(map(str, range(1, 21)))


def test_what_is_short_is_shown_whole() -> None:
    assert elided("one\ntwo\n", NARROW, 3) == ["one", "two"]
    assert prose("one\ntwo\n", NARROW, 2) == ["one", "two"]


def test_lines_left_out_are_counted() -> None:
    assert elided(NUMBERS, NARROW, 3, 2) == ["1", "2", "3", "… 15 more lines", "19", "20"]
    assert elided(NUMBERS, NARROW, 3) == ["1", "2", "3", "… 17 more lines"]


def test_nothing_is_left_out_to_make_room_for_saying_so() -> None:
    assert elided("1\n2\n3\n4\n5", NARROW, 2, 2) == ["1", "2", "3", "4", "5"]
    assert prose("1\n2\n3", NARROW, 2) == ["1", "2", "3"]


def test_a_long_line_says_that_it_goes_on() -> None:
    shown = elided("word " * 100 + "\nlast", NARROW, 2, 1)
    assert shown == ["word word word word word word"] * 2 + [
        "word word word word word word…",
        "last",
    ]


def test_prose_left_out_is_counted_in_characters() -> None:
    text = "one two\nthree four\nfive"
    assert prose(text, Layout(width=24), 1) == ["one two", "… 15 more characters"]


def test_full_is_everything() -> None:
    full = Layout(width=30, full=True)
    assert elided(NUMBERS, full, 3) == prose(NUMBERS, full, 3) == NUMBERS.split("\n")


def test_a_huge_text_costs_only_what_is_shown() -> None:
    huge = "日本 \x1b[0m" * 5_000_000
    assert len(elided(huge, NARROW, 3)) == 3
    assert len(prose(huge, NARROW, 3)) == 4


@given(texts())
def test_rows_fit_and_are_harmless(text: str) -> None:
    shown = [*elided(text, NARROW, 3, 1), *prose(text, NARROW, 3)]
    assert all(columns(row) <= 30 or row.startswith("… ") for row in shown)
    assert not any(character in row for row in shown for character in "\x1b\r\n\t\u202e")


def test_what_gets_too_narrow_gets_no_narrower() -> None:
    assert narrowed(Layout(width=100), 10).width == 90
    assert narrowed(Layout(width=30), 10).width == LEAST_WIDTH


@pytest.mark.parametrize("at_ms", [None, 10**18, -(10**18)])
def test_a_time_that_is_none_is_nothing(at_ms: int | None) -> None:
    assert (clock_text(at_ms, NARROW), date_text(at_ms, NARROW)) == ("", "")


def test_times_are_of_the_zone() -> None:
    east = Layout(zone=timezone(timedelta(hours=9)))
    at_ms = 1_783_209_600_000
    assert (date_text(at_ms, NARROW), clock_text(at_ms, NARROW)) == ("2026-07-05", "00:00:00")
    assert (date_text(at_ms, east), clock_text(at_ms, east)) == ("2026-07-05", "09:00:00")


@pytest.mark.parametrize(
    ("at_ms", "clock"),
    [(0, "+0:00:00"), (1_999, "+0:00:01"), (31_000, "+0:00:31"), (7_262_000, "+2:01:02")],
)
def test_a_time_of_1970_counts_from_the_recordings_start(at_ms: int, clock: str) -> None:
    east = Layout(zone=timezone(timedelta(hours=9)))
    assert (date_text(at_ms, east), clock_text(at_ms, east)) == ("", clock)
