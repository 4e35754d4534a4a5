"""Streams for the analysis: golden ones, and small ones written down by hand.

``at`` writes a message at a moment given in ms after ``START_MS``, so that a test's arithmetic can
be done in the head.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from refold.decode import decode
from refold.messages import (
    ApprovalDecision,
    Message,
    RequestBegin,
    RequestEnd,
    SessionMeta,
    Text,
    TokenCounts,
    TokenUsage,
    ToolCall,
    ToolCallOutput,
)
from refold.times import format_ms

__all__ = [
    "GOLDEN",
    "START_MS",
    "at",
    "call",
    "decision",
    "golden_stream",
    "meta",
    "output",
    "request_begin",
    "request_end",
    "said",
    "usage",
    "user",
]

START_MS = 1_783_209_600_000

_INPUTS = Path(__file__).parents[2] / "golden" / "analysis" / "inputs"
GOLDEN = sorted(path.stem for path in _INPUTS.glob("*.jsonl"))


def golden_stream(name: str) -> list[Message]:
    """Read a golden stream."""
    lines = (_INPUTS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [decode(json.loads(line)) for line in lines]


def at(ms: int | None, payload: Any, *origin: str) -> Message:
    """Return a message ``ms`` after the start, or at no known time."""
    timestamp = None if ms is None else format_ms(START_MS + ms)
    return Message(payload=payload, timestamp=timestamp, origin=origin)


def meta(session_id: str = "main", model: str = "m", call_id: str | None = None) -> SessionMeta:
    """Return what a session says of itself."""
    return SessionMeta(
        session_id=session_id,
        provider="p",
        model_id=model,
        model_context_window=1000,
        system_prompt="",
        agent_state="/agents/x/agent_state",
        workspace="/w",
        parent_tool_call_id=call_id,
    )


def user(text: str = "do it") -> Text:
    """Return a user's text, which starts a task."""
    return Text(role="user", text=text)


def said(text: str = "done") -> Text:
    """Return an assistant's text."""
    return Text(role="assistant", text=text, stop_reason="completed")


def call(tool_call_id: str, name: str = "exec", stop_reason: str | None = "completed") -> ToolCall:
    """Return a complete call."""
    return ToolCall(
        role="assistant",
        name=name,
        arguments="{}",
        tool_call_id=tool_call_id,
        stop_reason=stop_reason,
    )


def decision(tool_call_id: str, decided: str = "allow") -> ApprovalDecision:
    """Return a decision about a call."""
    return ApprovalDecision(decision=decided, tool_call_id=tool_call_id)


def output(tool_call_id: str, stop_reason: str | None = "completed") -> ToolCallOutput:
    """Return a complete output."""
    return ToolCallOutput(
        role="user", output="ok", tool_call_id=tool_call_id, stop_reason=stop_reason
    )


def request_begin() -> RequestBegin:
    """Return the begin of a request."""
    return RequestBegin()


def request_end(status: str = "completed", retry_in_ms: int | None = None) -> RequestEnd:
    """Return the end of a request."""
    return RequestEnd(status=status, retry_in_ms=retry_in_ms)


def usage(read: int, write: int, out: int, session_total: int) -> TokenUsage:
    """Return a report of usage, whose total is the sum of its buckets."""
    request = TokenCounts(cache_read=read, cache_write=write, output=out, total=read + write + out)
    return TokenUsage(session=TokenCounts(total=session_total), request=request)
