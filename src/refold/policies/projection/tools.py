"""A catalogue's tools as a provider's request offers them.

Rules of this file:

- Only advertised tools are offered, by their qualified names. A request whose history holds calls
  must offer tools to some providers, so the two go out together.
- A schema is always one of an object: ``{}``, and whatever is no object, becomes the least such.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from refold.json_values import JsonObject, thaw
from refold.policies.projection.project import Dialect, UnknownDialectError
from refold.policies.tool_catalog import CatalogTool, ToolCatalog

__all__ = ["OFFERS", "tool_definitions"]


def tool_definitions(catalog: ToolCatalog, dialect: Dialect) -> list[dict[str, Any]]:
    """Return the ``tools`` of a request.

    Args:
        catalog: the session's.
        dialect: ``openai_chat``, ``anthropic`` or ``openai_responses``.

    Raises:
        UnknownDialectError: the dialect is none of the three.
    """
    if dialect not in OFFERS:
        raise UnknownDialectError(dialect)
    return [OFFERS[dialect](tool) for tool in catalog.advertised]


def _chat(tool: CatalogTool) -> dict[str, Any]:
    return {"type": "function", "function": {**_named(tool), "parameters": _schema(tool)}}


def _anthropic(tool: CatalogTool) -> dict[str, Any]:
    return {**_named(tool), "input_schema": _schema(tool)}


def _responses(tool: CatalogTool) -> dict[str, Any]:
    return {"type": "function", **_named(tool), "parameters": _schema(tool), "strict": False}


def _named(tool: CatalogTool) -> dict[str, str]:
    said = {"description": tool.description} if tool.description else {}
    return {"name": tool.qualified_name, **said}


def _schema(tool: CatalogTool) -> dict[str, Any]:
    schema = thaw(tool.schema) if isinstance(tool.schema, JsonObject) else {}
    return schema if schema.get("type") == "object" else {**schema, "type": "object"}


OFFERS: Mapping[str, Callable[[CatalogTool], dict[str, Any]]] = MappingProxyType(
    {"openai_chat": _chat, "anthropic": _anthropic, "openai_responses": _responses}
)
