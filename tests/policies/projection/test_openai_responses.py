"""A history as the input of OpenAI's Responses API."""

from __future__ import annotations

from refold.policies.history import (
    AssistantTurn,
    Call,
    Image,
    PlainText,
    ToolResult,
    UserTurn,
    prompt,
)
from refold.policies.projection.openai_responses import openai_responses_request
from tests.policies.strategies import PIXEL

PIXEL_PART = {"type": "input_image", "image_url": PIXEL, "detail": "auto"}


def test_turns_calls_and_outputs_are_items_of_one_list() -> None:
    history = (
        UserTurn(parts=(PlainText(text="look"), Image(url=PIXEL), Image(url="file:///x"))),
        AssistantTurn(text="ok", calls=(Call(call_id="a", name="t", arguments=""),)),
        ToolResult(call_id="a", parts=(PlainText(text="A"), Image(url=PIXEL))),
        AssistantTurn(text="done"),
    )
    assert openai_responses_request(history, "be brief") == {
        "instructions": "be brief",
        "input": [
            {
                "type": "message",
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "look"},
                    PIXEL_PART,
                    {"type": "input_text", "text": "[image left out]"},
                ],
            },
            {"type": "message", "role": "assistant", "content": "ok"},
            {"type": "function_call", "call_id": "a", "name": "t", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "A"},
            {"type": "message", "role": "user", "content": [PIXEL_PART]},
            {"type": "message", "role": "assistant", "content": "done"},
        ],
    }


def test_an_empty_reply_has_no_item() -> None:
    history = (prompt("1"), AssistantTurn(), prompt("2"))
    items = openai_responses_request(history, None)["input"]
    assert [item["role"] for item in items] == ["user", "user"]


def test_without_a_system_prompt_there_are_no_instructions() -> None:
    assert openai_responses_request((), None) == {"input": []}
