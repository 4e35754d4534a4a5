"""Messages as they stand on the wire, for tests to bend."""

from __future__ import annotations

from typing import Any

__all__ = ["COUNTS", "META", "event", "meta", "model"]

META = {
    "session_id": "s",
    "provider": "p",
    "model_id": "m",
    "model_context_window": 200000,
    "system_prompt": "",
    "agent_state": "/a/agent_state",
    "workspace": "/w",
}
COUNTS = {"cache_read": 1, "cache_write": 2, "output": 3, "total": 6}


def model(kind: str, **fields: Any) -> dict[str, Any]:
    return {"timestamp": "t", "type": "model_msg", "payload": {"type": kind, **fields}}


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"timestamp": "t", "type": "event_msg", "payload": {"type": kind, **fields}}


def meta(**fields: Any) -> dict[str, Any]:
    return {"timestamp": "t", "type": "session_meta", "payload": META | fields}
