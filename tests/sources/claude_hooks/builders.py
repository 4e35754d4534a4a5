"""Messages as a transcript's source makes them: each with the key of its record."""

from __future__ import annotations

from typing import Any

from refold.json_values import JsonObject
from refold.messages import (
    Message,
    Notice,
    SourcePosition,
    Text,
    ToolCall,
    ToolCallOutput,
    Transport,
)

__all__ = ["call", "message", "notice", "output", "prompt", "said"]


def message(key: str | None, payload: Any, *, line: int | None = None) -> Message:
    source = SourcePosition(format="claude-code", id=key, line=line)
    return Message(payload=payload, transport=Transport(source=source))


def prompt(key: str, text: str = "do it") -> Message:
    return message(key, Text(role="user", text=text))


def said(key: str, text: str = "Sure.") -> Message:
    return message(key, Text(role="assistant", text=text))


def call(key: str, call_id: str = "t1") -> Message:
    return message(
        key, ToolCall(role="assistant", name="Read", arguments="{}", tool_call_id=call_id)
    )


def output(key: str, call_id: str = "t1") -> Message:
    return message(key, ToolCallOutput(role="user", output="", tool_call_id=call_id))


def notice(key: str, name: str) -> Message:
    return message(key, Notice(name=name, text="/model", data=JsonObject({})))
