"""Markdown keeps every character; tones say what stands out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.render.terminal.cells import columns
from refold.render.terminal.harmless import harmless
from refold.render.terminal.lines import Span, text_of
from refold.render.terminal.markdown import markdown_lines
from tests.render.terminal.strategies import texts


def test_headings_code_and_bold_have_tones_of_their_own() -> None:
    text = "# Title\nUse `ls` and **never** `rm`.\n```sh\nls **not bold**\n```\ndone"
    assert list(markdown_lines(text, 80)) == [
        (Span("# Title", "strong"),),
        (
            Span("Use "),
            Span("`ls`", "code"),
            Span(" and "),
            Span("**never**", "strong"),
            Span(" "),
            Span("`rm`", "code"),
            Span("."),
        ),
        (Span("```sh", "faint"),),
        (Span("ls **not bold**", "code"),),
        (Span("```", "faint"),),
        (Span("done"),),
    ]


def test_entries_of_lists_hang() -> None:
    text = "- one two three\n  10. four five\n> six seven"
    assert [text_of(line) for line in markdown_lines(text, 13)] == [
        "- one two",
        "  three",
        "  10. four",
        "      five",
        "> six seven",
    ]


def test_a_fence_that_never_ends_is_code_to_the_end() -> None:
    tones = [line[0].tone for line in markdown_lines("~~~\n# a\n# b", 80)]
    assert tones == ["faint", "code", "code"]


@given(texts(), st.integers(4, 60))
def test_no_character_is_lost_and_no_line_too_wide(text: str, width: int) -> None:
    lines = [text_of(line) for line in markdown_lines(text, width)]
    assert all(columns(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(harmless(text + "\n").split())
