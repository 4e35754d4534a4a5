"""What can happen to a permission request, as values and tables.

Rules of this file (sources/stream-json-and-acp.md 2.6, 10.5):

- ``TRANSITIONS`` is the whole machine: a request is open (pending or deferred) until something
  settles it, and nothing moves a settled one. ``ANSWERS`` says what each settlement writes: one
  line, or none where the agent withdrew its question.
- Values only; ``permissions`` moves them.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from refold.json_values import Json, JsonObject
from refold.maps import EMPTY_MAP, Map
from refold.messages import ApprovalDecision
from refold.policies.duplex.dispatch import Permission
from refold.records import record

__all__ = [
    "ANSWERS",
    "OPEN",
    "PERMISSIONS",
    "TRANSITIONS",
    "Allow",
    "Answer",
    "Asked",
    "Cause",
    "Decided",
    "Decision",
    "Defer",
    "Deny",
    "Expired",
    "Misunderstood",
    "PermissionConfig",
    "PermissionInput",
    "PermissionOutput",
    "Permissions",
    "PermissionsEnded",
    "Requested",
    "Status",
    "Tracked",
    "TurnCancelled",
    "Unanswered",
    "Why",
    "Withdrawn",
]

Status: TypeAlias = Literal[
    "pending", "deferred", "allowed", "denied", "cancelled", "withdrawn", "expired"
]
Cause: TypeAlias = Literal["allow", "deny", "defer", "cancel", "withdraw", "expire"]
Why: TypeAlias = Literal["unknown", "already_settled", "already_asked", "closed", "unanswerable"]

OPEN: frozenset[Status] = frozenset({"pending", "deferred"})

TRANSITIONS: dict[tuple[Status, Cause], Status] = {
    ("pending", "allow"): "allowed",
    ("pending", "deny"): "denied",
    ("pending", "defer"): "deferred",
    ("pending", "cancel"): "cancelled",
    ("pending", "withdraw"): "withdrawn",
    ("pending", "expire"): "expired",
    ("deferred", "allow"): "allowed",
    ("deferred", "deny"): "denied",
    ("deferred", "defer"): "deferred",
    ("deferred", "cancel"): "cancelled",
    ("deferred", "withdraw"): "withdrawn",
    ("deferred", "expire"): "expired",
}

# What a settlement says to the agent: whether the tool runs, or None for no line at all.
ANSWERS: dict[Status, Literal["allow", "deny"] | None] = {
    "allowed": "allow",
    "denied": "deny",
    "cancelled": "deny",
    "withdrawn": None,
    "expired": "deny",
}


@record
class Allow:
    """Let the tool run, with another input if one is given."""

    kind: ClassVar[Literal["allow"]] = "allow"

    updated_input: Json = None


@record
class Deny:
    """Keep the tool from running; the model is shown the message."""

    kind: ClassVar[Literal["deny"]] = "deny"

    message: str


@record
class Defer:
    """Decide later, by the request's id."""

    kind: ClassVar[Literal["defer"]] = "defer"


Decision: TypeAlias = Allow | Deny | Defer


@record
class PermissionConfig:
    """How requests are treated.

    Args:
        decides: somebody is there to decide; if not, every request is denied at once.
        max_open: how many requests may be open; beyond it they are denied.
        answer_unknown: requests nobody understands get an error for an answer.
        nobody, too_many, cancelled, expired, closed: what the model is told in these cases.
    """

    decides: bool = True
    max_open: int = 1000
    answer_unknown: bool = True
    nobody: str = "nobody is there to give permission"
    too_many: str = "too many permission requests are open"
    cancelled: str = "the turn was cancelled"
    expired: str = "nobody decided in time"
    closed: str = "the session was closed"


@record
class Tracked:
    """A request and what became of it; ``ordinal`` counts the requests."""

    request: Permission
    ordinal: int
    status: Status = "pending"


@record
class Permissions:
    """The permission requests of a session.

    Args:
        requests: all of them, by id.
        open: those not settled, by id.
        closed: the session has ended.
    """

    requests: Map[Tracked] = EMPTY_MAP
    open: Map[Tracked] = EMPTY_MAP
    closed: bool = False


PERMISSIONS = Permissions()


@record
class Requested:
    """The agent asks."""

    kind: ClassVar[Literal["requested"]] = "requested"

    request: Permission


@record
class Misunderstood:
    """A control request came that is no permission request; ``request_id`` if it has one."""

    kind: ClassVar[Literal["misunderstood"]] = "misunderstood"

    request_id: str | None
    message: str


@record
class Decided:
    """The host decided, or put it off."""

    kind: ClassVar[Literal["decided"]] = "decided"

    request_id: str
    decision: Decision


@record
class Withdrawn:
    """The agent takes its question back and wants no answer."""

    kind: ClassVar[Literal["withdrawn"]] = "withdrawn"

    request_id: str


@record
class TurnCancelled:
    """The turn was cancelled: what is open is denied."""

    kind: ClassVar[Literal["turn_cancelled"]] = "turn_cancelled"


@record
class Expired:
    """A request's own time is up, or everybody's if none is named."""

    kind: ClassVar[Literal["expired"]] = "expired"

    request_id: str | None = None


@record
class PermissionsEnded:
    """The session ended: what is open is denied."""

    kind: ClassVar[Literal["permissions_ended"]] = "permissions_ended"


PermissionInput: TypeAlias = (
    Requested | Misunderstood | Decided | Withdrawn | TurnCancelled | Expired | PermissionsEnded
)


@record
class Asked:
    """Somebody has to decide."""

    kind: ClassVar[Literal["asked"]] = "asked"

    request: Permission


@record
class Answer:
    """A line to write: the one answer of its request.

    Args:
        request_id: the request's.
        line: what is written.
        decision: the event that tells the session's view, where the call is known.
    """

    kind: ClassVar[Literal["answer"]] = "answer"

    request_id: str
    line: JsonObject
    decision: ApprovalDecision | None = None


@record
class Unanswered:
    """Nothing was written, and why."""

    kind: ClassVar[Literal["unanswered"]] = "unanswered"

    request_id: str | None
    why: Why


PermissionOutput: TypeAlias = Asked | Answer | Unanswered
