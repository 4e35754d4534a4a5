"""Which tools a session offers its model.

Rules of this file (sources/stream-json-and-acp.md 5.3, 5.8):

- Too many servers, too many tools (hidden ones count), a name that is none or a name given twice
  reject the whole catalogue; a long description is clamped, a large schema replaced by ``{}``.
- A tool whose own name begins with ``_`` is hidden: never advertised, and to a model that calls it
  as unknown as one that doesn't exist.
- Server and own name are kept apart. ``server__tool`` is never taken to pieces again: ``a_`` with
  ``b`` and ``a`` with ``_b`` read the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from refold.errors import shorten
from refold.json_values import EMPTY, Json, thaw
from refold.policies.history import Call, ToolResult
from refold.policies.pairing import error_result
from refold.policies.utf8 import clamp, utf8_length
from refold.records import record

__all__ = [
    "CatalogCaps",
    "CatalogRejected",
    "CatalogTool",
    "OfferedTool",
    "ToolCatalog",
    "ToolServer",
    "build_catalog",
    "find_tool",
    "unknown_tool",
]

Rejection: TypeAlias = Literal["too_many_servers", "too_many_tools", "bad_name", "duplicate_name"]

_NAME = re.compile(r"(?!.*__)[A-Za-z0-9_-]+")
_CUT = "… [cut]"


@record
class CatalogCaps:
    """The limits of a catalogue; lengths in UTF-8 bytes."""

    servers: int = 16
    tools: int = 128
    description_bytes: int = 1024
    schema_bytes: int = 4096
    name_bytes: int = 128
    qualified_bytes: int = 64


@record
class OfferedTool:
    """A tool as its server describes it; ``schema`` is a frozen JSON value."""

    name: str
    description: str | None = None
    schema: Json = EMPTY


@record
class ToolServer:
    """A server and the tools it offers, in its order."""

    name: str
    tools: tuple[OfferedTool, ...] = ()


@record
class CatalogTool:
    """A tool of a session, within the caps."""

    server: str
    name: str
    description: str = ""
    schema: Json = EMPTY

    @property
    def qualified_name(self) -> str:
        """The name the model calls it by."""
        return f"{self.server}__{self.name}"

    @property
    def hidden(self) -> bool:
        """Whether the model must not know of it."""
        return self.name.startswith("_")


@record
class ToolCatalog:
    """The tools of a session, in the order of their servers."""

    tools: tuple[CatalogTool, ...] = ()

    @property
    def advertised(self) -> tuple[CatalogTool, ...]:
        """The tools the model is told of."""
        return tuple([tool for tool in self.tools if not tool.hidden])


@record
class CatalogRejected:
    """Why there is no catalogue; ``detail`` says what was found."""

    reason: Rejection
    detail: str


def build_catalog(
    servers: Sequence[ToolServer], caps: CatalogCaps | None = None
) -> ToolCatalog | CatalogRejected:
    """Gather the tools of all servers within the caps, or say why that can't be.

    Args:
        servers: in configuration order.
        caps: the limits; the defaults are those of the reference.
    """
    caps = caps or CatalogCaps()
    offered = [(server.name, tool) for server in servers for tool in server.tools]
    tools = [_catalogued(server, tool, caps) for server, tool in offered]
    reasons = (
        *_crowding(len(servers), len(tools), caps),
        *_bad_names(servers, tools, caps),
        *_duplicates(servers, tools),
    )
    return reasons[0] if reasons else ToolCatalog(tools=tuple(tools))


def find_tool(catalog: ToolCatalog, name: str) -> CatalogTool | None:
    """Return the tool a model may call by a name, or None for an unknown or a hidden one.

    Args:
        catalog: the session's.
        name: as the model wrote it.
    """
    return next((tool for tool in catalog.advertised if tool.qualified_name == name), None)


def unknown_tool(call: Call) -> ToolResult:
    """Return the result of a call whose tool the session doesn't offer; nothing is asked of a server.

    Args:
        call: as the model made it.
    """
    return error_result(call.call_id, f"unknown tool: {shorten(call.name)}")


def _catalogued(server: str, tool: OfferedTool, caps: CatalogCaps) -> CatalogTool:
    return CatalogTool(
        server=server,
        name=tool.name,
        description=clamp(tool.description or "", caps.description_bytes, _CUT),
        schema=tool.schema if _schema_bytes(tool.schema) <= caps.schema_bytes else EMPTY,
    )


def _schema_bytes(schema: Json) -> int:
    text = json.dumps(thaw(schema), ensure_ascii=False, separators=(",", ":"))
    return utf8_length(text)


def _crowding(servers: int, tools: int, caps: CatalogCaps) -> Iterator[CatalogRejected]:
    if servers > caps.servers:
        detail = f"too many servers: {servers}, at most {caps.servers}"
        yield CatalogRejected(reason="too_many_servers", detail=detail)
    if tools > caps.tools:
        detail = f"too many tools: {tools}, at most {caps.tools}"
        yield CatalogRejected(reason="too_many_tools", detail=detail)


def _bad_names(
    servers: Iterable[ToolServer], tools: Iterable[CatalogTool], caps: CatalogCaps
) -> Iterator[CatalogRejected]:
    plain = [server.name for server in servers] + [tool.name for tool in tools]
    long = [tool.qualified_name for tool in tools]
    bad = [name for name in plain if len(name) > caps.name_bytes or not _NAME.fullmatch(name)]
    bad += [name for name in long if len(name) > caps.qualified_bytes]
    yield from (
        CatalogRejected(reason="bad_name", detail=f"not a usable name: {shorten(name)}")
        for name in bad
    )


def _duplicates(
    servers: Iterable[ToolServer], tools: Iterable[CatalogTool]
) -> Iterator[CatalogRejected]:
    for names in ([each.name for each in servers], [each.qualified_name for each in tools]):
        seen: set[str] = set()
        for name in names:
            if name in seen:
                detail = f"given twice: {shorten(name)}"
                yield CatalogRejected(reason="duplicate_name", detail=detail)
            seen.add(name)
