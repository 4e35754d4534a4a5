"""A history as the messages of Anthropic's Messages API."""

from __future__ import annotations

from typing import Any

import pytest

from refold.policies.history import (
    AssistantTurn,
    Call,
    History,
    Image,
    PlainText,
    ToolResult,
    UserTurn,
    prompt,
    steering,
)
from refold.policies.projection.anthropic_messages import anthropic_request
from tests.policies.strategies import PIXEL

A, B = (Call(call_id=each, name="t", arguments='{"p":1}') for each in "ab")
PIXEL_BLOCK = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="},
}
NO_BEGINNING = "[the beginning of this conversation was not recorded]"


def text(said: str) -> dict[str, str]:
    return {"type": "text", "text": said}


def use(call_id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "t", "input": {"p": 1}}


def result(call_id: str, *content: Any, is_error: bool = False) -> dict[str, Any]:
    filled = {"content": list(content)} if content else {}
    return {"type": "tool_result", "tool_use_id": call_id, **filled, "is_error": is_error}


def gave(call_id: str, *parts: Any, is_error: bool = False) -> ToolResult:
    return ToolResult(call_id=call_id, parts=parts, is_error=is_error)


CASES: dict[str, tuple[History, list[list[Any]]]] = {
    "user and assistant alternate": (
        (prompt("hi"), AssistantTurn(text="hello"), prompt("bye")),
        [[text("hi")], [text("hello")], [text("bye")]],
    ),
    "neighbours of one role are one message": (
        (prompt("1"), prompt("2"), AssistantTurn(text="3"), AssistantTurn(text="4"), prompt("5")),
        [[text("1"), text("2")], [text("3"), text("4")], [text("5")]],
    ),
    "results open the user's message, whoever speaks next": (
        (
            prompt("go"),
            AssistantTurn(text="ok", calls=(A, B)),
            gave("a", PlainText(text="A")),
            gave("b", PlainText(text="B"), is_error=True),
            steering("faster"),
        ),
        [
            [text("go")],
            [text("ok"), use("a"), use("b")],
            [
                result("a", text("A")),
                result("b", text("B"), is_error=True),
                text("[user_steering]\nfaster\n[/user_steering]"),
            ],
        ],
    ),
    "an empty reply has no message": (
        (prompt("1"), AssistantTurn(), prompt("2")),
        [[text("1"), text("2")]],
    ),
    "a blank text has no block": (
        (prompt("1"), AssistantTurn(text=" \n", calls=(A,)), gave("a", PlainText(text=""))),
        [[text("1")], [use("a")], [result("a")]],
    ),
    "images stand inside a result": (
        (prompt("1"), AssistantTurn(calls=(A,)), gave("a", Image(url=PIXEL))),
        [[text("1")], [use("a")], [result("a", PIXEL_BLOCK)]],
    ),
    "a failed result holds text alone, its images come behind the results": (
        (
            prompt("1"),
            AssistantTurn(calls=(A, B)),
            gave("a", PlainText(text="A"), Image(url=PIXEL), is_error=True),
            gave("b"),
            prompt("2"),
        ),
        [
            [text("1")],
            [use("a"), use("b")],
            [result("a", text("A"), is_error=True), result("b"), PIXEL_BLOCK, text("2")],
        ],
    ),
    "a beginning without the user is said to be missing": (
        (AssistantTurn(calls=(A,)), gave("a"), prompt("1")),
        [[text(NO_BEGINNING)], [use("a")], [result("a"), text("1")]],
    ),
    "a last message of the assistant's doesn't end in white space": (
        (prompt("1"), AssistantTurn(text="2 \n")),
        [[text("1")], [text("2")]],
    ),
    "another one keeps it": (
        (prompt("1"), AssistantTurn(text="2 \n"), prompt("3")),
        [[text("1")], [text("2 \n")], [text("3")]],
    ),
    "nothing is nothing": ((), []),
}


@pytest.mark.parametrize(("history", "contents"), CASES.values(), ids=CASES)
def test_messages(history: History, contents: list[list[Any]]) -> None:
    roles = ["user", "assistant"] * len(contents)
    messages = [
        {"role": role, "content": each} for role, each in zip(roles, contents, strict=False)
    ]
    assert anthropic_request(history, None) == {"messages": messages}


@pytest.mark.parametrize(
    ("url", "block"),
    [
        (PIXEL, PIXEL_BLOCK),
        (
            "https://e.org/a.png",
            {"type": "image", "source": {"type": "url", "url": "https://e.org/a.png"}},
        ),
        ("data:image/bmp;base64,AAAA", text("[image left out: image/bmp]")),
    ],
)
def test_an_image_is_a_block_by_its_source(url: str, block: dict[str, Any]) -> None:
    request = anthropic_request((UserTurn(parts=(Image(url=url),)),), None)
    assert request["messages"][0]["content"] == [block]


@pytest.mark.parametrize(
    ("system", "told"),
    [(None, {}), ("", {}), (" \ufeff", {}), ("be brief", {"system": "be brief"})],
)
def test_a_system_prompt_is_a_field_of_its_own(system: str | None, told: dict[str, str]) -> None:
    assert anthropic_request((), system) == {**told, "messages": []}
