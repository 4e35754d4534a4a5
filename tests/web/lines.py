"""Lines of a trace, as the tests of this folder write them: of a session that runs now."""

from __future__ import annotations

import json
import time
from typing import Any

from refold.times import format_ms

__all__ = [
    "begin_ms",
    "begin_now",
    "call",
    "delta",
    "event",
    "line",
    "output",
    "said",
    "start",
    "stop",
    "user",
]

_BEGINNINGS: list[int] = []


def begin_now() -> None:
    """Let the sessions written from here on begin now: one that began long ago is shown at rest."""
    _BEGINNINGS.append(int(time.time()) * 1000)


def begin_ms() -> int:
    """Return when the session begins, in Unix ms."""
    return _BEGINNINGS[-1]


begin_now()


def line(second: int, kind: str, origin: list[str] | None = None, **payload: Any) -> str:
    """Return a message as a line, so many seconds behind the beginning."""
    message: dict[str, Any] = {
        "timestamp": format_ms(begin_ms() + 1000 * second),
        "type": kind,
        "payload": payload,
    }
    if origin:
        message["origin"] = origin
    return json.dumps(message) + "\n"


def event(second: int, type: str, origin: list[str] | None = None, **payload: Any) -> str:
    return line(second, "event_msg", origin, type=type, **payload)


def user(second: int, text: str, origin: list[str] | None = None) -> str:
    return line(second, "model_msg", origin, type="text", role="user", text=text)


def said(second: int, text: str, origin: list[str] | None = None) -> str:
    return line(second, "model_msg", origin, type="text", role="assistant", text=text)


def start(second: int, type: str = "partial_text", **payload: Any) -> str:
    return _partial(second, type, "start", payload)


def delta(second: int, text: str) -> str:
    return _partial(second, "partial_text", "delta", {"text": text})


def stop(second: int) -> str:
    return _partial(second, "partial_text", "stop", {})


def _partial(second: int, type: str, event_type: str, payload: dict[str, Any]) -> str:
    words = {"text": ""} if type == "partial_text" else {}
    return line(
        second,
        "model_msg",
        type=type,
        role="assistant",
        event_type=event_type,
        **{**words, **payload},
    )


def call(second: int, call_id: str, name: str, arguments: dict[str, Any]) -> str:
    return line(
        second,
        "model_msg",
        type="tool_call",
        role="assistant",
        name=name,
        arguments=json.dumps(arguments),
        tool_call_id=call_id,
    )


def output(second: int, call_id: str, text: str, **more: Any) -> str:
    return line(
        second,
        "model_msg",
        type="tool_call_output",
        role="user",
        output=text,
        tool_call_id=call_id,
        **more,
    )
