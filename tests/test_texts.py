"""Ropes read, compare and hash as the strings they stand for, and cost no more for being long."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.texts import GrownText, Rope, appended, grow, rope, size

_CHARACTERS = st.sampled_from(["a", "é", "\U0001f600", "\ud83d", "\ude00", "\udbff", "\udfff"])
_PIECES = st.lists(st.text(_CHARACTERS, max_size=5) | st.text(max_size=300), max_size=60)


def _grown(pieces: list[str]) -> GrownText:
    text: GrownText = ""
    for piece in pieces:
        text = grow(text, piece)
    return text


def _joined(pieces: list[str]) -> str:
    """Join pieces as UTF-16 does: halves of a pair become the one character."""
    text = ""
    for piece in pieces:
        if "\ud800" <= text[-1:] <= "\udbff" and "\udc00" <= piece[:1] <= "\udfff":
            high, low = ord(text[-1]) - 0xD800, ord(piece[0]) - 0xDC00
            text = text[:-1] + chr(0x10000 + (high << 10) + low) + piece[1:]
        else:
            text += piece
    return text


@given(_PIECES)
def test_a_text_grown_by_pieces_is_the_pieces_joined(pieces: list[str]) -> None:
    text, expected = _grown(pieces), _joined(pieces)
    assert str(text) == expected
    assert text == expected
    assert expected == text
    assert (hash(text), repr(text), size(text)) == (hash(expected), repr(expected), len(expected))


@given(_PIECES, _PIECES)
def test_growing_leaves_the_shorter_text_as_it_was(pieces: list[str], more: list[str]) -> None:
    before = _grown(pieces)
    for piece in more:
        grow(before, piece)
    assert str(before) == _joined(pieces)


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 1023, 1024, 1025, 1056, 1057, 33 * 1024])
def test_pieces_at_the_edges_of_every_level_stay_in_order(count: int) -> None:
    """128 characters fill a tail, 32 pieces a level."""
    pieces = [f"{number:0128}" for number in range(count)]
    text = _grown(pieces)
    assert str(text) == "".join(pieces)
    assert size(text) == 128 * count


def test_a_million_pieces_make_few_levels() -> None:
    text = rope("")
    for _ in range(100_000):
        text = text.append("x" * 100)
    assert len(text._levels) < 5
    assert all(len(level) <= 32 for level in text._levels)
    assert str(text) == "x" * 10_000_000


@pytest.mark.parametrize("before", ["", "x", "x" * 127, "x" * 128, "x" * 300])
def test_halves_of_a_surrogate_pair_meet_wherever_a_tail_ends(before: str) -> None:
    text = grow(grow(rope(before), "\ud83d"), "\ude00 ok")
    assert str(text) == before + "\U0001f600 ok"


@pytest.mark.parametrize("pieces", [["\ude00", "\ud83d"], ["\ud83d", "x", "\ude00"], ["\ud83d"]])
def test_halves_that_make_no_pair_stay_lone(pieces: list[str]) -> None:
    assert str(_grown(pieces)) == "".join(pieces)


@given(st.text(max_size=200), st.text(max_size=200))
def test_ropes_compare_with_ropes_and_strings_alike(one: str, other: str) -> None:
    assert (rope(one) == rope(other)) is (one == other)
    assert (rope(one) == other) is (one == other)
    assert (one == rope(other)) is (one == other)


def test_a_rope_is_no_number_and_no_bytes() -> None:
    assert rope("1") != 1
    assert rope("a") != b"a"


def test_an_empty_piece_changes_nothing() -> None:
    text = rope("a")
    assert grow(text, "") is text
    assert grow("", "") == ""


def test_a_text_of_one_piece_is_that_string() -> None:
    piece = "only"
    assert grow("", piece) is piece


@given(_PIECES)
def test_a_rope_is_pickled_as_what_it_says(pieces: list[str]) -> None:
    text = rope("a")
    for piece in pieces:
        text = text.append(piece)
    copy = pickle.loads(pickle.dumps(text))
    assert (type(copy), str(copy)) == (Rope, str(text))


@given(_PIECES, st.text("ab", max_size=300))
def test_what_one_step_added_is_told_if_at_all(pieces: list[str], piece: str) -> None:
    before = _grown(["a", *pieces, "b"])
    assert appended(before, grow(before, piece)) == piece


@given(_PIECES, _PIECES)
def test_what_is_said_to_be_added_makes_the_later_of_the_earlier(
    pieces: list[str], more: list[str]
) -> None:
    before, after = _grown(pieces), _grown(pieces + more)
    added = appended(before, after)
    assert added is None or str(before) + added == str(after)


def test_nothing_is_told_of_texts_that_do_not_continue_each_other() -> None:
    assert appended("abc", "abd") is None
    assert appended(rope("abc"), "ab") is None
    assert appended("x" * 100, grow(rope("y" * 100), "z" * 100)) is None


def test_a_completed_pair_is_no_addition() -> None:
    before = rope("a\ud83d")
    assert appended(before, before.append("\ude00")) is None
