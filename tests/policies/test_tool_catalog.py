"""Which tools a session offers its model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.json_values import EMPTY, JsonObject
from refold.policies.history import Call, text_of
from refold.policies.tool_catalog import (
    CatalogCaps,
    CatalogRejected,
    CatalogTool,
    OfferedTool,
    ToolCatalog,
    ToolServer,
    build_catalog,
    find_tool,
    unknown_tool,
)
from refold.policies.utf8 import utf8_length
from tests.policies.strategies import texts


def server(name: str, *tools: str) -> ToolServer:
    return ToolServer(name=name, tools=tuple([OfferedTool(name=each) for each in tools]))


def described(text: str | None) -> str:
    offered = OfferedTool(name="t", description=text)
    catalog = build_catalog([ToolServer(name="s", tools=(offered,))])
    assert isinstance(catalog, ToolCatalog)
    return catalog.tools[0].description


REJECTED: dict[str, tuple[list[ToolServer], str, str]] = {
    "17 servers": (
        [server(f"s{n}") for n in range(17)],
        "too_many_servers",
        "too many servers: 17, at most 16",
    ),
    "200 tools": (
        [server("many", *[f"t{n}" for n in range(200)])],
        "too_many_tools",
        "too many tools: 200, at most 128",
    ),
    "129 tools, one of them hidden": (
        [server("a", *[f"t{n}" for n in range(128)]), server("b", "_Stop")],
        "too_many_tools",
        "too many tools: 129, at most 128",
    ),
    "a name with a double underscore": (
        [server("s", "a__b")],
        "bad_name",
        "not a usable name: 'a__b'",
    ),
    "an empty name": ([server("", "t")], "bad_name", "not a usable name: ''"),
    "a name that isn't ASCII": ([server("s", "é")], "bad_name", "not a usable name: 'é'"),
    "a line end behind a name": ([server("s", "t\n")], "bad_name", "not a usable name: 't\\n'"),
    "a qualified name of 65": (
        [server("s", "t" * 62)],
        "bad_name",
        f"not a usable name: 's__{'t' * 57}'…",
    ),
    "a server given twice": ([server("s"), server("s")], "duplicate_name", "given twice: 's'"),
    "a tool given twice": ([server("s", "t", "t")], "duplicate_name", "given twice: 's__t'"),
    "two tools that read the same": (
        [server("a_", "b"), server("a", "_b")],
        "duplicate_name",
        "given twice: 'a___b'",
    ),
}


@pytest.mark.parametrize(("servers", "reason", "detail"), REJECTED.values(), ids=REJECTED)
def test_a_catalogue_is_rejected_whole(servers: list[ToolServer], reason: str, detail: str) -> None:
    """Document 004, tests 3 and 4 (tool_metadata_caps_enforced, mcp_server_count_cap)."""
    rejected = build_catalog(servers)
    assert isinstance(rejected, CatalogRejected)
    assert (rejected.reason, rejected.detail) == (reason, detail)


def test_at_the_caps_a_catalogue_stands() -> None:
    servers = [server(f"s{n}", *[f"t{each}" for each in range(8)]) for n in range(16)]
    catalog = build_catalog(servers)
    assert isinstance(catalog, ToolCatalog)
    assert len(catalog.tools) == 128
    assert isinstance(build_catalog([server("s", "t" * 61)]), ToolCatalog)


def test_a_description_of_5000_bytes_becomes_at_most_1024() -> None:
    """Document 004, test 9 (description_clamping_enforced)."""
    clamped = described("d" * 5000)
    assert utf8_length(clamped) == 1024
    assert clamped.endswith("d… [cut]")


@pytest.mark.parametrize(
    ("text", "kept"),
    [(None, ""), ("", ""), ("short", "short"), ("d" * 1024, "d" * 1024)],
)
def test_a_description_within_the_cap_stays(text: str | None, kept: str) -> None:
    assert described(text) == kept


@given(texts, st.integers(0, 12))
def test_a_description_never_exceeds_its_cap(text: str, limit: int) -> None:
    offered = OfferedTool(name="t", description=text)
    catalog = build_catalog(
        [ToolServer(name="s", tools=(offered,))], CatalogCaps(description_bytes=limit)
    )
    assert isinstance(catalog, ToolCatalog)
    assert utf8_length(catalog.tools[0].description) <= limit


@pytest.mark.parametrize(("size", "kept"), [(4096, True), (4097, False)])
def test_a_schema_above_the_cap_is_replaced(size: int, kept: bool) -> None:
    schema = JsonObject({"": "x" * (size - len('{"":""}'))})
    catalog = build_catalog([ToolServer(name="s", tools=(OfferedTool(name="t", schema=schema),))])
    assert catalog == ToolCatalog(
        tools=(CatalogTool(server="s", name="t", schema=schema if kept else EMPTY),)
    )


def test_hidden_tools_are_neither_advertised_nor_found() -> None:
    """Document 004, test 14 (hook_tools_hidden_from_llm)."""
    catalog = build_catalog([server("fake", "tool_0", "_Stop")])
    assert isinstance(catalog, ToolCatalog)
    assert [tool.qualified_name for tool in catalog.advertised] == ["fake__tool_0"]
    assert find_tool(catalog, "fake___Stop") is None
    assert find_tool(catalog, "fake__nothing") is None
    assert find_tool(catalog, "fake__tool_0") == CatalogTool(server="fake", name="tool_0")


def test_a_call_of_a_hidden_tool_fails_like_one_of_a_tool_that_isnt_there() -> None:
    hidden = unknown_tool(Call(call_id="tc1", name="fake___Stop"))
    assert hidden.is_error
    assert hidden.call_id == "tc1"
    assert text_of(hidden.parts) == "unknown tool: 'fake___Stop'"


def test_a_hidden_tool_is_told_by_its_own_name_not_by_the_qualified_one() -> None:
    catalog = build_catalog([server("a_", "b")])
    assert isinstance(catalog, ToolCatalog)
    found = find_tool(catalog, "a___b")
    assert found is not None
    assert not found.hidden
