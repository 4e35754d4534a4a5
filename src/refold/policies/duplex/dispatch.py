"""What a parsed line is, and where it goes.

Rules of this file (sources/stream-json-and-acp.md 2.2):

- Every JSON value is some event; what isn't known is ``Other``, never an error.
- ``ROUTES`` is the table: whether a turn retains the event, whether subscribers see it. What a turn
  retains counts against its event limit, and nothing else does.
- A well-formed permission request is retained and not broadcast; a result and a well-formed
  acknowledgement are neither. A malformed one of either kind is ``Other``.
- An init line counts every time it comes, not only the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal, TypeAlias

from refold.json_values import Json, JsonObject
from refold.records import record

__all__ = [
    "ROUTES",
    "Assistant",
    "ControlResponse",
    "Inbound",
    "Other",
    "Permission",
    "Result",
    "Route",
    "StreamEvent",
    "SystemInit",
    "User",
    "classify",
    "control_response_of",
    "permission_of",
]

_NO_MESSAGE = "the agent gave no reason"


@record
class SystemInit:
    """A run begins, or goes on, in a session."""

    kind: ClassVar[Literal["system_init"]] = "system_init"

    session_id: str
    raw: Json


@record
class Assistant:
    """A message of the model's, or a block of one."""

    kind: ClassVar[Literal["assistant"]] = "assistant"

    raw: Json


@record
class StreamEvent:
    """A piece of a message being streamed."""

    kind: ClassVar[Literal["stream_event"]] = "stream_event"

    raw: Json


@record
class User:
    """A user record, mostly a tool's result."""

    kind: ClassVar[Literal["user"]] = "user"

    raw: Json


@record
class Permission:
    """The agent asks whether a tool may run.

    Args:
        request_id: what the answer has to name.
        tool_name: the tool's.
        input: what it would be called with; None if that is missing.
        request: the whole request, for what isn't named here.
        raw: the whole line.
    """

    kind: ClassVar[Literal["permission"]] = "permission"

    request_id: str
    tool_name: str
    input: Json
    request: Json
    raw: Json

    @property
    def tool_call_id(self) -> str | None:
        """The call it is about, where the agent says so."""
        value = _field(self.request, "tool_use_id")
        return value if isinstance(value, str) else None


@record
class ControlResponse:
    """A control request of the host's was answered; ``error`` is None for a success."""

    kind: ClassVar[Literal["control_response"]] = "control_response"

    request_id: str
    error: str | None
    raw: Json


@record
class Result:
    """A turn ended."""

    kind: ClassVar[Literal["result"]] = "result"

    raw: Json


@record
class Other:
    """Anything else."""

    kind: ClassVar[Literal["other"]] = "other"

    raw: Json


Inbound: TypeAlias = (
    SystemInit | Assistant | StreamEvent | User | Permission | ControlResponse | Result | Other
)


@record
class Route:
    """Where an event goes: into the turn's list, to the subscribers."""

    retained: bool
    broadcast: bool


_SEEN = Route(retained=True, broadcast=True)
_ASIDE = Route(retained=False, broadcast=False)

ROUTES: dict[type, Route] = {
    SystemInit: _SEEN,
    Assistant: _SEEN,
    StreamEvent: _SEEN,
    User: _SEEN,
    Permission: Route(retained=True, broadcast=False),
    ControlResponse: _ASIDE,
    Result: _ASIDE,
    Other: _SEEN,
}


def classify(value: Json) -> Inbound:
    """Tell what a line is.

    Args:
        value: the parsed line, of any JSON type.
    """
    kind = _field(value, "type")
    read = _KINDS.get(kind) if isinstance(kind, str) else None
    return Other(raw=value) if read is None else read(value) or Other(raw=value)


def permission_of(value: Json) -> Permission | None:
    """Read a permission request; it needs an id, a request object and a tool's name.

    Args:
        value: a ``control_request`` line.
    """
    request_id, request = _field(value, "request_id"), _field(value, "request")
    tool_name = _field(request, "tool_name")
    if not isinstance(request_id, str) or not isinstance(tool_name, str):
        return None
    return Permission(
        request_id=request_id,
        tool_name=tool_name,
        input=_field(request, "input"),
        request=request,
        raw=value,
    )


def control_response_of(value: Json) -> ControlResponse | None:
    """Read an acknowledgement; it needs an id and one of the two known subtypes.

    Args:
        value: a ``control_response`` line.
    """
    response = _field(value, "response")
    request_id, subtype = _field(response, "request_id"), _field(response, "subtype")
    if not isinstance(request_id, str) or subtype not in ("success", "error"):
        return None
    if subtype == "success":
        return ControlResponse(request_id=request_id, error=None, raw=value)
    message = _field(response, "error")
    error = message if isinstance(message, str) else _NO_MESSAGE
    return ControlResponse(request_id=request_id, error=error, raw=value)


def _init(value: Json) -> SystemInit | None:
    session_id = _field(value, "session_id")
    if _field(value, "subtype") != "init" or not isinstance(session_id, str):
        return None
    return SystemInit(session_id=session_id, raw=value)


def _request(value: Json) -> Permission | None:
    subtype = _field(_field(value, "request"), "subtype")
    return permission_of(value) if subtype == "can_use_tool" else None


def _field(value: Json, name: str) -> Json:
    return value.get(name) if isinstance(value, JsonObject) else None


_KINDS: dict[str, Callable[[Json], Inbound | None]] = {
    "system": _init,
    "assistant": lambda value: Assistant(raw=value),
    "stream_event": lambda value: StreamEvent(raw=value),
    "user": lambda value: User(raw=value),
    "control_request": _request,
    "control_response": control_response_of,
    "result": lambda value: Result(raw=value),
}
