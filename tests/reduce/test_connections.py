"""Connections to MCP servers (reducer.md rule 34)."""

from __future__ import annotations

from typing import Any

import pytest

from refold.items import McpConnectItem, McpResult, McpTool
from refold.messages import (
    McpConnectBegin,
    McpConnectEnd,
    McpServerResult,
    ToolDescription,
    ToolListReady,
)
from refold.state import Diagnostics
from tests.notation import at, fold, items, later, untimed

BEGIN = McpConnectBegin(servers=("a", "b"))
READY = ToolListReady(
    tools=(
        ToolDescription(name="mcp__a__x", description="does x"),
        ToolDescription(name="read"),
        ToolDescription(name="mcp__b__y"),
    )
)
TOOLS = (McpTool(name="mcp__a__x", description="does x"), McpTool(name="mcp__b__y"))


def result(server: str, status: str = "completed", **fields: Any) -> McpServerResult:
    return McpServerResult(server=server, transport="stdio", status=status, duration_ms=7, **fields)


def end(*results: McpServerResult, status: str = "completed") -> McpConnectEnd:
    return McpConnectEnd(status=status, results=results)


def connection(number: int = 1, **fields: Any) -> McpConnectItem:
    return McpConnectItem(key=f"mcp_connect:{number}", servers=("a", "b"), **fields)


def test_a_begin_places_a_running_connection() -> None:
    assert items(BEGIN) == [connection(running=True, begin_ts_ms=at(0))]


def test_an_end_closes_it_with_what_came_of_each_server() -> None:
    done = end(
        result("a", tools=3), result("b", "failed", error="no"), result("c", "failed", tools=2)
    )
    assert items(BEGIN, later(4, done)) == [
        connection(
            begin_ts_ms=at(0),
            duration_ms=4000,
            tool_count=5,
            results=(
                McpResult(server="a", status="completed", duration_ms=7, tools=3),
                McpResult(server="b", status="failed", duration_ms=7, error="no"),
                McpResult(server="c", status="failed", duration_ms=7, tools=2),
            ),
            failed=("b", "c"),
        )
    ]


def test_an_aborted_end_says_so() -> None:
    (item,) = items(BEGIN, end(status="aborted"))
    assert item == connection(
        begin_ts_ms=at(0), duration_ms=1000, tool_count=0, results=(), aborted=True
    )


@pytest.mark.parametrize("times", [(untimed(BEGIN), end()), (BEGIN, untimed(end()))])
def test_an_unknown_time_gives_no_duration(times: tuple[Any, Any]) -> None:
    assert items(*times)[0].duration_ms is None  # type: ignore[union-attr]


def test_an_end_closes_the_last_that_runs() -> None:
    session = fold(BEGIN, BEGIN, BEGIN, end(), end())
    assert [item.running for item in session.items] == [True, False, False]  # type: ignore[union-attr]


def test_an_end_without_a_connection_that_runs_does_nothing() -> None:
    session = fold(end(), BEGIN, end(), end(status="aborted"))
    assert [item.aborted for item in session.items] == [None]  # type: ignore[union-attr]
    assert session.diagnostics == Diagnostics(orphan=2)


def test_an_error_is_cut_to_500_utf_16_code_units() -> None:
    def error(text: str) -> Any:
        (item,) = items(BEGIN, end(result("a", "failed", error=text)))
        return item.results[0].error  # type: ignore[union-attr,index]

    assert error("e" * 500) == "e" * 500
    assert error("e" * 501) == "e" * 500
    assert error("\U0001f600" * 251) == "\U0001f600" * 250
    assert error("e" + "\U0001f600" * 251) == "e" + "\U0001f600" * 249 + "\ud83d"


def test_tools_of_mcp_servers_go_on_the_last_connection() -> None:
    (one, other) = items(BEGIN, BEGIN, end(), READY)
    assert (one.tools, other.tools) == (None, TOOLS)  # type: ignore[union-attr]


def test_a_later_list_replaces_the_tools_if_it_has_any() -> None:
    (item,) = items(BEGIN, READY, ToolListReady(tools=(ToolDescription(name="read"),)))
    assert item.tools == TOOLS  # type: ignore[union-attr]
    (item,) = items(BEGIN, READY, ToolListReady(tools=READY.tools[:1]))
    assert item.tools == TOOLS[:1]  # type: ignore[union-attr]


def test_tools_without_a_connection_go_nowhere() -> None:
    assert items(READY) == []
