"""Marked texts and blank ones, character by character."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.markers import is_blank, is_summary, steering_text

_WHITE = {
    *range(0x0009, 0x000D + 1),
    *[0x0020, 0x00A0, 0x1680],
    *range(0x2000, 0x200A + 1),
    *[0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF],
}


def test_every_code_point_is_blank_as_ecmascript_says() -> None:
    assert {code for code in range(sys.maxunicode + 1) if is_blank(chr(code))} == _WHITE


def test_every_code_point_may_trail_a_steering_as_ecmascript_says() -> None:
    framed = "[user_steering]\nleft\n[/user_steering]"
    trailing = {
        code for code in range(sys.maxunicode + 1) if steering_text(framed + chr(code)) == "left"
    }
    assert trailing == _WHITE


@given(st.text(st.sampled_from([chr(code) for code in _WHITE])), st.text())
def test_a_body_is_blank_if_every_character_is(white: str, text: str) -> None:
    assert is_blank(white)
    assert is_blank(white + text) is all(ord(each) in _WHITE for each in text)


@pytest.mark.parametrize("separator", ["\x1c", "\x1d", "\x1e", "\x1f", "\x85"])
def test_what_python_strips_is_not_all_blank(separator: str) -> None:
    assert separator.strip() == ""
    assert not is_blank(separator)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[context_summary]", True),
        ("[context_summary]\nso far\n[/context_summary]", True),
        ("<context_summary>old", True),
        (" [context_summary]", False),
        ("\n<context_summary>", False),
        ("[context_summary", False),
        ("[Context_Summary]", False),
        ("it mentions [context_summary]", False),
        ("", False),
    ],
)
def test_a_summary_begins_with_its_marker(text: str, expected: bool) -> None:
    assert is_summary(text) is expected


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("[user_steering]\nleft\n[/user_steering]", "left"),
        ("[user_steering]\n\n[/user_steering]", ""),
        ("[user_steering]\na\nb\n\nc\n[/user_steering]", "a\nb\n\nc"),
        ("[user_steering]\nleft\n[/user_steering]\n \t\u3000", "left"),
        ("[user_steering]\n left \n[/user_steering]", " left "),
        # The shortest match that frames the whole.
        (
            "[user_steering]\na\n[/user_steering]\n[/user_steering]",
            "a\n[/user_steering]",
        ),
        (
            "[user_steering]\n[user_steering]\na\n[/user_steering]",
            "[user_steering]\na",
        ),
        ("[user_steering]\na\n[/user_steering]\nb\n[/user_steering]", "a\n[/user_steering]\nb"),
    ],
)
def test_a_steering_says_what_its_markers_frame(text: str, inner: str) -> None:
    assert steering_text(text) == inner


@pytest.mark.parametrize(
    "text",
    [
        "",
        "left",
        "[user_steering]",
        "[user_steering]left[/user_steering]",
        "[user_steering]\n[/user_steering]",
        "[user_steering]\nleft[/user_steering]",
        "[user_steering]\nleft\n",
        "[user_steering]\r\nleft\r\n[/user_steering]",
        " [user_steering]\nleft\n[/user_steering]",
        "say [user_steering]\nleft\n[/user_steering]",
        "[user_steering]\nleft\n[/user_steering] and on",
        "[user_steering]\nleft\n[/user_steering]\x1c",
    ],
)
def test_a_text_that_only_mentions_the_markers_is_ordinary(text: str) -> None:
    assert steering_text(text) is None


@given(st.text(), st.text(st.sampled_from([chr(code) for code in _WHITE])))
def test_whatever_is_framed_is_what_is_said(inner: str, white: str) -> None:
    assert steering_text(f"[user_steering]\n{inner}\n[/user_steering]{white}") == inner


def test_many_markers_cost_no_more_than_their_length() -> None:
    """A text of closing markers that never close is passed once."""
    text = "[user_steering]\n" + "\n[/user_steering]x" * 100_000
    assert steering_text(text) is None
