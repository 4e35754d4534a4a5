"""A history as the messages of OpenAI's Chat Completions.

Rules of this file (sources/stream-json-and-acp.md 5.2):

- An assistant's ``content`` is always a string: ``""`` where it said nothing, never null.
  ``tool_calls`` is there only if there are any.
- A run of results is never split: their images come in one user message behind the run, each
  named by its call.
- The system prompt is the first message.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from refold.policies.history import (
    AssistantTurn,
    Call,
    History,
    Image,
    Part,
    PlainText,
    ToolResult,
    UserTurn,
    text_of,
)
from refold.policies.projection.arguments import arguments_text
from refold.policies.projection.images import image_source, left_out
from refold.policies.utf8 import sendable
from refold.policies.wire_names import wire_name

__all__ = ["openai_chat_request"]


def openai_chat_request(history: History, system: str | None) -> dict[str, Any]:
    """Return the part of a Chat Completions request that says what went before.

    Args:
        history: paired turns.
        system: the system prompt, if any.
    """
    messages: list[dict[str, Any]] = []
    messages += [{"role": "system", "content": sendable(system)}] if system is not None else []
    images: list[dict[str, Any]] = []
    for item in history:
        if images and not isinstance(item, ToolResult):
            messages.append({"role": "user", "content": images})
            images = []
        messages.append(_message(item))
        images += _result_images(item) if isinstance(item, ToolResult) else []
    messages += [{"role": "user", "content": images}] if images else []
    return {"messages": messages}


def _message(item: UserTurn | AssistantTurn | ToolResult) -> dict[str, Any]:
    match item:
        case UserTurn():
            return {"role": "user", "content": _user_content(item.parts)}
        case AssistantTurn():
            calls = {"tool_calls": [_tool_call(call) for call in item.calls]} if item.calls else {}
            return {"role": "assistant", "content": sendable(item.text), **calls}
        case ToolResult():
            text = sendable(text_of(item.parts))
            return {"role": "tool", "tool_call_id": item.call_id, "content": text}


def _tool_call(call: Call) -> dict[str, Any]:
    function = {"name": wire_name(call.name), "arguments": arguments_text(call.arguments)}
    return {"id": call.call_id, "type": "function", "function": function}


def _user_content(parts: tuple[Part, ...]) -> str | list[dict[str, Any]]:
    if all(isinstance(part, PlainText) for part in parts):
        return sendable(text_of(parts))
    return [_content_part(part) for part in parts]


def _content_part(part: Part) -> dict[str, Any]:
    if isinstance(part, PlainText):
        return {"type": "text", "text": sendable(part.text)}
    source = image_source(part.url)
    if source is None:
        return {"type": "text", "text": left_out(part.url)}
    return {"type": "image_url", "image_url": {"url": source.url}}


def _result_images(result: ToolResult) -> Iterable[dict[str, Any]]:
    images = [_content_part(part) for part in result.parts if isinstance(part, Image)]
    return [{"type": "text", "text": f"[images of {result.call_id}]"}, *images] if images else []
