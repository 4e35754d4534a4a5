"""Records of Codex, short to write."""

from __future__ import annotations

from typing import Any

AT = "2026-01-01T00:00:00.000Z"


def record(kind: str, payload: dict[str, Any], at: str | None = AT, **more: Any) -> dict[str, Any]:
    return {**({} if at is None else {"timestamp": at}), "type": kind, "payload": payload, **more}


def header(identity: str = "s", at: str = AT, **fields: Any) -> dict[str, Any]:
    return record("session_meta", {"id": identity, "timestamp": at, **fields}, at)


def item(kind: str, at: str = AT, **fields: Any) -> dict[str, Any]:
    return record("response_item", {"type": kind, **fields}, at)


def event(kind: str, at: str = AT, **fields: Any) -> dict[str, Any]:
    return record("event_msg", {"type": kind, **fields}, at)


def user_item(words: str, **fields: Any) -> dict[str, Any]:
    content = [{"type": "input_text", "text": words}]
    return item("message", role="user", content=content, **fields)


def agent_item(words: str, **fields: Any) -> dict[str, Any]:
    content = [{"type": "output_text", "text": words}]
    return item("message", role="assistant", content=content, **fields)


def reasoning(*sections: str) -> dict[str, Any]:
    return item("reasoning", summary=[{"type": "summary_text", "text": each} for each in sections])


def user_event(words: str, **fields: Any) -> dict[str, Any]:
    return event("user_message", message=words, **fields)


def agent_event(words: str, **fields: Any) -> dict[str, Any]:
    return event("agent_message", message=words, **fields)


def done_item(kind: str, **fields: Any) -> dict[str, Any]:
    return event("item_completed", item={"type": kind, **fields})


def call(identity: str | None = "c", name: str = "shell", arguments: Any = "{}") -> dict[str, Any]:
    return item("function_call", name=name, call_id=identity, arguments=arguments)


def output(value: Any, identity: str = "c") -> dict[str, Any]:
    return item("function_call_output", call_id=identity, output=value)


def usage(total: int, output_tokens: int = 0, cached: int = 0) -> dict[str, int]:
    return {
        "input_tokens": total - output_tokens,
        "cached_input_tokens": cached,
        "output_tokens": output_tokens,
        "total_tokens": total,
    }


def tokens(total: int, last: int, at: str = AT, **fields: Any) -> dict[str, Any]:
    info = {"total_token_usage": usage(total), "last_token_usage": usage(last)}
    return event("token_count", at, info=info, **fields)


def told(method: str, **params: Any) -> dict[str, Any]:
    return {"method": method, "params": {"threadId": "s", **params}}


def app_item(event_name: str, kind: str, **fields: Any) -> dict[str, Any]:
    return told(f"item/{event_name}", item={"type": kind, **fields})
