"""Messages of the protocol, short to write."""

from __future__ import annotations

from typing import Any

S = "ses"


def update(kind: str, /, session: str | None = S, **fields: Any) -> dict[str, Any]:
    params: dict[str, Any] = {"update": {"sessionUpdate": kind, **fields}}
    if session is not None:
        params["sessionId"] = session
    return {"jsonrpc": "2.0", "method": "session/update", "params": params}


def said(words: str, kind: str = "agent_message_chunk", **fields: Any) -> dict[str, Any]:
    return update(kind, content={"type": "text", "text": words}, **fields)


def thought(words: str, **fields: Any) -> dict[str, Any]:
    return said(words, "agent_thought_chunk", **fields)


def user(words: str, **fields: Any) -> dict[str, Any]:
    return said(words, "user_message_chunk", **fields)


def call(identity: str = "t", **fields: Any) -> dict[str, Any]:
    return update("tool_call", toolCallId=identity, **fields)


def change(identity: str = "t", **fields: Any) -> dict[str, Any]:
    return update("tool_call_update", toolCallId=identity, **fields)


def shown(words: str) -> list[dict[str, Any]]:
    return [{"type": "content", "content": {"type": "text", "text": words}}]


def request(identity: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def prompt(words: str, identity: Any = 1, session: str = S) -> dict[str, Any]:
    blocks = [{"type": "text", "text": words}]
    return request(identity, "session/prompt", sessionId=session, prompt=blocks)


def result(identity: Any = 1, /, **fields: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "result": fields}


def ended(reason: str = "end_turn", identity: Any = 1, **fields: Any) -> dict[str, Any]:
    return result(identity, stopReason=reason, **fields)


def cancelled(session: str = S) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}


def asks(identity: Any, tool: dict[str, Any], session: str = S) -> dict[str, Any]:
    options = [
        {"optionId": "y", "name": "Yes", "kind": "allow_once"},
        {"optionId": "n", "name": "No", "kind": "reject_once"},
    ]
    return request(
        identity, "session/request_permission", sessionId=session, toolCall=tool, options=options
    )


def chooses(identity: Any, option: str) -> dict[str, Any]:
    return result(identity, outcome={"outcome": "selected", "optionId": option})
