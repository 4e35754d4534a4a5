"""Records around the conversation: facts about the session, the queue, attachments, side files.

Rules of this file (sources/claude-code.md 1.7, 2.1, 8.3; census C7, C19):

- A fact is written again and again; the last one counts, which is for the session to see.
- Of the attachments only a queued prompt is the user's; the rest is context for the model.
- A summary names whatever session its leaf belongs to: the lane decides whether that is this one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.json_values import JsonObject, freeze
from refold.sources.claude_code.fields import dict_at, digest, string
from refold.sources.claude_code.readings import (
    AgentNamed,
    Dropped,
    Known,
    Queued,
    Reading,
    Steer,
    Titled,
)
from refold.sources.claude_code.user_records import read_queued_prompt
from refold.sources.depth import clipped

__all__ = [
    "read_agent_meta",
    "read_attachment",
    "read_fact",
    "read_pull_request",
    "read_queue",
    "read_title",
]

Reader: TypeAlias = Callable[[dict[str, Any]], tuple[Reading, ...]]

_PROMPT_MODES = frozenset({"prompt", "task-notification"})


def read_fact(name: str, field: str) -> Reader:
    """Return a reader of records that give one fact.

    Args:
        name: the fact's name.
        field: where the record holds its value.
    """

    def read(record: dict[str, Any]) -> tuple[Reading, ...]:
        value = string(record, field)
        return () if value is None else (Known(name=name, value=value),)

    return read


def read_title(rank: int, field: str) -> Reader:
    """Return a reader of records that name the session.

    Args:
        rank: a title never replaces one of a higher rank.
        field: where the record holds it.
    """

    def read(record: dict[str, Any]) -> tuple[Reading, ...]:
        text = (string(record, field) or "").strip()
        leaf = string(record, "leafUuid")
        return (Titled(rank=rank, text=text, leaf=leaf),) if text else ()

    return read


def read_pull_request(record: dict[str, Any]) -> tuple[Reading, ...]:
    """Read a link from the session to a pull request."""
    told = {
        "number": record.get("prNumber"),
        "url": record.get("prUrl"),
        "repository": record.get("prRepository"),
    }
    return (Known(name="pull_request", value=freeze(clipped(told))),)


def read_queue(record: dict[str, Any]) -> tuple[Reading, ...]:
    """Read what happened to the queue of prompts."""
    content = record.get("content")
    prompt = read_queued_prompt(record, content) if content else None
    operation = string(record, "operation") or ""
    return (Queued(operation=operation, prompt=prompt, key=_queue_key(record, operation, prompt)),)


def _queue_key(record: dict[str, Any], operation: str, prompt: Steer | None) -> str | None:
    """Name a prompt's entry into the queue by its time; what leaves it is told apart by nothing."""
    timestamp = string(record, "timestamp")
    if operation != "enqueue" or prompt is None or timestamp is None:
        return None
    return f"queue|{timestamp}|{digest(prompt.text)}"


def read_attachment(record: dict[str, Any]) -> tuple[Reading, ...]:
    """Read a record of type ``attachment``."""
    attachment = dict_at(record, "attachment")
    kind = string(attachment, "type")
    prompt = attachment.get("prompt")
    mode = string(attachment, "commandMode")
    if kind == "queued_command" and mode in _PROMPT_MODES and prompt:
        return (read_queued_prompt(record, prompt),)
    return (Dropped(what=f"attachment/{kind}"),)


def read_agent_meta(record: dict[str, Any]) -> tuple[Reading, ...]:
    """Read the side file of a subagent (``agent-<id>.meta.json``)."""
    agent_type = string(record, "agentType")
    named = AgentNamed(agent_type=agent_type, tool_call_id=string(record, "toolUseId"))
    if agent_type is None:
        return (named,)
    told = {"type": agent_type, "description": string(record, "description")}
    return (named, Known(name="agent", value=JsonObject(told)))
