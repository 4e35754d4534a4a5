"""Prose: Markdown, lightly, with no character lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refold.render.report.prose import prose
from refold.render.terminal.harmless import harmless
from tests.render.report.pages import parsed

LINES = st.lists(
    st.sampled_from(
        [
            "text",
            "# head",
            "- one",
            "  2) two",
            "> said",
            "| a | b |",
            "```py",
            "```",
            "~~~",
            "````",
        ]
        + ["", "  ", "`code` and **bold**", "** not bold **", "``", "`a`b`", "<b>&amp;", "\u202e"]
    )
    | st.text(max_size=12)
)


def shape(text: str) -> list[tuple[str, str | None]]:
    page = parsed(prose(text))
    blocks = [each for each in page.elements if each.depth == 0]
    return [(each.name, each.attributes.get("class")) for each in blocks]


# What Python takes for space and a reader doesn't see unless it is shown.
UNSEEN = "\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"


@given(LINES.map("\n".join))
@example("\r")
@example("\x85")
def test_no_visible_character_is_lost_or_added(text: str) -> None:
    page = parsed(prose(text))
    assert page.open == []
    assert "".join(page.text.split()) == "".join(harmless(text).split())


@pytest.mark.parametrize("character", UNSEEN)
def test_a_line_of_what_cannot_be_seen_is_shown_and_is_no_mark(character: str) -> None:
    shown = harmless(character)
    assert str(prose(character)) == f"<p>{shown}</p>"
    assert str(prose(f"{character}- a")) == f"<p>{shown}- a</p>"
    assert str(prose(f"{character}```\n# b")) == f'<p>{shown}```</p><p class="heading"># b</p>'


def test_line_ends_of_either_sort_end_a_line() -> None:
    assert shape("# a\r\n- b\r\n\r\nc") == shape("# a\n- b\n\nc")


def test_blocks_are_told_apart() -> None:
    text = "# Head\ntext\nmore\n\n- one\n- two\n> said\n| a |\n|---|\n```py\n# x\n\n- y\n```\nend"
    assert shape(text) == [
        ("p", "heading"),
        ("p", None),
        ("p", "list"),
        ("p", "list"),
        ("p", "quote"),
        ("pre", "table"),
        ("pre", "code"),
        ("p", None),
    ]


def test_fences_side_by_side_are_two_blocks() -> None:
    assert shape("```\na\n```\n```\nb\n```") == [("pre", "code"), ("pre", "code")]


def test_a_fence_is_closed_by_its_like_only() -> None:
    assert shape("````\n```\n# x\n````\n# y") == [("pre", "code"), ("p", "heading")]
    assert shape("```\nnever closed\n# x") == [("pre", "code")]


def test_marks_stay_and_step_back() -> None:
    assert str(prose("a `b` **c**")) == (
        '<p>a <code><span class="mark">`</span>b<span class="mark">`</span></code> '
        '<strong><span class="mark">**</span>c<span class="mark">**</span></strong></p>'
    )


def test_what_looks_like_markup_or_an_address_is_text() -> None:
    page = parsed(prose("[x](javascript:alert(1)) ![y](http://a.example/y.png) <img src=x>"))
    assert [each.name for each in page.elements] == ["p"]
