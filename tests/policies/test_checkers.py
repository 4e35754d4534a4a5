"""The rules that requests are checked by do refuse what providers refuse."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.policies.checkers import complaints

CHAT: dict[str, Any] = {
    "messages": [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "t", "arguments": "{}"}}
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "out"},
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": {"url": "https://e.org/a.png"}}],
        },
    ]
}
ANTHROPIC: dict[str, Any] = {
    "system": "be brief",
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "a", "name": "t", "input": {}}],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "a",
                    "content": [{"type": "text", "text": "out"}],
                    "is_error": True,
                },
                {
                    "type": "image",
                    "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"},
                },
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
    ],
}
RESPONSES: dict[str, Any] = {
    "input": [
        {
            "type": "message",
            "role": "user",
            "content": [
                {"type": "input_image", "image_url": "https://e.org/a.png", "detail": "auto"}
            ],
        },
        {"type": "message", "role": "assistant", "content": "ok"},
        {"type": "function_call", "call_id": "a", "name": "t", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "out"},
    ]
}
VALID = {"openai_chat": CHAT, "anthropic": ANTHROPIC, "openai_responses": RESPONSES}

Damage = Callable[[dict[str, Any]], object]

BROKEN: dict[str, tuple[str, Damage]] = {
    "null content": ("openai_chat", lambda r: r["messages"][2].update(content=None)),
    "no result": ("openai_chat", lambda r: r["messages"].pop(3)),
    "no result at the end": ("openai_chat", lambda r: r["messages"].__delitem__(slice(3, 5))),
    "no call": ("openai_chat", lambda r: r["messages"].pop(2)),
    "a result apart from its call": (
        "openai_chat",
        lambda r: r["messages"].insert(3, {"role": "user", "content": "x"}),
    ),
    "no calls in a list": ("openai_chat", lambda r: r["messages"][2].update(tool_calls=[])),
    "an id twice": (
        "openai_chat",
        lambda r: r["messages"][2]["tool_calls"].append(r["messages"][2]["tool_calls"][0]),
    ),
    "a foreign id": ("openai_chat", lambda r: r["messages"][2]["tool_calls"][0].update(id="é")),
    "arguments that are no object": (
        "openai_chat",
        lambda r: r["messages"][2]["tool_calls"][0]["function"].update(arguments="[]"),
    ),
    "arguments that are no JSON": (
        "openai_chat",
        lambda r: r["messages"][2]["tool_calls"][0]["function"].update(arguments='{"a":NaN}'),
    ),
    "a foreign name": (
        "openai_chat",
        lambda r: r["messages"][2]["tool_calls"][0]["function"].update(name=""),
    ),
    "a late system message": ("openai_chat", lambda r: r["messages"].reverse()),
    "an unknown field": ("openai_chat", lambda r: r["messages"][1].update(key="1")),
    "an image without a place": (
        "openai_chat",
        lambda r: r["messages"][4]["content"][0]["image_url"].update(url="file:///x"),
    ),
    "no parts": ("openai_chat", lambda r: r["messages"][4].update(content=[])),
    "a lone surrogate": ("openai_chat", lambda r: r["messages"][1].update(content="\ud800")),
    "no user first": ("anthropic", lambda r: r["messages"].pop(0)),
    "two users": ("anthropic", lambda r: r["messages"].insert(0, r["messages"][0])),
    "an empty message": ("anthropic", lambda r: r["messages"][0].update(content=[])),
    "a blank text": ("anthropic", lambda r: r["messages"][0]["content"][0].update(text=" \n")),
    "a blank system prompt": ("anthropic", lambda r: r.update(system=" ")),
    "no result block": ("anthropic", lambda r: r["messages"][2]["content"].pop(0)),
    "a late result": ("anthropic", lambda r: r["messages"][2]["content"].reverse()),
    "a result of another call": (
        "anthropic",
        lambda r: r["messages"][2]["content"][0].update(tool_use_id="b"),
    ),
    "a failed result with an image": (
        "anthropic",
        lambda r: r["messages"][2]["content"][0]["content"].append(r["messages"][2]["content"][1]),
    ),
    "an input that is no object": (
        "anthropic",
        lambda r: r["messages"][1]["content"][0].update(input=[]),
    ),
    "a number no JSON holds": (
        "anthropic",
        lambda r: r["messages"][1]["content"][0].update(input={"a": float("inf")}),
    ),
    "an unknown media type": (
        "anthropic",
        lambda r: r["messages"][2]["content"][1]["source"].update(media_type="image/bmp"),
    ),
    "data that is no base64": (
        "anthropic",
        lambda r: r["messages"][2]["content"][1]["source"].update(data="AAA"),
    ),
    "an image without data": (
        "anthropic",
        lambda r: r["messages"][2]["content"][1]["source"].update(data=""),
    ),
    "white space at the end": (
        "anthropic",
        lambda r: r["messages"][3]["content"][0].update(text="done\n"),
    ),
    "a call at the end": ("anthropic", lambda r: r["messages"].__delitem__(slice(2, 4))),
    "no output": ("openai_responses", lambda r: r["input"].pop()),
    "an output in front of its call": ("openai_responses", lambda r: r["input"].reverse()),
    "an output twice": ("openai_responses", lambda r: r["input"].append(r["input"][3])),
    "a call twice": ("openai_responses", lambda r: r["input"].insert(2, r["input"][2])),
    "an empty reply": ("openai_responses", lambda r: r["input"][1].update(content="")),
    "a message without parts": ("openai_responses", lambda r: r["input"][0].update(content=[])),
    "a foreign item": ("openai_responses", lambda r: r["input"][1].update(type="reasoning")),
}


@pytest.mark.parametrize("dialect", VALID)
def test_a_valid_request_has_no_complaints(dialect: str) -> None:
    assert complaints(dialect, VALID[dialect]) == []


@pytest.mark.parametrize(("dialect", "damage"), BROKEN.values(), ids=BROKEN)
def test_a_broken_request_is_complained_of(dialect: str, damage: Damage) -> None:
    request = copy.deepcopy(VALID[dialect])
    damage(request)
    assert complaints(dialect, request) != []
