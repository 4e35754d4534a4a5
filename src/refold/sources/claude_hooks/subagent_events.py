"""What happens to a subagent, and what a host is asked to do about it.

Rules of this file (sources/claude-code.md 1.7, 4.6):

- Values only, and the reading of a side file: ``agent-<id>.meta.json`` beside the transcripts.
- A side file that is missing a field isn't written to its end yet: it says nothing.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from refold.records import record
from refold.sources.fields import mapping, name, text

__all__ = [
    "Active",
    "Asked",
    "Described",
    "Failed",
    "Meta",
    "Parked",
    "Register",
    "Registered",
    "RegistryEvent",
    "Say",
    "Stopped",
    "Tick",
    "Untold",
    "read_meta",
]


@record
class Meta:
    """What a subagent's side file says.

    Args:
        agent_type: which kind of subagent.
        description: what for; may be empty.
        tool_call_id: the parent's call that spawned it.
    """

    agent_type: str
    description: str
    tool_call_id: str


@record
class Described:
    """A subagent's side file was read."""

    agent_id: str
    meta: Meta


@record
class Registered:
    """The host made a session for it."""

    agent_id: str
    session_id: str


@record
class Failed:
    """The host could not make it; try again at ``retry_ms``, Unix ms."""

    agent_id: str
    retry_ms: int


@record
class Parked:
    """The host will never make it."""

    agent_id: str


@record
class Active:
    """Something of its transcript was read at ``now_ms``."""

    agent_id: str
    now_ms: int


@record
class Stopped:
    """A hook says that it has stopped."""

    agent_id: str


@record
class Untold:
    """Telling its last status failed."""

    agent_id: str


@record
class Tick:
    """Time has passed."""

    now_ms: int


RegistryEvent: TypeAlias = (
    Described | Registered | Failed | Parked | Active | Stopped | Untold | Tick
)


@record
class Register:
    """The host must make a session for a subagent."""

    agent_id: str
    meta: Meta


@record
class Say:
    """The host must tell a child session's status."""

    session_id: str
    state: Literal["running", "idle"]


Asked: TypeAlias = Register | Say


def read_meta(value: Any) -> Meta | None:
    """Read a subagent's side file.

    Args:
        value: plain JSON data of any type.

    Returns:
        What it says, or None while it isn't (or not yet) whole.
    """
    entry = mapping(value)
    agent_type, call = name(entry.get("agentType")), name(entry.get("toolUseId"))
    if agent_type is None or call is None or not isinstance(entry.get("description"), str):
        return None
    return Meta(
        agent_type=agent_type, description=text(entry.get("description")), tool_call_id=call
    )
