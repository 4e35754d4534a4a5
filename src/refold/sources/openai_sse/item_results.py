"""The results that items of a response bring.

Rules of this file:

- Pure and total: an item is any JSON object.
- A call of a hosted tool brings its result in the same item; a call for the client to run doesn't.
- A result reads as a person would read it: what was printed, found or drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.messages import ToolCallOutput
from refold.sources.anthropic_blocks import json_text
from refold.sources.fields import listing, mapping, name, text

__all__ = ["item_output"]

Item: TypeAlias = dict[str, Any]

_IMAGE_TYPES = {"jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}


def item_output(item: Item, call_id: str) -> ToolCallOutput | None:
    """Return the result that an item brings, or None.

    Args:
        item: a call of a hosted tool, or an item that answers a call.
        call_id: the call it answers if it doesn't say.
    """
    kind = text(item.get("type"))
    if kind.endswith("_output"):
        answered = name(item.get("call_id")) or call_id
        return _output(item, answered, _said(item.get("output", item.get("result"))))
    result = _HOSTED.get(kind)
    return None if result is None else result(item, call_id)


def _output(item: Item, call_id: str, said: str, images: tuple[str, ...] = ()) -> ToolCallOutput:
    failed = item.get("status") == "failed" or bool(item.get("error"))
    return ToolCallOutput(
        role="user",
        output=said,
        tool_call_id=call_id,
        images=images or None,
        stop_reason="failed" if failed else "completed",
    )


def _said(value: Any) -> str:
    """Return a result's text: itself, its printed parts, or its JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join([_part(each) for each in value])
    return "" if value is None else json_text(value)


def _part(value: Any) -> str:
    part = mapping(value)
    if "stdout" in part or "stderr" in part:
        return text(part.get("stdout")) + text(part.get("stderr"))
    for field in ("text", "logs"):
        if isinstance(part.get(field), str):
            return text(part[field])
    return value if isinstance(value, str) else json_text(value)


def _searched(item: Item, call_id: str) -> ToolCallOutput:
    sources = [mapping(each) for each in listing(mapping(item.get("action")).get("sources"))]
    return _output(item, call_id, "\n".join([text(each.get("url")) for each in sources]))


def _files_found(item: Item, call_id: str) -> ToolCallOutput:
    results = [mapping(each) for each in listing(item.get("results"))]
    lines = [f"{text(each.get('filename'))}\n{text(each.get('text'))}" for each in results]
    return _output(item, call_id, "\n\n".join(lines))


def _interpreted(item: Item, call_id: str) -> ToolCallOutput:
    parts = [mapping(each) for each in listing(item.get("outputs"))]
    logs = [text(each.get("logs")) for each in parts if each.get("type") == "logs"]
    images = [name(each.get("url")) for each in parts if each.get("type") == "image"]
    return _output(
        item, call_id, "\n".join(logs), tuple([each for each in images if each is not None])
    )


def _answered(item: Item, call_id: str) -> ToolCallOutput:
    problem = item.get("error")
    said = _said(item.get("output"))
    return _output(item, call_id, said or ("" if problem is None else _said(problem)))


def _drawn(item: Item, call_id: str) -> ToolCallOutput:
    data = name(item.get("result"))
    kind = _IMAGE_TYPES.get(text(item.get("output_format")), "image/png")
    problem = mapping(item.get("error")).get("message")
    images = () if data is None else (f"data:{kind};base64,{data}",)
    return _output(item, call_id, text(problem), images)


_HOSTED: dict[str, Callable[[Item, str], ToolCallOutput]] = {
    "web_search_call": _searched,
    "file_search_call": _files_found,
    "code_interpreter_call": _interpreted,
    "mcp_call": _answered,
    "image_generation_call": _drawn,
}
