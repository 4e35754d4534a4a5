"""Texts measured and cut in UTF-8 bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.utf8 import clamp, head, sendable, tail, utf8_length
from tests.policies.strategies import texts

limits = st.integers(-3, 20)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("plain", "plain"),
        ("é模😀", "é模😀"),
        ("\ud83d\ude00", "😀"),
        ("\ud83d", "\ufffd"),
        ("a\udc00b", "a\ufffdb"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ud83d\ude00", "\ufffd😀"),
    ],
)
def test_what_utf8_cant_carry_is_joined_or_replaced(text: str, sent: str) -> None:
    assert sendable(text) == sent


def test_a_text_that_needs_no_change_is_the_same_object() -> None:
    text = "naïve " * 3
    assert sendable(text) is text


@pytest.mark.parametrize(
    ("limit", "front", "back"),
    [
        (0, "", ""),
        (1, "a", "b"),
        (2, "a", "b"),
        (4, "a", "b"),
        (5, "a😀", "😀b"),
        (6, "a😀b", "a😀b"),
    ],
)
def test_a_cut_falls_between_characters(limit: int, front: str, back: str) -> None:
    assert (head("a😀b", limit), tail("a😀b", limit)) == (front, back)


@pytest.mark.parametrize(
    ("limit", "clamped"),
    [(6, "aéaé"), (5, "a…"), (3, "…"), (2, "a"), (1, "a"), (0, "")],
)
def test_the_marker_is_part_of_the_limit(limit: int, clamped: str) -> None:
    assert clamp("aéaé", limit) == clamped


@given(texts, limits)
def test_a_head_is_the_longest_beginning_within_the_limit(text: str, limit: int) -> None:
    whole, kept = sendable(text), head(text, limit)
    assert whole.startswith(kept)
    assert utf8_length(kept) <= max(0, limit)
    assert kept == whole or utf8_length(whole[: len(kept) + 1]) > max(0, limit)


@given(texts, limits)
def test_a_tail_is_the_longest_end_within_the_limit(text: str, limit: int) -> None:
    whole, kept = sendable(text), tail(text, limit)
    assert whole.endswith(kept)
    assert utf8_length(kept) <= max(0, limit)
    assert kept == whole or utf8_length(whole[len(whole) - len(kept) - 1 :]) > max(0, limit)


@given(texts, limits, st.sampled_from(["…", "", "[cut]"]))
def test_a_clamped_text_never_exceeds_its_limit(text: str, limit: int, marker: str) -> None:
    clamped = clamp(text, limit, marker)
    assert utf8_length(clamped) <= max(0, limit)
    assert clamped == sendable(text) or utf8_length(text) > limit
