"""Records of type ``system``: compactions, retries, errors, refusals, ends of turns.

Rules of this file (sources/claude-code.md 8.3; census C6, C14, C17):

- A compaction that was written into the transcript is over: begin and end come of one record.
- A retry's error is told by what it holds, not by its shape, which changed with every version.
- A subtype that isn't in the table is unknown; one that shows nothing is in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.json_values import freeze
from refold.sources.claude_code.assistant_records import failure_status
from refold.sources.claude_code.fields import dict_at, integer, key_of, string, strings_at
from refold.sources.claude_code.readings import (
    Boundary,
    Dropped,
    Reading,
    Retry,
    Said,
    TurnEnd,
    Unknown,
)
from refold.sources.claude_code.user_records import read_text
from refold.sources.depth import clipped

__all__ = ["read_system"]

Reader: TypeAlias = Callable[[dict[str, Any]], tuple[Reading, ...]]

_NO_LONG_RETRY_MS = 24 * 60 * 60 * 1000
_SILENT = frozenset(
    {
        "agents_killed",
        "away_summary",
        "bridge_status",
        "informational",
        "memory_saved",
        "permission_retry",
        "scheduled_task_fire",
        "session_start",
        "stop_hook_summary",
        "thinking",
    }
)


def read_system(record: dict[str, Any]) -> tuple[Reading, ...]:
    """Read a record of type ``system``.

    Args:
        record: a transcript record.
    """
    subtype = string(record, "subtype")
    if subtype is None:
        return (Dropped(what="system"),)
    reader = _READERS.get(subtype)
    if reader is not None:
        return reader(record)
    what = f"system/{subtype}"
    return (Dropped(what=what) if subtype in _SILENT else Unknown(what=what),)


def _local_command(record: dict[str, Any]) -> tuple[Reading, ...]:
    text = string(record, "content")
    return (Dropped(what="local command"),) if text is None else read_text(record, text)


def _boundary(record: dict[str, Any]) -> tuple[Reading, ...]:
    told = dict_at(record, "compactMetadata")
    manual = string(told, "trigger") == "manual"
    return (
        Boundary(
            reason="manual" if manual else "context",
            tokens=integer(told, "preTokens") or 0,
            duration_ms=integer(told, "durationMs"),
            key=key_of(record, "boundary"),
        ),
    )


def _microcompaction(record: dict[str, Any]) -> tuple[Reading, ...]:
    return (_said(record, "microcompaction", record.get("microcompactMetadata")),)


def _retry(record: dict[str, Any]) -> tuple[Reading, ...]:
    message = _error_text(record)
    wait = integer(record, "retryInMs")
    return (
        Retry(
            status=failure_status(record.get("error"), message or ""),
            error_message=message,
            attempt=integer(record, "retryAttempt") or None,
            retry_in_ms=None if wait is None else min(wait, _NO_LONG_RETRY_MS),
            key=key_of(record, "retry"),
        ),
    )


def _error(record: dict[str, Any]) -> tuple[Reading, ...]:
    text = _error_text(record) or string(record, "content")
    data = freeze(clipped(record.get("error")))
    return (Said(name="api_error", text=text, data=data, key=key_of(record, "error")),)


def _refusal(record: dict[str, Any]) -> tuple[Reading, ...]:
    told = {
        "category": record.get("apiRefusalCategory"),
        "explanation": record.get("apiRefusalExplanation"),
    }
    return (_said(record, "refusal", told),)


def _fallback(record: dict[str, Any]) -> tuple[Reading, ...]:
    told = {"from": record.get("originalModel"), "to": record.get("fallbackModel")}
    return (_said(record, "model_fallback", told),)


def _turn_end(record: dict[str, Any]) -> tuple[Reading, ...]:
    return (TurnEnd(key=key_of(record, "turn end")),)


def _said(record: dict[str, Any], name: str, told: Any) -> Said:
    return Said(
        name=name,
        text=string(record, "content"),
        data=freeze(clipped(told)),
        key=key_of(record, name),
    )


def _error_text(record: dict[str, Any]) -> str | None:
    error = record.get("error")
    if isinstance(error, str):
        return error or None
    if not isinstance(error, dict):
        return None
    return (
        string(error, "message")
        or strings_at(error, "error", "error", "message")
        or strings_at(error, "error", "message")
        or string(error, "formatted")
        or strings_at(error, "connection", "message")
        or _status_text(error)
    )


def _status_text(error: dict[str, Any]) -> str | None:
    status = integer(error, "status")
    return None if not status else f"HTTP status {status}"


_READERS: dict[str, Reader] = {
    "api_error": _retry,
    "api_refusal": _refusal,
    "compact_boundary": _boundary,
    "error": _error,
    "local_command": _local_command,
    "microcompact_boundary": _microcompaction,
    "model_refusal_fallback": _fallback,
    "turn_duration": _turn_end,
}
