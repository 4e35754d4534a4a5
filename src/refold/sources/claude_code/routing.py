"""Which lane a record belongs to.

Rules of this file (sources/claude-code.md 8.2; census C10, C11, C12):

- Subagents came in three forms: records marked as sidechain among the main thread's, whole records
  nested in progress records, and files of their own. All three end in one lane per agent.
- A record of a file of its own belongs to that file's agent, whatever it says.
- A sidechain that names no agent is named by the record it starts with.
- Which session id a record carries decides nothing: files hold records of several, and a
  subagent's carry their parent's.
"""

from __future__ import annotations

from typing import Any

from refold.records import positional, record
from refold.sources.claude_code.fields import dict_at, string
from refold.sources.claude_code.state import StateDraft
from refold.sources.claude_code.values import MAIN

__all__ = ["Routed", "routed"]

_DEEPEST = 8


@record
class Routed:
    """A record on its lane.

    Args:
        agent: the lane's agent id; empty for the main thread.
        value: the record itself, taken out of what it was nested in.
        call_id: the call that spawned the agent, if the record tells.
        whole: the record with what it nests; tells which session that is, and where it runs.
    """

    agent: str
    value: dict[str, Any]
    call_id: str | None
    whole: dict[str, Any]


_routed = positional(Routed)


def routed(state: StateDraft, value: dict[str, Any], kind: Any, file_agent: str | None) -> Routed:
    """Tell which lane a record belongs to.

    Args:
        state: the state in front of it.
        value: the record.
        kind: its type.
        file_agent: the agent whose own file it stands in, if it stands in one.
    """
    agent = file_agent or (_sidechain(state, value) if value.get("isSidechain") is True else MAIN)
    if kind != "progress":
        return _routed(agent, value, None, value)
    whole, call_id = value, None
    for _ in range(_DEEPEST):
        nested = _nested(value)
        if nested is None:
            break
        call_id = string(value, "parentToolUseID")
        agent = string(dict_at(value, "data"), "agentId") or call_id or agent
        value = nested
    return _routed(agent, value, call_id, whole)


def _nested(value: dict[str, Any]) -> dict[str, Any] | None:
    """Return the whole record inside a progress record, with what it takes over from it."""
    data = value.get("data")
    if type(data) is not dict or data.get("type") != "agent_progress":
        return None
    nested = data.get("message")
    if type(nested) is not dict or value.get("type") != "progress":
        return None
    inherited: dict[str, Any] = {
        name: value[name] for name in ("uuid", "timestamp") if name in value and name not in nested
    }
    return {**nested, **inherited} if inherited else nested


def _sidechain(state: StateDraft, value: dict[str, Any]) -> str:
    agent = string(value, "agentId")
    if agent is not None:
        return agent
    parent = string(value, "parentUuid")
    found = None if parent is None else state.sidechains.get(parent)
    return found or string(value, "uuid") or "sidechain"
