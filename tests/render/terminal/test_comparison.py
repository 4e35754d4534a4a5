"""Differences for a person: where, and what, around where texts part."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from refold.differences import ABSENT, Difference, Part, differences
from refold.folding import replay
from refold.messages import Message
from refold.render.terminal.cells import columns
from refold.render.terminal.comparison import difference_lines
from refold.render.terminal.layout import Layout
from refold.render.terminal.lines import Span
from refold.views import settled
from tests.render.terminal.showing import seen
from tests.render.terminal.test_sessions import ESCAPES
from tests.strategies import any_streams

PART = Part(path="/items/3", path_b="/items/3", label="tool_call Bash")


def shown(*changes: tuple[str, Any, Any], width: int = 60, full: bool = False) -> list[str]:
    found = [Difference(part=PART, within=within, a=a, b=b) for within, a, b in changes]
    return seen(difference_lines(found, Layout(width=width, full=full)))


def test_what_belongs_to_an_item_stands_together() -> None:
    assert shown(("/duration_ms", 56, 57), ("/decision", "allow", ABSENT)) == [
        "tool_call Bash  /items/3",
        "  duration_ms: 56 → 57",
        "  decision: only in A: allow",
        "",
        "2 differences",
    ]


def test_an_item_that_only_one_side_has_is_what_it_says() -> None:
    item = {"kind": "tool_call", "key": "k", "name": "Bash", "arguments_text": '{"cmd": "ls"}'}
    assert shown(("", ABSENT, item))[1] == '  only in B: Bash {"cmd": "ls"}'
    assert shown(("", {"kind": "task_stats", "key": "k", "stats": 1}, ABSENT))[1] == (
        '  only in A: {"stats": 1}'
    )


def test_a_line_that_differs_is_shown_from_shortly_before() -> None:
    a = "\n".join([*map(str, range(50)), "word " * 30 + "old end", "same"])
    b = a.replace("old", "new")
    assert shown(("/output", a, b))[1:5] == [
        "  output",
        "  line 51",
        "  - …ord word word word word old end",
        "  + …ord word word word word new end",
    ]


def test_words_that_differ_are_marked() -> None:
    part = Difference(
        part=PART, within="/text", a="one two three four five six", b="one 2 three four five six!"
    )
    lines = list(difference_lines([part], Layout()))
    assert [span for span in lines[2] if span.tone == "removed"] == [
        Span("- ", "removed"),
        Span("two", "removed"),
    ]
    assert [span for span in lines[3] if span.tone == "added"] == [
        Span("+ ", "added"),
        Span("2", "added"),
        Span("!", "added"),
    ]


def test_lines_that_differ_stand_below_each_other_as_many_as_fit() -> None:
    a = "same\n" + "\n".join(f"old {number}" for number in range(30)) + "\nend"
    assert shown(("/output", a, "same\nnew\nend")) == [
        "tool_call Bash  /items/3",
        "  output",
        "  line 2",
        *[f"  - old {number}" for number in range(12)],
        "  … 18 more lines",
        "  + new",
        "",
        "1 difference",
    ]


def test_as_many_differences_as_fit_are_shown_and_all_if_asked() -> None:
    changes = [(f"/x{number}", 0, 1) for number in range(100)]
    assert shown(*changes)[-2:] == ["… 60 more", "100 differences"]
    assert len(shown(*changes, full=True)) == 103


def test_a_part_that_moved_says_where_it_is_now() -> None:
    part = Part(path="/items/3", path_b="/items/4", label="thinking")
    lines = seen(difference_lines([Difference(part=part, within="/a", a=1, b=2)], Layout()))
    assert lines[0] == "thinking  /items/3 (in B /items/4)"


def test_no_differences_are_said() -> None:
    assert shown() == ["no differences"]


@given(any_streams(), any_streams())
def test_any_differences_are_shown_harmless_and_fit(
    before: list[Message], after: list[Message]
) -> None:
    a, b = (settled(replay(each, now_ms=0)) for each in (before, after))
    lines = seen(difference_lines(differences(a, b), Layout(width=60)))
    assert all(columns(line) <= 60 for line in lines)
    assert not any(character in line for line in lines for character in ESCAPES)
