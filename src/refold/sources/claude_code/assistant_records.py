"""Records of the model's responses, and what the client wrote in the model's place.

Rules of this file (sources/claude-code.md 1.3, 8.3, 8.4; census C1, C14, C16, C17, C20):

- The lines of one response share ``message.id``; a block is itself by its content, so a line that
  was copied under another uuid shows nothing twice.
- Blank text and thinking without words show nothing.
- What the client wrote itself (``<synthetic>``) is no model output: an error fails the request, a
  stand-in that says nothing is dropped, the rest is a notice.
"""

from __future__ import annotations

from typing import Any

from refold.json_values import JsonObject, freeze
from refold.markers import is_blank
from refold.messages import Notice, Text, Thinking, ToolCall, ToolCallOutput, UnknownPayload
from refold.records import positional
from refold.sources.anthropic_blocks import (
    assistant_payload,
    blocks_of,
    text_of,
    token_counts,
)
from refold.sources.claude_code.fields import digest, flag, key_of, string
from refold.sources.claude_code.readings import (
    Block,
    BlockPayload,
    Dropped,
    Failure,
    Reading,
    Response,
    Said,
)
from refold.sources.depth import clipped

__all__ = ["failure_status", "read_assistant"]

_SYNTHETIC = "<synthetic>"
_STAND_IN = "No response requested."
_CUT = {"max_tokens": "failed", "refusal": "failed", "model_context_window_exceeded": "failed"}
_CREDENTIALS = ("authentication_error", "authentication_failed", "oauth", "invalid_api_key")
_CREDENTIAL_TEXTS = ("Invalid API key", "Please run /login", "OAuth token")


_line = positional(Response)
_named = positional(Block)


def read_assistant(record: dict[str, Any], message: dict[str, Any]) -> tuple[Reading, ...]:
    """Read a record whose message has the role ``assistant``.

    Args:
        record: a transcript record.
        message: its message.
    """
    blocks = blocks_of(message.get("content"))
    if record.get("isApiErrorMessage") is True or message.get("model") == _SYNTHETIC:
        return (_synthetic(record, blocks),)
    return (_response(record, message, blocks),)


def failure_status(error: Any, text: str) -> str:
    """Return how a request failed: ``auth``, ``timeout`` or ``failed``.

    Args:
        error: what the record holds about the error, of any JSON type.
        text: the error in words.
    """
    told = error if isinstance(error, str) else ""
    code = error.get("status") if isinstance(error, dict) else None
    kinds = " ".join(_kinds(error)) + " " + told
    if code in (401, 403) or any(word in kinds for word in _CREDENTIALS):
        return "auth"
    if any(words in text for words in _CREDENTIAL_TEXTS):
        return "auth"
    return "timeout" if "timeout" in kinds.lower() or "timed out" in text.lower() else "failed"


def _kinds(error: Any) -> list[str]:
    """Return what the nested error objects call themselves; they nest a few levels at most."""
    found: list[str] = []
    for _ in range(4):
        if not isinstance(error, dict):
            return found
        connection = error.get("connection")
        code = connection.get("code") if isinstance(connection, dict) else None
        found += [each for each in (error.get("type"), code) if isinstance(each, str)]
        error = error.get("error")
    return found


def _synthetic(record: dict[str, Any], blocks: list[dict[str, Any]]) -> Reading:
    text = "\n".join(text_of(block.get("text")) for block in blocks)
    if text.strip() == _STAND_IN or is_blank(text):
        return Dropped(what="synthetic reply")
    key = key_of(record, digest(text))
    error = record.get("error")
    if flag(record, "isApiErrorMessage") or error:
        return Failure(status=failure_status(error, text), text=text, key=key)
    return Said(name="synthetic_reply", text=text, key=key)


def _response(
    record: dict[str, Any], message: dict[str, Any], blocks: list[dict[str, Any]]
) -> Response:
    aborted = record.get("isAbortedMidStream") is True
    reason = "aborted" if aborted else _CUT.get(string(message, "stop_reason") or "")
    shown = []
    for index, block in enumerate(blocks):
        kind = block.get("type")
        if (kind == "text" or kind == "thinking") and is_blank(text_of(block.get(kind))):
            continue
        shown.append(_block(record, index, block, reason))
    name = message.get("id")
    if type(name) is not str or not name:
        name = string(record, "requestId") or string(record, "uuid")
    usage = token_counts(message.get("usage"))
    line: Response = _line(name, tuple(shown), usage, string(message, "model"), aborted)
    return line


def _block(record: dict[str, Any], index: int, block: dict[str, Any], reason: str | None) -> Block:
    own = string(block, "id")
    payload = assistant_payload(
        block,
        call_id=own if own and block.get("type") == "tool_use" else f"{record.get('uuid')}.{index}",
        stop_reason=reason if reason is not None and _ends(block, reason) else "completed",
    )
    shown = _other(block) if payload is None else payload
    unnamed = own is None and isinstance(shown, ToolCall)
    named: Block = _named(_block_key(shown), shown, block.get("input"), unnamed)
    return named


def _ends(block: dict[str, Any], reason: str) -> bool:
    """Tell whether a block ended as its response did; a call that came out whole was run."""
    return reason == "aborted" or block.get("type") == "text"


def _other(block: dict[str, Any]) -> BlockPayload:
    body = freeze(clipped(block))
    if block.get("type") == "fallback":
        return Notice(name="model_fallback", data=body)
    return UnknownPayload(
        category="model_msg", body=JsonObject({"type": "content_block", "block": body})
    )


def _block_key(payload: BlockPayload) -> str:
    if type(payload) is ToolCall:
        return f"call {payload.tool_call_id}"
    if type(payload) is Text:
        return f"text {digest(payload.text)}"
    if type(payload) is Thinking:
        return f"thinking {digest(payload.thinking)}"
    if type(payload) is ToolCallOutput:
        return f"output {payload.tool_call_id}"
    return f"other {digest(repr(payload))}"
