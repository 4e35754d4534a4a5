"""A catalogue's tools as a provider's request offers them."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import ToolParam
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter

from refold.json_values import freeze
from refold.policies.projection import DIALECTS, Dialect, UnknownDialectError, tool_definitions
from refold.policies.projection.tools import OFFERS
from refold.policies.tool_catalog import CatalogTool, ToolCatalog

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}
CATALOG = ToolCatalog(
    tools=(
        CatalogTool(server="fs", name="read", description="Read a file.", schema=freeze(SCHEMA)),
        CatalogTool(server="fs", name="pwd"),
        CatalogTool(server="fs", name="_Stop"),
    )
)
ANY = {"type": "object"}

OFFERED: dict[Dialect, list[dict[str, Any]]] = {
    "openai_chat": [
        {
            "type": "function",
            "function": {
                "name": "fs__read",
                "description": "Read a file.",
                "parameters": SCHEMA,
            },
        },
        {"type": "function", "function": {"name": "fs__pwd", "parameters": ANY}},
    ],
    "anthropic": [
        {"name": "fs__read", "description": "Read a file.", "input_schema": SCHEMA},
        {"name": "fs__pwd", "input_schema": ANY},
    ],
    "openai_responses": [
        {
            "type": "function",
            "name": "fs__read",
            "description": "Read a file.",
            "parameters": SCHEMA,
            "strict": False,
        },
        {"type": "function", "name": "fs__pwd", "parameters": ANY, "strict": False},
    ],
}
TYPES: dict[Dialect, TypeAdapter[Any]] = {
    "openai_chat": TypeAdapter(list[ChatCompletionFunctionToolParam]),
    "anthropic": TypeAdapter(list[ToolParam]),
    "openai_responses": TypeAdapter(list[FunctionToolParam]),
}


@pytest.mark.parametrize("dialect", OFFERED)
def test_advertised_tools_are_offered_as_the_provider_publishes(dialect: Dialect) -> None:
    offered = tool_definitions(CATALOG, dialect)
    assert offered == OFFERED[dialect]
    TYPES[dialect].validate_python(offered)


@pytest.mark.parametrize("schema", [{}, [], None, "text", {"type": "string"}])
def test_a_schema_is_always_one_of_an_object(schema: Any) -> None:
    tool = CatalogTool(server="s", name="t", schema=freeze(schema))
    assert tool_definitions(ToolCatalog(tools=(tool,)), "anthropic")[0]["input_schema"] == ANY


def test_every_dialect_offers_tools() -> None:
    assert set(OFFERS) == set(DIALECTS)


def test_a_dialect_that_isnt_known_is_an_error() -> None:
    with pytest.raises(UnknownDialectError):
        tool_definitions(CATALOG, "gopher")  # type: ignore[arg-type]
