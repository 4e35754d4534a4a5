"""A history as the input of OpenAI's Responses API.

Rules of this file (sources/stream-json-and-acp.md 5.2):

- Turns, calls and outputs are items of one list. An assistant's text is a message only if it isn't
  empty; its content is a string, because a list needs ids that only the provider can give.
- The images of a result are a user message right behind its output.
- The system prompt is ``instructions``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from refold.policies.history import (
    AssistantTurn,
    Call,
    History,
    HistoryItem,
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

__all__ = ["openai_responses_request"]

Item: TypeAlias = dict[str, Any]


def openai_responses_request(history: History, system: str | None) -> dict[str, Any]:
    """Return the part of a Responses request that says what went before.

    Args:
        history: paired turns.
        system: the system prompt, if any.
    """
    told = {} if system is None else {"instructions": sendable(system)}
    return {**told, "input": [each for item in history for each in _items(item)]}


def _items(item: HistoryItem) -> Iterator[Item]:
    match item:
        case UserTurn():
            yield _user_message(item.parts)
        case AssistantTurn():
            if item.text:
                yield {"type": "message", "role": "assistant", "content": sendable(item.text)}
            yield from map(_function_call, item.calls)
        case ToolResult():
            yield from _output(item)


def _user_message(parts: tuple[Part, ...]) -> Item:
    content = [_content_part(part) for part in parts]
    return {"type": "message", "role": "user", "content": content}


def _function_call(call: Call) -> Item:
    return {
        "type": "function_call",
        "call_id": call.call_id,
        "name": wire_name(call.name),
        "arguments": arguments_text(call.arguments),
    }


def _output(result: ToolResult) -> Iterator[Item]:
    text = sendable(text_of(result.parts))
    yield {"type": "function_call_output", "call_id": result.call_id, "output": text}
    images = tuple([part for part in result.parts if isinstance(part, Image)])
    if images:
        yield _user_message(images)


def _content_part(part: Part) -> Item:
    if isinstance(part, PlainText):
        return {"type": "input_text", "text": sendable(part.text)}
    source = image_source(part.url)
    if source is None:
        return {"type": "input_text", "text": left_out(part.url)}
    return {"type": "input_image", "image_url": source.url, "detail": "auto"}
