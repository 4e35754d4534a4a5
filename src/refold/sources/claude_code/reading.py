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
    reader = RECORD_TYPES.get(kind) if isinstance(kind, str) else None
    reader = reader or _by_role(record)
    return (Unknown(what=f"record {kind}"),) if reader is None else reader(record)


def _by_role(record: dict[str, Any]) -> Reader | None:
    role = strings_at(record, "message", "role")
    if role in ("user", "assistant"):
        return read_user if role == "user" else read_assistant
    is_meta_file = "type" not in record and ("agentType" in record or "toolUseId" in record)
    return read_agent_meta if is_meta_file else None


def _message(record: dict[str, Any]) -> tuple[Reading, ...]:
    if record.get("subtype") == "local_command":
        text = string(record, "content")
        return (Dropped(what="local command"),) if text is None else read_text(record, text)
    role = dict_at(record, "message").get("role")
    if role == "assistant":
        return read_assistant(record)
    return read_user(record) if role == "user" else (Dropped(what="message without a role"),)


def _progress(record: dict[str, Any]) -> tuple[Reading, ...]:
    return (Dropped(what=f"progress/{string(dict_at(record, 'data'), 'type')}"),)


def _silent(record: dict[str, Any]) -> tuple[Reading, ...]:
    return (Dropped(what=string(record, "type") or ""),)


RECORD_TYPES: dict[str, Reader] = {
    **dict.fromkeys(_SILENT_TYPES, _silent),
    "agent-name": read_fact("agent_name", "agentName"),
    "ai-title": read_title(1, "aiTitle"),
    "assistant": _message,
    "attachment": read_attachment,
    "custom-title": read_title(2, "customTitle"),
    "mode": read_fact("mode", "mode"),
    "permission-mode": read_fact("permission_mode", "permissionMode"),
    "pr-link": read_pull_request,
    "progress": _progress,
    "queue-operation": read_queue,
    "summary": read_title(0, "summary"),
    "system": read_system,
    "user": _message,
}
