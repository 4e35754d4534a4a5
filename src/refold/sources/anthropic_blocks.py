"""Anthropic's content blocks and usage objects as payloads.

Rules of this file:

- Pure and total: any JSON value in any place gives a payload, a count or None, never an error.
- It knows a block, not the record around it: no ids are remembered, nothing is dropped as blank
  (the reducer does that), nothing is said about time.
- What a block holds that has no text is kept as JSON text rather than lost.
- Transcripts, headless runs and provider streams of the same model share these shapes, so they
  share this file (sources/claude-code.md 8.3, 8.4).
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from refold.decode.json_text import fits
from refold.json_values import EMPTY, JsonObject
from refold.messages import (
    ImageUrl,
    InlineData,
    InlineThinking,
    Text,
    Thinking,
    TokenCounts,
    ToolCall,
    ToolCallOutput,
)
from refold.records import positional
from refold.sources.depth import DEEPEST, clipped

__all__ = [
    "AssistantPayload",
    "UserPayload",
    "assistant_payload",
    "blocks_of",
    "count",
    "image_url",
    "json_text",
    "result_payload",
    "text_of",
    "token_counts",
    "user_payload",
]

AssistantPayload: TypeAlias = Text | Thinking | InlineThinking | ToolCall | ToolCallOutput
UserPayload: TypeAlias = Text | ImageUrl | InlineData

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_TOO_MANY = 1 << 63

_counts = positional(TokenCounts)
_result = positional(ToolCallOutput)
_text = positional(Text)
_said = positional(Text, "role", "text")
_tool_call = positional(ToolCall)
_OPAQUE = "application/octet-stream"
_ENCODER = json.JSONEncoder(ensure_ascii=False)
# What an encoder makes anew for every value, and costs more than a small one to write.
_pieces = json.encoder.c_make_encoder and json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, None, json.encoder.encode_basestring, None, ": ", ", ", False, False, True
)


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """Return a message's content as a list of blocks; a string is one text block.

    Args:
        content: ``message.content``, of any JSON type; what is no block is left out. The list may
            be the record's own: it must not be changed.
    """
    if type(content) is list and len(content) == 1 and type(content[0]) is dict:
        return content
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [
        {"type": "text", "text": each} if isinstance(each, str) else each
        for each in content
        if isinstance(each, str | dict)
    ]


def assistant_payload(
    block: dict[str, Any], *, call_id: str, stop_reason: str | None = None
) -> AssistantPayload | None:
    """Return what a block of an assistant message says, or None if its kind is unknown.

    Args:
        block: a content block.
        call_id: the id of a call that has none of its own.
        stop_reason: how the block ended, if that is known.
    """
    kind = block.get("type")
    if kind == "text":
        text: Text = _text("assistant", text_of(block.get("text")), None, stop_reason, None, EMPTY)
        return text
    if kind == "thinking" or kind == "redacted_thinking":
        return _thinking(block, stop_reason)
    if isinstance(kind, str) and kind in _CALLS:
        return _call(block, call_id, stop_reason)
    if isinstance(kind, str) and kind.endswith("_tool_result"):
        return result_payload(block, call_id=call_id)
    return None


def user_payload(block: dict[str, Any]) -> UserPayload | None:
    """Return what a block of a user message says, or None if it is a result or unknown.

    Args:
        block: a content block that is no ``tool_result``.
    """
    kind = block.get("type")
    if kind == "text":
        return _said("user", text_of(block.get("text")))
    if kind == "image":
        url = image_url(block)
        return None if url is None else ImageUrl(role="user", image_url=url)
    return _document(block) if kind == "document" else None


def result_payload(
    block: dict[str, Any], *, call_id: str, structured: Any = None
) -> ToolCallOutput:
    """Return a tool's result as the output of its call.

    Args:
        block: a ``tool_result`` block, or a server tool's.
        call_id: the call it answers if the block doesn't say.
        structured: the client's own form of the result (``toolUseResult``), if there is one: it
            stands in for missing content and tells whether the tool was interrupted.
    """
    content = block.get("content")
    text, images = (content, None) if type(content) is str else _output(content, structured)
    output: ToolCallOutput = _result(
        "user",
        text,
        _named(block.get("tool_use_id")) or call_id,
        images,
        _result_status(block, structured),
        None,
        EMPTY,
    )
    return output


def token_counts(usage: Any) -> TokenCounts | None:
    """Return a usage object as counts, or None if it counts nothing.

    Args:
        usage: ``message.usage``. Uncached input and cache writes are one bucket here, as the
            protocol has no other; ``extra.input`` tells the uncached part for who prices them.
    """
    if not isinstance(usage, dict):
        return None
    get: Any = usage.get
    fresh, read = get("input_tokens"), get("cache_read_input_tokens")
    created, output = get("cache_creation_input_tokens"), get("output_tokens")
    if not (
        type(fresh) is type(read) is type(created) is type(output) is int
        and 0 <= fresh < _TOO_MANY
        and 0 <= read < _TOO_MANY
        and 0 <= created < _TOO_MANY
        and 0 <= output < _TOO_MANY
    ):
        fresh, read, created, output = map(count, (fresh, read, created, output))
    written = fresh + created
    total = read + written + output
    if total == 0:
        return None
    return _counts(read, written, output, total, JsonObject({"input": fresh}) if fresh else EMPTY)


def count(value: Any) -> int:
    """Return a count of tokens; what is none counts nothing.

    Args:
        value: any JSON value: an integer from 0, or a float without a fraction, under 2**63.
    """
    if type(value) is int:
        return value if 0 <= value < _TOO_MANY else 0
    return count(int(value)) if type(value) is float and value.is_integer() else 0


def image_url(block: Any) -> str | None:
    """Return an image block's picture as a web or data URL, or None if it has none."""
    if not isinstance(block, dict) or block.get("type") != "image":
        return None
    source = block.get("source")
    if not isinstance(source, dict):
        return None
    data = source.get("data")
    if isinstance(data, str) and data:
        return f"data:{_named(source.get('media_type')) or _OPAQUE};base64,{data}"
    return _named(source.get("url"))


def text_of(value: Any) -> str:
    """Return a text field's text; anything but a string is none."""
    return value if isinstance(value, str) else ""


def json_text(value: Any) -> str:
    """Return a JSON value as text, keys in their order, as the model's own stream writes it."""
    bounded = value if fits(value, DEEPEST) else clipped(value)
    return "".join(_pieces(bounded, 0)) if _pieces else _ENCODER.encode(bounded)


def _named(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _thinking(block: dict[str, Any], stop_reason: str | None) -> Thinking | InlineThinking:
    if block.get("type") == "redacted_thinking":
        return InlineThinking(
            role="assistant",
            data=text_of(block.get("data")),
            mime_type=_OPAQUE,
            stop_reason=stop_reason,
        )
    signature = _named(block.get("signature"))
    return Thinking(
        role="assistant",
        thinking=text_of(block.get("thinking")),
        stop_reason=stop_reason,
        fidelity=None if signature is None else JsonObject({"signature": signature}),
    )


def _call(block: dict[str, Any], call_id: str, stop_reason: str | None) -> ToolCall:
    arguments = block.get("input")
    call: ToolCall = _tool_call(
        "assistant",
        text_of(block.get("name")),
        json_text(arguments) if isinstance(arguments, dict) else "{}",
        _named(block.get("id")) or call_id,
        stop_reason,
        None,
        EMPTY,
    )
    return call


def _document(block: dict[str, Any]) -> InlineData | Text | None:
    source = block.get("source")
    if not isinstance(source, dict) or not isinstance(source.get("data"), str):
        return None
    if source.get("type") == "text":
        return Text(role="user", text=source["data"])
    mime_type = _named(source.get("media_type")) or _OPAQUE
    return InlineData(role="user", data=source["data"], mime_type=mime_type)


def _output(content: Any, structured: Any) -> tuple[str, tuple[str, ...] | None]:
    """Return the text and the images of a result whose content is no string."""
    if isinstance(content, list):
        parts = blocks_of(content)
        images = tuple([url for url in map(image_url, parts) if url is not None])
        texts = [_part_text(each) for each in parts if each.get("type") != "image"]
        return "\n".join(texts), images or None
    shown = structured if content is None else content
    if shown is None or isinstance(shown, str):
        return shown or "", None
    return json_text(shown), None


def _part_text(part: dict[str, Any]) -> str:
    text = part.get("text")
    if part.get("type") == "text" and isinstance(text, str):
        return text
    return json_text(part)


def _result_status(block: dict[str, Any], structured: Any) -> str:
    if isinstance(structured, dict) and structured.get("interrupted") is True:
        return "aborted"
    failed = block.get("is_error") is True or _is_server_error(block.get("content"))
    return "failed" if failed else "completed"


def _is_server_error(content: Any) -> bool:
    kind = content.get("type") if isinstance(content, dict) else None
    return isinstance(kind, str) and kind.endswith("_tool_result_error")
