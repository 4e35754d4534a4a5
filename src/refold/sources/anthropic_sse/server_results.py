"""What a server tool's result says to a reader.

Rules of this file:

- A result is an object of the tool's own shape; what a person would read of it is its output, the
  rest (file ids, encrypted copies) is not. A shape without such a text stays JSON.
"""

from __future__ import annotations

from typing import Any

from refold.sources.fields import mapping, name, text

__all__ = ["readable"]


def readable(content: Any) -> str | None:
    """Return the text of a server tool's result, or None if it has none of its own.

    Args:
        content: the ``content`` of a ``…_tool_result`` block, of any JSON type.
    """
    if isinstance(content, list):
        lines = [_found_page(mapping(each)) for each in content]
        return None if not lines or None in lines else "\n".join([each or "" for each in lines])
    result = mapping(content)
    if "stdout" in result or "stderr" in result:
        return _printed(result)
    if isinstance(result.get("content"), str):
        return text(result["content"])
    return _fetched(result)


def _found_page(result: dict[str, Any]) -> str | None:
    if result.get("type") != "web_search_result":
        return None
    return f"{text(result.get('title'))} {text(result.get('url'))}".strip()


def _printed(result: dict[str, Any]) -> str:
    return text(result.get("stdout")) + text(result.get("stderr"))


def _fetched(result: dict[str, Any]) -> str | None:
    if result.get("type") != "web_fetch_result":
        return None
    source = mapping(mapping(result.get("content")).get("source"))
    parts = [name(result.get("url")), name(source.get("data")) if _is_text(source) else None]
    return "\n".join([each for each in parts if each is not None])


def _is_text(source: dict[str, Any]) -> bool:
    return source.get("type") == "text"
