"""What a hook log says, read into one typed value.

Rules of this file (sources/claude-code.md 1.4, 4.1):

- A line is ``{"recorded_at": <Unix seconds>, "payload": {...}}``, or the bare payload as a hook
  gets it on its standard input.
- Every field is checked; of the wrong type it is absent. Only a record that names no event is
  no hook at all.
- A hook whose transcript lies under a ``subagents`` folder speaks for that subagent, never for the
  main session.
- A background task counts as live unless its status is one that ends a task: an unknown one is
  never under-counted.
"""

from __future__ import annotations

import re
from typing import Any

from refold.json_values import JsonObject
from refold.records import record
from refold.sources.fields import frozen_object, listing, mapping, moment, name
from refold.times import parse_ms

__all__ = ["EVENTS", "Annotations", "Hook", "read_hook"]

EVENTS = frozenset(
    [
        "Notification",
        "PermissionRequest",
        "PostToolUse",
        "PostToolUseFailure",
        "PreCompact",
        "PreToolUse",
        "SessionEnd",
        "SessionStart",
        "Stop",
        "StopFailure",
        "SubagentStart",
        "SubagentStop",
        "TaskCompleted",
        "TaskCreated",
        "UserPromptSubmit",
    ]
)
_ENDED = frozenset({"completed", "failed", "stopped", "killed"})
_FOLDERS = re.compile(r"[/\\]")
_AGENT_FILE = re.compile(r"agent-(?P<id>.+)\.jsonl\Z")


@record
class Annotations:
    """What the host's own hook wrapper added about a session that starts.

    Args:
        previous: the native session id that was current before.
        was_seen: whether the incoming native id had been seen before.
        cleared_to: the host session a synchronous hook already made for a clear.
        fork_detected: whether that hook took the resume for a fork.
        forked_to: the host session it made for the fork.
    """

    previous: str | None = None
    was_seen: bool | None = None
    cleared_to: str | None = None
    fork_detected: bool = False
    forked_to: str | None = None


@record
class Hook:
    """One invocation of a hook.

    Args:
        event: ``hook_event_name``.
        at_ms: when it was recorded, Unix ms.
        line: its line in the log, 1-based.
        session_id: the native session id.
        transcript_path: the transcript it names.
        agent: it speaks for a subagent.
        agent_id: which one, where that can be told.
        source: why a session starts (``startup``, ``resume``, ``clear``, ``compact``).
        task_id: of a task event, or of ``TaskUpdate``.
        task_subject: what the task is.
        task_status: the status an update gives.
        todos: the entries of a ``TodoWrite``, objects only.
        background: how many background tasks still live; only a ``Stop`` says.
        annotations: what the host's wrapper added.
    """

    event: str
    at_ms: int | None = None
    line: int | None = None
    session_id: str | None = None
    transcript_path: str | None = None
    agent: bool = False
    agent_id: str | None = None
    source: str | None = None
    task_id: str | None = None
    task_subject: str | None = None
    task_status: str | None = None
    todos: tuple[JsonObject, ...] | None = None
    background: int | None = None
    annotations: Annotations = Annotations()


def read_hook(value: Any, line: int | None = None) -> Hook | None:
    """Read a line of a hook log.

    Args:
        value: plain JSON data of any type.
        line: its line in the log, 1-based, if it came from one.

    Returns:
        The hook, or None if the value is no hook record.
    """
    envelope = mapping(value)
    payload = mapping(envelope.get("payload")) or envelope
    event = name(payload.get("hook_event_name"))
    if event is None:
        return None
    path = name(payload.get("transcript_path"))
    agent, agent_id = _agent(payload, event, path)
    tool = _tool(payload, event)
    return Hook(
        event=event,
        at_ms=parse_ms(moment(envelope.get("recorded_at"), 1000)),
        line=line,
        session_id=name(payload.get("session_id")),
        transcript_path=path,
        agent=agent,
        agent_id=agent_id,
        source=name(payload.get("source")),
        task_id=name(payload.get("task_id")) or name(tool.get("taskId")),
        task_subject=name(payload.get("task_subject")),
        task_status=name(tool.get("status")),
        todos=_todos(payload, tool),
        background=_background(payload) if event == "Stop" else None,
        annotations=_annotations(payload),
    )


def _agent(payload: dict[str, Any], event: str, path: str | None) -> tuple[bool, str | None]:
    own = name(payload.get("agent_transcript_path")) if event == "SubagentStop" else None
    folders = _FOLDERS.split(own or path or "")
    if event != "SubagentStop" and "subagents" not in folders:
        return False, None
    found = _AGENT_FILE.match(folders[-1])
    return True, name(payload.get("agent_id")) or (found["id"] if found else None)


def _tool(payload: dict[str, Any], event: str) -> dict[str, Any]:
    used = event == "PostToolUse" and payload.get("tool_name") in ("TaskUpdate", "TodoWrite")
    return mapping(payload.get("tool_input")) if used else {}


def _todos(payload: dict[str, Any], tool: dict[str, Any]) -> tuple[JsonObject, ...] | None:
    todos = tool.get("todos")
    if payload.get("tool_name") != "TodoWrite" or not isinstance(todos, list):
        return None
    return tuple(frozen_object(each) for each in todos if isinstance(each, dict))


def _background(payload: dict[str, Any]) -> int:
    return sum(not _has_ended(each) for each in listing(payload.get("background_tasks")))


def _has_ended(task: Any) -> bool:
    return name(mapping(task).get("status")) in _ENDED


def _annotations(payload: dict[str, Any]) -> Annotations:
    seen = payload.get("omnigent_claude_session_was_seen")
    return Annotations(
        previous=name(payload.get("omnigent_previous_claude_session_id")),
        was_seen=seen if isinstance(seen, bool) else None,
        cleared_to=name(payload.get("omnigent_clear_rotated_to")),
        fork_detected=payload.get("omnigent_fork_detected") is True,
        forked_to=name(payload.get("omnigent_fork_rotated_to")),
    )
