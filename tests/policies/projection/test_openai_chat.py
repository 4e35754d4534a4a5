"""A history as the messages of OpenAI's Chat Completions."""

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
)
from refold.policies.projection.openai_chat import openai_chat_request
from tests.policies.strategies import PIXEL

CALLS = AssistantTurn(
    calls=(Call(call_id="a", name="fs__read", arguments='{"p": 1}'), Call(call_id="b", name="x y"))
)
A_OUT = ToolResult(call_id="a", parts=(PlainText(text="A"), Image(url=PIXEL)))
B_OUT = ToolResult(call_id="b", parts=(PlainText(text="1"), PlainText(text="2")), is_error=True)
PIXEL_PART = {"type": "image_url", "image_url": {"url": PIXEL}}


def test_an_empty_reply_is_an_empty_string_and_no_null() -> None:
    """Document 004, test 6 (empty_assistant_serializes_as_empty_string)."""
    history = (prompt("a"), AssistantTurn(), prompt("b"))
    assert openai_chat_request(history, None) == {
        "messages": [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": ""},
            {"role": "user", "content": "b"},
        ]
    }


def test_an_earlier_reply_is_sent_with_the_next_prompt() -> None:
    """Document 004, test 1 (assistant_text_preserved_across_prompts)."""
    history = (prompt("first"), AssistantTurn(text="hello world"), prompt("second"))
    assert {"role": "assistant", "content": "hello world"} in openai_chat_request(history, None)[
        "messages"
    ]


def test_a_run_of_results_is_never_split_by_their_images() -> None:
    history = (CALLS, A_OUT, B_OUT, AssistantTurn(text="ok"))
    assert openai_chat_request(history, None)["messages"] == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {
                    "id": "a",
                    "type": "function",
                    "function": {"name": "fs__read", "arguments": '{"p": 1}'},
                },
                {"id": "b", "type": "function", "function": {"name": "x_y", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "A"},
        {"role": "tool", "tool_call_id": "b", "content": "1\n2"},
        {"role": "user", "content": [{"type": "text", "text": "[images of a]"}, PIXEL_PART]},
        {"role": "assistant", "content": "ok"},
    ]


def test_images_of_the_last_results_come_at_the_end() -> None:
    history = (AssistantTurn(calls=CALLS.calls[:1]), A_OUT)
    last = openai_chat_request(history, None)["messages"][-1]
    assert last["content"] == [{"type": "text", "text": "[images of a]"}, PIXEL_PART]


@pytest.mark.parametrize(
    ("parts", "content"),
    [
        ((PlainText(text=""),), ""),
        ((PlainText(text="a\ud800"),), "a\ufffd"),
        (
            (PlainText(text="look"), Image(url=PIXEL)),
            [{"type": "text", "text": "look"}, PIXEL_PART],
        ),
        ((Image(url="file:///x"),), [{"type": "text", "text": "[image left out]"}]),
    ],
)
def test_a_users_turn_is_a_string_unless_it_holds_images(parts: Any, content: Any) -> None:
    request = openai_chat_request((UserTurn(parts=parts),), None)
    assert request == {"messages": [{"role": "user", "content": content}]}


@pytest.mark.parametrize(
    ("history", "system", "messages"),
    [
        ((), None, []),
        ((), "be brief", [{"role": "system", "content": "be brief"}]),
    ],
)
def test_the_system_prompt_is_the_first_message(
    history: History, system: str | None, messages: list[Any]
) -> None:
    assert openai_chat_request(history, system) == {"messages": messages}
