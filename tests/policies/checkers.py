"""What each provider publishes about a valid request, written without looking at the projection.

Rules of this file:

- It imports nothing of refold and knows nothing of items or turns.
- Every function returns the complaints it has, in words; an empty list is a valid request.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["CHECKS", "complaints"]

_IMAGES = {"image/png", "image/jpeg", "image/gif", "image/webp"}


def complaints(dialect: str, request: dict[str, Any]) -> list[str]:
    """Return what the provider of a dialect would refuse a request for."""
    return [*_not_json(request), *CHECKS[dialect](request)]


def _not_json(request: Any) -> Iterator[str]:
    try:
        text = json.dumps(request, allow_nan=False, ensure_ascii=False)
        text.encode("utf-8")
        if json.loads(text) != request:
            yield "changes when it is sent"
    except (ValueError, TypeError) as error:
        yield f"is no JSON: {error}"


# --- OpenAI Chat Completions -----------------------------------------------------------------


def _chat(request: dict[str, Any]) -> Iterator[str]:
    if set(request) != {"messages"}:
        yield f"fields {sorted(request)}"
    waiting: list[str] = []
    seen: set[str] = set()
    for place, message in enumerate(request["messages"]):
        role = message.get("role")
        if role == "tool":
            yield from _fields(message, {"role", "tool_call_id", "content"})
            if not isinstance(message["content"], str):
                yield "a tool message whose content is no string"
            if message["tool_call_id"] not in waiting:
                yield f"a result nobody called for: {message['tool_call_id']!r}"
            else:
                waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            yield f"calls without results: {waiting}"
            waiting = []
        if role == "system":
            yield from [] if place == 0 else ["a system message that isn't first"]
        elif role == "user":
            yield from _fields(message, {"role", "content"})
            yield from _chat_user(message["content"])
        elif role == "assistant":
            yield from _fields(message, {"role", "content"}, {"tool_calls"})
            if not isinstance(message["content"], str):
                yield f"assistant content {message['content']!r}"
            for call in message.get("tool_calls", ()):
                yield from _chat_call(call, seen)
                waiting.append(call["id"])
            if message.get("tool_calls") == []:
                yield "an empty list of tool calls"
        else:
            yield f"role {role!r}"
    if waiting:
        yield f"calls without results at the end: {waiting}"


def _chat_call(call: dict[str, Any], seen: set[str]) -> Iterator[str]:
    yield from _fields(call, {"id", "type", "function"})
    yield from _fields(call["function"], {"name", "arguments"})
    yield from _call_id(call["id"], seen, 40)
    yield from _name(call["function"]["name"])
    yield from _arguments(call["function"]["arguments"])


def _chat_user(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        return
    if not content:
        yield "user content without parts"
    for part in content:
        if part["type"] == "text":
            yield from _fields(part, {"type", "text"})
        elif part["type"] == "image_url":
            yield from _fields(part, {"type", "image_url"})
            yield from _url(part["image_url"]["url"])
        else:
            yield f"user part {part['type']!r}"


# --- Anthropic Messages ----------------------------------------------------------------------


def _anthropic(request: dict[str, Any]) -> Iterator[str]:
    yield from _fields(request, {"messages"}, {"system"})
    if "system" in request and not request["system"].strip():
        yield "a blank system prompt"
    messages = request["messages"]
    seen: set[str] = set()
    calls: list[str] = []
    for place, message in enumerate(messages):
        yield from _fields(message, {"role", "content"})
        if message["role"] != ("user", "assistant")[place % 2]:
            yield f"message {place} is the {message['role']}'s"
        if not message["content"]:
            yield f"message {place} is empty"
        if message["role"] == "user":
            yield from _anthropic_user(message["content"], calls)
            calls = []
        else:
            calls = []
            for block in message["content"]:
                yield from _anthropic_assistant(block, seen)
                calls += [block["id"]] if block["type"] == "tool_use" else []
    if calls:
        yield f"calls without results at the end: {calls}"
    if messages and messages[-1]["role"] == "assistant":
        text = messages[-1]["content"][-1].get("text", "")
        if text != text.rstrip():
            yield "a last assistant message that ends in white space"


def _anthropic_user(content: list[dict[str, Any]], calls: list[str]) -> Iterator[str]:
    results = [block for block in content if block["type"] == "tool_result"]
    if sorted(block["tool_use_id"] for block in results) != sorted(calls):
        yield f"results {[block['tool_use_id'] for block in results]} for calls {calls}"
    if any(block["type"] == "tool_result" for block in content[len(results) :]):
        yield "a result behind something else"
    for block in content:
        if block["type"] == "tool_result":
            yield from _anthropic_result(block)
        else:
            yield from _anthropic_block(block)


def _anthropic_assistant(block: dict[str, Any], seen: set[str]) -> Iterator[str]:
    if block["type"] != "tool_use":
        yield from _anthropic_block(block, images=False)
        return
    yield from _fields(block, {"type", "id", "name", "input"})
    yield from _call_id(block["id"], seen, 64)
    yield from _name(block["name"])
    if not isinstance(block["input"], dict):
        yield f"input {block['input']!r}"


def _anthropic_result(block: dict[str, Any]) -> Iterator[str]:
    yield from _fields(block, {"type", "tool_use_id"}, {"content", "is_error"})
    for part in block.get("content", ()):
        yield from _anthropic_block(part)
        if block.get("is_error") and part["type"] != "text":
            yield "a failed result with more than text"


def _anthropic_block(block: dict[str, Any], *, images: bool = True) -> Iterator[str]:
    if block["type"] == "text":
        yield from _fields(block, {"type", "text"})
        yield from [] if block["text"].strip() else ["a blank text block"]
    elif block["type"] == "image" and images:
        yield from _anthropic_image(block["source"])
    else:
        yield f"block {block['type']!r}"


def _anthropic_image(source: dict[str, Any]) -> Iterator[str]:
    if source["type"] == "url":
        yield from _web(source["url"])
    else:
        yield from _fields(source, {"type", "media_type", "data"})
        yield from _base64(source["media_type"], source["data"])


# --- OpenAI Responses ------------------------------------------------------------------------


def _responses(request: dict[str, Any]) -> Iterator[str]:
    yield from _fields(request, {"input"}, {"instructions"})
    seen: set[str] = set()
    waiting: set[str] = set()
    for item in request["input"]:
        kind = item["type"]
        if kind == "message":
            yield from _fields(item, {"type", "role", "content"})
            yield from _responses_message(item)
        elif kind == "function_call":
            yield from _fields(item, {"type", "call_id", "name", "arguments"})
            yield from _call_id(item["call_id"], seen, 64)
            yield from _name(item["name"])
            yield from _arguments(item["arguments"])
            waiting.add(item["call_id"])
        elif kind == "function_call_output":
            yield from _fields(item, {"type", "call_id", "output"})
            if item["call_id"] not in waiting:
                yield f"an output nobody called for: {item['call_id']!r}"
            waiting.discard(item["call_id"])
        else:
            yield f"item {kind!r}"
    if waiting:
        yield f"calls without outputs: {sorted(waiting)}"


def _responses_message(message: dict[str, Any]) -> Iterator[str]:
    if message["role"] == "assistant":
        if not isinstance(message["content"], str) or not message["content"]:
            yield f"assistant content {message['content']!r}"
        return
    if message["role"] != "user" or not message["content"]:
        yield f"message {message!r}"
    for part in message["content"]:
        if part["type"] == "input_text":
            yield from _fields(part, {"type", "text"})
        elif part["type"] == "input_image":
            yield from _fields(part, {"type", "image_url", "detail"})
            yield from _url(part["image_url"])
        else:
            yield f"part {part['type']!r}"


# --- what they share -------------------------------------------------------------------------


def _fields(value: dict[str, Any], must: set[str], may: set[str] | None = None) -> Iterator[str]:
    if not must <= set(value) <= must | (may or set()):
        yield f"fields {sorted(value)}, expected {sorted(must)}"


def _call_id(call_id: str, seen: set[str], longest: int) -> Iterator[str]:
    if not re.fullmatch(f"[a-zA-Z0-9_-]{{1,{longest}}}", call_id):
        yield f"call id {call_id!r}"
    if call_id in seen:
        yield f"call id {call_id!r} twice"
    seen.add(call_id)


def _name(name: str) -> Iterator[str]:
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name):
        yield f"tool name {name!r}"


def _arguments(text: str) -> Iterator[str]:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        value = json.loads(text, parse_constant=refuse)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        yield f"arguments {text!r}"
        return
    if not isinstance(value, dict):
        yield f"arguments {text!r}"


def _url(url: str) -> Iterator[str]:
    if not url.startswith("data:"):
        yield from _web(url)
        return
    head, _, data = url.partition(",")
    media_type, _, coding = head[5:].partition(";")
    if coding != "base64":
        yield f"data URL {head!r}"
    yield from _base64(media_type, data)


def _web(url: str) -> Iterator[str]:
    if not re.match(r"https?://\S+$", url):
        yield f"image URL {url!r}"


def _base64(media_type: str, data: str) -> Iterator[str]:
    if media_type not in _IMAGES:
        yield f"media type {media_type!r}"
    try:
        if not base64.b64decode(data, validate=True):
            yield "an image without data"
    except binascii.Error:
        yield f"base64 {data[:40]!r}"


CHECKS: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {
    "openai_chat": _chat,
    "anthropic": _anthropic,
    "openai_responses": _responses,
}
