"""Items on a line each."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from refold.folding import replay
from refold.items import (
    AbortItem,
    AssistantTextItem,
    SubagentItem,
    ThinkingItem,
    ToolCallItem,
    UserTextItem,
)
from refold.messages import Message
from refold.render.terminal.brief import brief_line, fitted
from refold.render.terminal.cells import columns
from refold.render.terminal.layout import Layout
from refold.render.terminal.lines import Span, text_of
from tests.strategies import any_streams

NOON = 1_783_252_800_000


@pytest.mark.parametrize(
    ("item", "shown"),
    [
        (UserTextItem(key="k", text="do\nit", at_ms=NOON), "12:00:00  ❯ do it"),
        (AssistantTextItem(key="k", text="Done.", at_ms=NOON), "12:00:00    Done."),
        (
            AssistantTextItem(key="k", text="Half", stop_reason="aborted"),
            "            Half (aborted)",
        ),
        (ThinkingItem(key="k", thinking="Hm.", started_at_ms=NOON), "12:00:00  ✻ Hm."),
        (AbortItem(key="k", reason="by user"), "          ■ aborted: by user"),
        (SubagentItem(key="k", session_id="s"), ""),
        (
            ToolCallItem(
                key="k",
                tool_call_id="1",
                name="Bash",
                arguments_text='{"cmd": "ls", "n": 1}',
                call_complete=True,
                output="a\nb",
                output_complete=True,
                duration_ms=5,
                call_started_at_ms=NOON,
            ),
            "12:00:00  ● Bash  ls  n: 1  5 ms → a b",
        ),
    ],
)
def test_an_item_is_a_line(item: Any, shown: str) -> None:
    assert text_of(brief_line(item, Layout())) == shown


def test_a_label_stands_between_the_time_and_the_item() -> None:
    item = UserTextItem(key="k", text="hi", at_ms=NOON)
    assert text_of(brief_line(item, Layout(), "│ child  ")) == "12:00:00  │ child  ❯ hi"


def test_full_is_as_long_as_it_takes() -> None:
    item = UserTextItem(key="k", text="x" * 200, at_ms=NOON)
    assert columns(text_of(brief_line(item, Layout(width=40)))) == 40
    assert columns(text_of(brief_line(item, Layout(width=40, full=True)))) == 212


@given(any_streams())
def test_any_item_is_one_line_that_fits(messages: list[Message]) -> None:
    for item in replay(messages, now_ms=0).items:
        line = text_of(brief_line(item, Layout(width=50)))
        assert columns(line) <= 50
        assert "\n" not in line


def test_a_line_is_cut_where_it_ends() -> None:
    line = (Span("abc", "good"), Span("defg", "bad"))
    assert fitted(line, 7) == line
    assert fitted(line, 5) == (Span("abc", "good"), Span("d…", "bad"))
