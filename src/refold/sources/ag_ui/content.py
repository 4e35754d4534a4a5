"""The content of AG-UI messages: a text, or a list of parts.

Rules of this file:

- Total: any JSON value is a content.
- The parts of every version are read: 1.0's ``source`` (data, url, file), and the older ``binary``
  part with its own ``url`` or ``data``.
- A part that is neither text nor an image is an attachment: named, its bytes not carried along.
"""

from __future__ import annotations

from typing import Any

from refold.json_values import JsonObject
from refold.messages import ImageUrl, Notice, Text, ToolCallOutput
from refold.sources.fields import frozen_object, listing, mapping, name, text

__all__ = ["fidelity_of", "image_urls", "text_of", "tool_output", "user_payloads"]

_OPAQUE = "application/octet-stream"


def text_of(content: Any) -> str:
    """Return the text of a content, text parts on lines of their own."""
    if isinstance(content, str):
        return content
    parts = [mapping(each) for each in listing(content)]
    return "\n".join([text(each.get("text")) for each in parts if each.get("type") == "text"])


def image_urls(content: Any) -> tuple[str, ...]:
    """Return the images of a content as web or data URLs."""
    urls = [_image_url(mapping(each)) for each in listing(content)]
    return tuple([each for each in urls if each is not None])


def user_payloads(content: Any) -> tuple[Text | ImageUrl | Notice, ...]:
    """Return what a user's message says: its text, then its images, then what else it brings."""
    said = text_of(content)
    texts = (Text(role="user", text=said),) if said else ()
    images = tuple([ImageUrl(role="user", image_url=each) for each in image_urls(content)])
    return (*texts, *images, *_attachments(content))


def tool_output(result: dict[str, Any]) -> ToolCallOutput:
    """Return a tool's result as its call's output.

    Args:
        result: a result event or a tool message. An ``error`` means that the tool failed; refold's
            own events say in ``metadata.stopReason`` how it ended.
    """
    content, error = result.get("content"), name(result.get("error"))
    reason = name(mapping(result.get("metadata")).get("stopReason"))
    said = text_of(content)
    return ToolCallOutput(
        role="user",
        output=said if reason is not None else said or error or "",
        tool_call_id=text(result.get("toolCallId")),
        images=image_urls(content) or None,
        stop_reason=reason or ("completed" if error is None else "failed"),
    )


def fidelity_of(message: dict[str, Any]) -> JsonObject | None:
    """Return what a provider wants back verbatim, or None."""
    value = name(message.get("encryptedValue"))
    return None if value is None else JsonObject({"encryptedValue": value})


def _image_url(part: dict[str, Any]) -> str | None:
    if part.get("type") == "binary":
        return _url(part, text(part.get("mimeType"))) if _is_image(part) else None
    if part.get("type") != "image":
        return None
    source = mapping(part.get("source"))
    kind, value = source.get("type"), name(source.get("value"))
    if kind == "data" and value is not None:
        return f"data:{text(source.get('mimeType')) or _OPAQUE};base64,{value}"
    return value if kind == "url" else None


def _is_image(part: dict[str, Any]) -> bool:
    return text(part.get("mimeType")).startswith("image/")


def _url(part: dict[str, Any], mime_type: str) -> str | None:
    data = name(part.get("data"))
    if data is not None:
        return f"data:{mime_type};base64,{data}"
    return name(part.get("url"))


def _attachments(content: Any) -> tuple[Notice, ...]:
    parts = [mapping(each) for each in listing(content)]
    return tuple(
        [
            Notice(name="attachment", text=_label(each), data=_described(each))
            for each in parts
            if each.get("type") != "text" and _image_url(each) is None
        ]
    )


def _label(part: dict[str, Any]) -> str | None:
    source = mapping(part.get("source"))
    return (
        name(part.get("filename"))
        or name(source.get("mimeType"))
        or name(part.get("mimeType"))
        or name(part.get("type"))
    )


def _described(part: dict[str, Any]) -> JsonObject:
    """Return a part without its bytes."""
    source = mapping(part.get("source"))
    if source.get("type") == "data":
        part = {**part, "source": {name: source[name] for name in source if name != "value"}}
    return frozen_object({name: part[name] for name in part if name != "data"})
