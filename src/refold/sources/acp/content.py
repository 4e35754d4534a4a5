"""Content blocks as text and pictures.

Rules of this file:

- What has a text is that text; a link is written as one; a picture is a data URL or its own URL.
- A prompt's blocks are one text, as one person said them at once: a text per block would be a task
  per block (reducer.md rule 16).
- Total: a block of an unknown kind is shown as JSON rather than lost.
"""

from __future__ import annotations

from typing import Any

from refold.messages import ImageUrl, InlineData, Payload, Text
from refold.sources.acp.diffs import diff_text
from refold.sources.acp.lanes import Part
from refold.sources.fields import mapping, name, text
from refold.sources.logs.values import compact, first_text, objects

__all__ = ["block_text", "blocks_of", "blocks_text", "part_of", "picture", "prompt_payloads"]

_SEEN = ("image", "audio")


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """Return content as blocks: one block, a list of them, or a bare text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [content] if isinstance(content, dict) else objects(content)


def block_text(block: dict[str, Any]) -> str:
    """Return what a block says as text; a picture says nothing."""
    kind = block.get("type")
    if kind == "resource_link":
        return _link(first_text(block, "title", "name"), text(block.get("uri")))
    if kind == "resource":
        resource = mapping(block.get("resource"))
        return first_text(resource, "text") or _link(None, text(resource.get("uri")))
    if kind == "audio":
        return f"[{name(block.get('mimeType')) or 'audio'}]"
    if kind == "image" or "text" in block:
        return text(block.get("text"))
    return compact(block) if block else ""


def blocks_text(content: Any) -> str:
    """Return all that content says, its blocks joined by line breaks."""
    said = (block_text(each) for each in blocks_of(content))
    return "\n".join([each for each in said if each])


def picture(block: dict[str, Any]) -> str | None:
    """Return a picture's data URL, or its own URL, or None if the block is no picture."""
    if block.get("type") != "image":
        return None
    data = name(block.get("data"))
    if data is None:
        return name(block.get("uri"))
    return f"data:{name(block.get('mimeType')) or 'image/png'};base64,{data}"


def prompt_payloads(prompt: Any) -> tuple[Payload, ...]:
    """Return a prompt's blocks as messages: one text, then what isn't text.

    Args:
        prompt: the blocks, in the order the user put them in.
    """
    blocks = blocks_of(prompt)
    words = "\n".join([block_text(each) for each in blocks if each.get("type") not in _SEEN])
    others = [each for each in map(_attachment, blocks) if each is not None]
    return (Text(role="user", text=words), *others) if words or not others else tuple(others)


def part_of(content: dict[str, Any]) -> tuple[Part, str | None]:
    """Return a piece of a call's content: its text or terminal, and its picture if it is one.

    Args:
        content: ``content``, ``diff`` or ``terminal``, or a bare block.
    """
    kind = content.get("type")
    if kind == "diff":
        return Part(text=diff_text(content)), None
    if kind == "terminal":
        return Part(terminal=text(content.get("terminalId"))), None
    block = mapping(content.get("content")) if kind == "content" else content
    return Part(text=block_text(block)), picture(block)


def _link(title: str | None, uri: str) -> str:
    return f"[{title or uri}]({uri})"


def _attachment(block: dict[str, Any]) -> Payload | None:
    url = picture(block)
    if url is not None:
        return ImageUrl(role="user", image_url=url)
    if block.get("type") == "audio" and name(block.get("data")):
        return InlineData(
            role="user", data=block["data"], mime_type=name(block.get("mimeType")) or "audio/wav"
        )
    return None
