"""What came out of a call, and how it ended.

Rules of this file (census.md X6, X7, X14):

- An output is a text, a text that holds ``{output, metadata}``, a list of parts, or one part. Codex
  puts a header in front of a command's output for the model; what follows it is the output.
- An exit code other than 0 is a failure, and so is what Codex says of a call it could not make;
  "aborted by user" is an abort.
"""

from __future__ import annotations

import json
import re
from typing import Any

from refold.records import record
from refold.sources.depth import clipped
from refold.sources.fields import mapping, name, text
from refold.sources.logs.values import compact, first, first_text, objects

__all__ = ["Output", "as_url", "output_of", "result_of", "status_reason"]

_HEADER = re.compile(
    r"(?:(?:Chunk ID|Wall time|Process exited with code|Process running with session ID"
    r"|Original token count|Exit code|Total output lines)\b[^\n]*\n)+Output:\n"
)
_MOST_HEADERS = 2
_FAILED = ("failed in sandbox", "execution error", "exec_command failed", "unsupported call")
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:)\s*(-?\d{1,9})\s*$", re.MULTILINE)
_ABORTED = re.compile(r"(?:Wall time:[^\n]*\n)?aborted(?: by user\b.*)?\s*", re.DOTALL)
_REASONS = {
    "completed": "completed",
    "success": "completed",
    "failed": "failed",
    "error": "failed",
    "declined": "failed",
    "interrupted": "aborted",
    "cancelled": "aborted",
}


@record
class Output:
    """An output.

    Args:
        text: what came out.
        reason: how the call ended.
        images: pictures, as URLs.
    """

    text: str = ""
    reason: str = "completed"
    images: tuple[str, ...] = ()


def output_of(value: Any) -> Output:
    """Return the output of a ``function_call_output`` or its like.

    Args:
        value: its ``output``, of any shape.
    """
    return _from_text(value) if isinstance(value, str) else _output(clipped(value))


def _output(value: Any) -> Output:
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, list):
        return _from_parts(objects(value))
    fields = mapping(value)
    if "content" in fields or "success" in fields:
        inner = _output(fields.get("content"))
        failed = fields.get("success") is False
        return Output(
            text=inner.text, images=inner.images, reason="failed" if failed else inner.reason
        )
    return _from_parts([fields]) if fields else Output()


def result_of(value: Any) -> Output:
    """Return the result of an MCP call: ``{Ok: …}``, ``{Err: …}`` or its content.

    Args:
        value: the result, of any shape.
    """
    fields = mapping(value)
    if "Err" in fields:
        return Output(text=_words(fields["Err"]), reason="failed")
    inner = mapping(fields.get("Ok")) or fields
    said = _from_parts(objects(inner.get("content")))
    structured = first(inner, "structuredContent", "structured_content")
    words = said.text or ("" if structured is None else compact(structured))
    failed = first(inner, "isError", "is_error") is True
    return Output(text=words, images=said.images, reason="failed" if failed else "completed")


def status_reason(status: Any, exit_code: Any = None) -> str | None:
    """Return how a status ends a call, None while it runs.

    Args:
        status: ``completed``, ``failed``, ``inProgress`` and the like.
        exit_code: the command's, if it has one.
    """
    known = _REASONS.get(text(status).lower())
    if type(exit_code) is int and known in (None, "completed"):
        return "completed" if exit_code == 0 else "failed"
    return known


def as_url(data: Any, mime_type: str | None) -> str | None:
    """Return base64 data as a data URL; what is a URL stays one."""
    found = name(data)
    if found is None or found.startswith(("data:", "http:", "https:", "file:")):
        return found
    return f"data:{mime_type or 'image/png'};base64,{found}"


def _from_text(said: str) -> Output:
    inner = _unwrapped(said)
    if inner is not None:
        reason = status_reason(None, mapping(inner.get("metadata")).get("exit_code"))
        return Output(text=text(inner.get("output")), reason=reason or "completed")
    if _ABORTED.fullmatch(said):
        return Output(text=said, reason="aborted")
    reason = "failed" if said.startswith(_FAILED) else "completed"
    for _ in range(_MOST_HEADERS):
        header = _HEADER.match(said)
        if header is None:
            break
        code = _EXIT.search(header[0])
        reason = "failed" if code is not None and int(code[1]) else reason
        said = said[header.end() :]
    return Output(text=said, reason=reason)


def _unwrapped(said: str) -> dict[str, Any] | None:
    if not said.startswith("{") or '"output"' not in said:
        return None
    try:
        inner = json.loads(said)
    except (ValueError, RecursionError):
        return None
    return inner if isinstance(inner, dict) and isinstance(inner.get("output"), str) else None


def _from_parts(parts: list[dict[str, Any]]) -> Output:
    said = [_words(each) for each in parts if _picture(each) is None]
    shown = (_picture(each) for each in parts)
    return Output(
        text="\n".join([each for each in said if each]),
        images=tuple([each for each in shown if each is not None]),
    )


def _picture(part: dict[str, Any]) -> str | None:
    url = first_text(part, "image_url", "imageUrl")
    if url is not None:
        return url
    return as_url(part.get("data"), first_text(part, "mimeType")) if "data" in part else None


def _words(value: Any) -> str:
    if isinstance(value, str):
        return value
    said = first_text(mapping(value), "text", "message", "refusal")
    if said is not None:
        return said
    kept = mapping(value)
    return compact(kept) if kept and "text" not in kept and "encrypted_content" not in kept else ""
