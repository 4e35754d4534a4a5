"""ACP's ``SessionAccumulator`` (PyPI: agent-client-protocol), which gives a deep copy of everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from acp import schema
from acp.contrib.session_state import SessionAccumulator
from acp.schema import SessionNotification

from benchmarks.peers.peer import Peer, marginal
from benchmarks.peers.stream import Op, output_text

__all__ = ["PEERS"]


def _marginal(before: Sequence[Op], coming: Sequence[Op]) -> float:
    accumulator = SessionAccumulator()
    for op in before:
        for notification in _events(op):
            # ``apply`` would copy everything each time, and 10⁵ events would take hours.
            accumulator._ensure_session(notification)
            accumulator._apply_update(notification.update)
    return marginal(None, lambda _, event: accumulator.apply(event), _events, coming)


def _events(op: Op) -> list[Any]:
    return [SessionNotification(session_id="s", update=update) for update in _updates(op)]


def _updates(op: Op) -> list[Any]:
    match op["op"]:
        case "delta":
            content = schema.TextContentBlock(type="text", text=op["text"])
            return [schema.AgentMessageChunk(session_update="agent_message_chunk", content=content)]
        case "call":
            return [
                schema.ToolCallStart(
                    session_update="tool_call",
                    tool_call_id=op["id"],
                    title="exec",
                    status="pending",
                )
            ]
        case "output":
            block = schema.TextContentBlock(type="text", text=output_text(op))
            output = schema.ContentToolCallContent(type="content", content=block)
            return [
                schema.ToolCallProgress(
                    session_update="tool_call_update",
                    tool_call_id=op["id"],
                    status="completed",
                    content=[output],
                )
            ]
        case _:
            return []


PEERS = (Peer(name="ACP `SessionAccumulator`", snapshot="deep copy", marginal=_marginal),)
