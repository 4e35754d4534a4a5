"""Arguments: what says most on the title, the rest below."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.items import ToolCallItem
from refold.render.terminal.arguments import argument_lines
from refold.render.terminal.cells import columns
from refold.render.terminal.layout import Layout
from tests.render.terminal.showing import seen
from tests.render.terminal.strategies import texts

LAYOUT = Layout(width=40)


def shown(arguments: Any, room: int = 40) -> list[str]:
    text = arguments if type(arguments) is str else json.dumps(arguments)
    card = ToolCallItem(key="k", tool_call_id="1", name="tool", arguments_text=text)
    title, below = argument_lines(card, room, LAYOUT)
    return seen([title, *below])


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ({"anything": "at all"}, ["at all"]),
        ({"command": "ls", "timeout": 5}, ["ls  timeout: 5"]),
        ({"timeout": 5, "command": "ls"}, ["ls  timeout: 5"]),
        ({"path": "src", "pattern": "x+"}, ["x+  path: src"]),
        ({"a": 1, "b": [1, 2]}, ["", "a: 1  b: [1, 2]"]),
        ({"query": None, "type": "search"}, ["", "query: null  type: search"]),
        ({"command": ["bash", "-lc", "ls -a"], "timeout": 5}, ["ls -a  timeout: 5"]),
        ({"cmd": ["git", "log", "a b"], "n": 5}, ["git log 'a b'  n: 5"]),
        ({"command": ["ls", 5]}, ['["ls", 5]']),
        ({}, [""]),
        ("", [""]),
        ("[1, 2]", ["[1, 2]"]),
        ('{"command": "l', ['{"command": "l']),
    ],
)
def test_short_arguments_stand_on_the_title(arguments: Any, lines: list[str]) -> None:
    assert shown(arguments) == lines


def test_what_does_not_fit_stands_below_several_to_a_line() -> None:
    arguments = {
        "command": "git status",
        "workdir": "/home/user",
        "yield_ms": 1000,
        "max_tokens": 12000,
    }
    assert shown(arguments) == [
        "git status",
        "workdir: /home/user  yield_ms: 1000",
        "max_tokens: 12000",
    ]


def test_long_fields_stand_on_lines_of_their_own() -> None:
    arguments = {"path": "a.py", "old": "one\ntwo", "n": 1, "new": "\n".join("abcdefgh")}
    assert shown(arguments) == [
        "a.py",
        "old:",
        "  one",
        "  two",
        "n: 1",
        "new:",
        "  a",
        "  b",
        "  c",
        "  d",
        "  … 4 more lines",
    ]


def test_a_list_of_objects_is_an_object_a_line() -> None:
    plan = {"plan": [{"step": "Look", "done": True}, {"step": "Leap"}]}
    assert shown({**plan, "n": 0}) == [
        "",
        "plan:",
        "  step: Look  done: true",
        "  step: Leap",
        "n: 0",
    ]


def test_what_says_most_gives_way_where_there_is_no_room() -> None:
    assert shown({"command": "git status"}, room=5) == ["", "command: git status"]


@given(
    st.recursive(
        texts() | st.integers() | st.none(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(), inner, max_size=4),
        max_leaves=8,
    ),
    st.integers(0, 60),
)
def test_any_arguments_fit(arguments: Any, room: int) -> None:
    title, *below = shown(arguments, room)
    assert columns(title) <= max(room, 0)
    assert all(columns(line) <= 40 or line.endswith(":") for line in below)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, '{"a": ' + "9" * 5000 + "}"])
def test_absurd_arguments_are_text(text: str) -> None:
    assert len(shown(text)) < 8
