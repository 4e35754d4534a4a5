"""Short words for messages, as faults are told: ``U("q")``, ``T("a")``, ``pT("start", "a")``, ``C("1")``.

``stream`` puts them one second apart, so that ``at(3)`` is when the fourth came; ``later`` and
``untimed`` say otherwise, ``of`` says through which sessions a message came.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from refold.folding import apply
from refold.items import Item
from refold.json_values import JsonObject
from refold.messages import (
    Abort,
    ApprovalDecision,
    CompactionBegin,
    CompactionEnd,
    ImageUrl,
    Message,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    RequestBegin,
    RequestEnd,
    SessionMeta,
    Text,
    Thinking,
    TokenCounts,
    TokenUsage,
    ToolCall,
    ToolCallOutput,
)
from refold.records import evolve
from refold.session import Session
from refold.times import format_ms

__all__ = [
    "CB",
    "CE",
    "RB",
    "RE",
    "START_MS",
    "TU",
    "A",
    "C",
    "I",
    "K",
    "O",
    "S",
    "T",
    "U",
    "X",
    "at",
    "fold",
    "items",
    "later",
    "meta",
    "of",
    "pC",
    "pK",
    "pO",
    "pT",
    "stream",
    "untimed",
]

START_MS = 1_783_209_600_000
_NAMES = JsonObject()


def at(seconds: float) -> int:
    """Return a moment in Unix ms, by seconds since the stream began."""
    return START_MS + round(seconds * 1000)


# --- messages -------------------------------------------------------------------------------------


def U(text: str) -> Text:  # noqa: N802 - the notation's own capitals, here and below
    """Say something as the user."""
    return Text(role="user", text=text)


def S(text: str) -> Text:  # noqa: N802
    """Steer."""
    return U(f"[user_steering]\n{text}\n[/user_steering]")


def I(url: str = "u") -> ImageUrl:  # noqa: N802, E743
    """Send an image."""
    return ImageUrl(role="user", image_url=url)


def T(text: str, reason: str | None = None, names: str | None = None) -> Text:  # noqa: N802
    """Say something as the assistant; ``names`` is the call that spawned its session."""
    return Text(role="assistant", text=text, stop_reason=reason, extra=_extra(names))


def K(text: str, reason: str | None = None) -> Thinking:  # noqa: N802
    """Think."""
    return Thinking(role="assistant", thinking=text, stop_reason=reason)


def C(name: str, tool: str = "exec", arguments: str = "{}", reason: str | None = None) -> ToolCall:  # noqa: N802
    """Call a tool."""
    return ToolCall(
        role="assistant", name=tool, arguments=arguments, tool_call_id=name, stop_reason=reason
    )


def O(  # noqa: N802, E743
    name: str, text: str = "done", reason: str | None = None, images: tuple[str, ...] | None = None
) -> ToolCallOutput:
    """Give a tool's output."""
    return ToolCallOutput(
        role="user", output=text, tool_call_id=name, stop_reason=reason, images=images
    )


def pT(event: str, text: str = "", reason: str | None = None) -> PartialText:  # noqa: N802
    """Stream a piece of a text."""
    return PartialText(role="assistant", event_type=event, text=text, stop_reason=reason)


def pK(event: str, text: str = "", reason: str | None = None) -> PartialThinking:  # noqa: N802
    """Stream a piece of a thinking."""
    return PartialThinking(role="assistant", event_type=event, thinking=text, stop_reason=reason)


def pC(  # noqa: N802
    name: str, event: str, text: str = "", tool: str = "exec", reason: str | None = None
) -> PartialToolCall:
    """Stream a piece of a call."""
    return PartialToolCall(
        role="assistant",
        event_type=event,
        name=tool,
        arguments=text,
        tool_call_id=name,
        stop_reason=reason,
    )


def pO(  # noqa: N802
    name: str,
    event: str,
    text: str = "",
    reason: str | None = None,
    images: tuple[str, ...] | None = None,
) -> PartialToolCallOutput:
    """Stream a piece of an output."""
    return PartialToolCallOutput(
        role="user",
        event_type=event,
        output=text,
        tool_call_id=name,
        stop_reason=reason,
        images=images,
    )


RB = RequestBegin()


def RE(  # noqa: N802
    status: str = "completed", attempt: int | None = None, retry_in_ms: int | None = None
) -> RequestEnd:
    """End a request."""
    return RequestEnd(status=status, attempt=attempt, retry_in_ms=retry_in_ms)


def A(name: str, decision: str = "allow") -> ApprovalDecision:  # noqa: N802
    """Decide on a call."""
    return ApprovalDecision(decision=decision, tool_call_id=name)


def TU(session: int, request: int, output: int = 0, read: int = 0, write: int = 0) -> TokenUsage:  # noqa: N802
    """Report usage: the session's total, and a request's total and buckets."""
    counts = TokenCounts(total=request, output=output, cache_read=read, cache_write=write)
    return TokenUsage(session=TokenCounts(total=session), request=counts)


def X(reason: str | None = None) -> Abort:  # noqa: N802
    """Abort."""
    return Abort(reason=reason)


CB = CompactionBegin(reason="context", mode="summarize", context=9, turns=2)


def CE(status: str = "completed", error: str | None = None) -> CompactionEnd:  # noqa: N802
    """End a compaction."""
    return CompactionEnd(reason="context", mode="summarize", status=status, error_message=error)


def meta(
    agent_state: str = "/agents/main/state", model: str = "m", names: str | None = None
) -> SessionMeta:
    """Say what a session runs on."""
    return SessionMeta(
        session_id="s",
        provider="p",
        model_id=model,
        model_context_window=1000,
        system_prompt="",
        agent_state=agent_state,
        workspace="/w",
        source="subagent",
        parent_tool_call_id=names,
    )


def _extra(names: str | None) -> JsonObject:
    return _NAMES if names is None else JsonObject({"parent_tool_call_id": names})


# --- streams --------------------------------------------------------------------------------------


def of(origin: str, payload: Any) -> Message:
    """Return a payload as a message through sessions, named as ``outer/inner``."""
    message = payload if isinstance(payload, Message) else Message(payload=payload)
    return evolve(message, origin=tuple(origin.split("/")))


def later(seconds: float, payload: Any) -> Message:
    """Return a payload as a message of a moment of its own."""
    message = payload if isinstance(payload, Message) else Message(payload=payload)
    return evolve(message, timestamp=format_ms(at(seconds)))


def untimed(payload: Any) -> Message:
    """Return a payload as a message of unreadable time."""
    message = payload if isinstance(payload, Message) else Message(payload=payload)
    return evolve(message, timestamp="at some time")


def stream(*payloads: Any) -> list[Message]:
    """Return payloads, and messages whose time is not set yet, one second apart."""
    messages = []
    for index, payload in enumerate(payloads):
        message = payload if isinstance(payload, Message) else Message(payload=payload)
        timestamp = message.timestamp or format_ms(at(index))
        messages.append(evolve(message, timestamp=timestamp))
    return messages


def fold(*payloads: Any, session: Session | None = None, now_ms: int = 0) -> Session:
    """Apply payloads or messages, one second apart in their own time."""
    session = Session() if session is None else session
    for message in stream(*payloads):
        session = apply(session, message, now_ms=now_ms)
    return session


def items(*payloads: Any) -> list[Item]:
    """Return the items that payloads leave."""
    return list(fold(*payloads).items)


def shown(session: Session, names: Iterable[str] = ("key",)) -> list[tuple[Any, ...]]:
    """Return some fields of each item; None where an item has no such field."""
    return [tuple(getattr(item, name, None) for name in names) for item in session.items]
