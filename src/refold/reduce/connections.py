"""Connections to MCP servers, and the tools they offer.

Rules of this file (reducer.md rule 34):

- An end closes the last connection that runs; without one it does nothing.
- Tools of MCP servers are those named ``mcp__…``.
"""

from __future__ import annotations

from refold.items import McpConnectItem, McpResult, McpTool
from refold.messages import McpConnectBegin, McpConnectEnd, McpServerResult, ToolListReady
from refold.records import evolver
from refold.reduce.places import count, next_key, place, put_placed
from refold.state import Draft, Pointers

__all__ = ["mcp_connect_begin", "mcp_connect_end", "tool_list_ready"]

_LONGEST_ERROR = 500

_connected = evolver(
    McpConnectItem, "running", "duration_ms", "tool_count", "results", "failed", "aborted"
)
_with_tools = evolver(McpConnectItem, "tools")
_begun = evolver(Pointers, "mcp", "mcp_running")
_ended = evolver(Pointers, "mcp_running")


def mcp_connect_begin(draft: Draft, payload: McpConnectBegin, at_ms: int | None) -> None:
    """Place a running connection."""
    item = McpConnectItem(
        key=next_key(draft, "mcp_connect"),
        servers=payload.servers,
        running=True,
        begin_ts_ms=at_ms,
    )
    slot = place(draft, item)
    draft.pointers = _begun(draft.pointers, slot, draft.pointers.mcp_running | 1 << slot)


def mcp_connect_end(draft: Draft, payload: McpConnectEnd, at_ms: int | None) -> None:
    """Close the last running connection."""
    running = draft.pointers.mcp_running
    if not running:
        count(draft, "orphan")
        return
    slot = running.bit_length() - 1
    item = draft.placed.at(slot)
    assert type(item) is McpConnectItem
    begin_ms = item.begin_ts_ms
    lasted = None if begin_ms is None or at_ms is None else max(0, at_ms - begin_ms)
    results = tuple([_result(each) for each in payload.results])
    tool_count = sum(each.tools or 0 for each in payload.results)
    failed = tuple([each.server for each in payload.results if each.status == "failed"]) or None
    aborted = True if payload.status == "aborted" else None
    closed = _connected(item, False, lasted, tool_count, results, failed, aborted)
    put_placed(draft, slot, closed)
    draft.pointers = _ended(draft.pointers, running ^ 1 << slot)


def tool_list_ready(draft: Draft, payload: ToolListReady) -> None:
    """Put the tools of MCP servers on the last connection, if there is one."""
    slot = draft.pointers.mcp
    tools = tuple(
        [
            McpTool(name=each.name, description=each.description)
            for each in payload.tools
            if each.name.startswith("mcp__")
        ]
    )
    if slot is not None and tools:
        item = draft.placed.at(slot)
        assert type(item) is McpConnectItem
        put_placed(draft, slot, _with_tools(item, tools))


def _result(result: McpServerResult) -> McpResult:
    error = result.error
    return McpResult(
        server=result.server,
        status=result.status,
        duration_ms=result.duration_ms,
        tools=result.tools,
        error=None if error is None else _cut(error),
    )


def _cut(error: str) -> str:
    """Cut to 500 UTF-16 code units, as a browser would."""
    units = error.encode("utf-16-le", "surrogatepass")
    return units[: 2 * _LONGEST_ERROR].decode("utf-16-le", "surrogatepass")
