"""From a record to its readings: one table of record types.

Rules of this file:

- A type that is in the table is known, whether it shows anything or not.
- A type that isn't is read by its message's role if it has one (a record without a type still
  speaks), else it is unknown: counted, harmless.
- Whatever stands in a record, it is read without an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.records import positional
from refold.sources.claude_code.assistant_records import read_assistant
from refold.sources.claude_code.fields import dict_at, string, strings_at
from refold.sources.claude_code.readings import Dropped, Reading, Unknown
from refold.sources.claude_code.side_records import (
    read_agent_meta,
    read_attachment,
    read_fact,
    read_pull_request,
    read_queue,
    read_title,
)
from refold.sources.claude_code.system_records import read_system
from refold.sources.claude_code.user_records import read_text, read_user

__all__ = ["RECORD_TYPES", "readings_of"]

_dropped = positional(Dropped)

Reader: TypeAlias = Callable[[dict[str, Any]], tuple[Reading, ...]]

_SILENT_TYPES = frozenset(
    {
        "agent-color",
        "agent-setting",
        "atis-latch",
        "attribution-snapshot",
        "bridge-session",
        "branch-update",
        "content-replacement",
        "file-history-delta",
        "file-history-snapshot",
        "frame-link",
        "last-prompt",
        "relocated",
        "result",
        "saved_hook_context",
        "speculation-accept",
        "started",
        "tag",
        "task-summary",
        "worktree-state",
    }
)


def readings_of(record: dict[str, Any]) -> tuple[Reading, ...]:
    """Return what a record says, in the order in which it is to be shown.

    Args:
        record: a decoded record, its nested ones already taken out.
    """
    kind = record.get("type")
    reader = RECORD_TYPES.get(kind) if type(kind) is str else None
    return _by_role(record) if reader is None else reader(record)


def _by_role(record: dict[str, Any]) -> tuple[Reading, ...]:
    if strings_at(record, "message", "role") in ("user", "assistant"):
        return _spoken(record)
    if "type" not in record and ("agentType" in record or "toolUseId" in record):
        return read_agent_meta(record)
    return (Unknown(what=f"record {record.get('type')}"),)


def _spoken(record: dict[str, Any]) -> tuple[Reading, ...]:
    message = dict_at(record, "message")
    role = message.get("role")
    if role == "assistant":
        return read_assistant(record, message)
    if role == "user":
        return read_user(record, message)
    if record.get("subtype") == "local_command":
        text = string(record, "content")
        return (Dropped(what="local command"),) if text is None else read_text(record, text)
    return (Dropped(what="message without a role"),)


def _progress(record: dict[str, Any]) -> tuple[Reading, ...]:
    data = record.get("data")
    kind = string(data, "type") if type(data) is dict else None
    return (_dropped(f"progress/{kind}"),)


def _silent(record: dict[str, Any]) -> tuple[Reading, ...]:
    return (_dropped(record["type"]),)


RECORD_TYPES: dict[str, Reader] = {
    **dict.fromkeys(_SILENT_TYPES, _silent),
    "agent-name": read_fact("agent_name", "agentName"),
    "ai-title": read_title(1, "aiTitle"),
    "assistant": _spoken,
    "attachment": read_attachment,
    "custom-title": read_title(2, "customTitle"),
    "mode": read_fact("mode", "mode"),
    "permission-mode": read_fact("permission_mode", "permissionMode"),
    "pr-link": read_pull_request,
    "progress": _progress,
    "queue-operation": read_queue,
    "summary": read_title(0, "summary"),
    "system": read_system,
    "user": _spoken,
}
