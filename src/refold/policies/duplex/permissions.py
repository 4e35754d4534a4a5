"""Every permission request gets exactly one answer.

Rules of this file (sources/stream-json-and-acp.md 2.6, 10.5):

- ``TRANSITIONS`` is the whole machine: a request is open (pending or deferred) until something
  settles it, and nothing moves a settled one. ``ANSWERS`` says what each settlement writes: one
  line, or none where the agent withdrew its question.
- Deferring decides nothing. A cancelled turn, an expiry and the session's end deny what is open.
- What can't be answered by its id (unknown, answered before, asked twice) is reported and nothing is
  written: it fails closed. Ids match exactly.
- A request nobody here understands is answered with an error, unless the caller wants the silence
  of older hosts. Without anybody to decide, and beyond ``max_open`` open ones, the answer is no.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeAlias

from refold.json_values import Json, JsonObject
from refold.maps import EMPTY_MAP, Map
from refold.messages import ApprovalDecision
from refold.policies.duplex.dispatch import Permission
from refold.policies.duplex.wire_lines import allow_line, deny_line, error_line
from refold.records import evolve, record

__all__ = [
    "ANSWERS",
    "OPEN",
    "PERMISSIONS",
    "STEPS",
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
    "step",
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
Stepped: TypeAlias = tuple[Permissions, tuple[PermissionOutput, ...]]


def step(config: PermissionConfig, permissions: Permissions, event: PermissionInput) -> Stepped:
    """Take one input.

    Args:
        config: how requests are treated.
        permissions: the ledger before it.
        event: what happened.
    """
    return STEPS[type(event)](config, permissions, event)


def _requested(config: PermissionConfig, permissions: Permissions, event: Requested) -> Stepped:
    request_id = event.request.request_id
    if permissions.closed:
        return permissions, (Unanswered(request_id=request_id, why="closed"),)
    if request_id in permissions.requests:
        return permissions, (Unanswered(request_id=request_id, why="already_asked"),)
    tracked = Tracked(request=event.request, ordinal=len(permissions.requests))
    noted = _put(permissions, tracked)
    if not config.decides:
        return _settle(noted, tracked, "deny", config.nobody)
    if len(permissions.open) >= config.max_open:
        return _settle(noted, tracked, "deny", config.too_many)
    return noted, (Asked(request=event.request),)


def _misunderstood(
    config: PermissionConfig, permissions: Permissions, event: Misunderstood
) -> Stepped:
    request_id = event.request_id
    if request_id is None or not config.answer_unknown:
        return permissions, (Unanswered(request_id=request_id, why="unanswerable"),)
    if permissions.closed:
        return permissions, (Unanswered(request_id=request_id, why="closed"),)
    if request_id in permissions.requests:
        return permissions, (Unanswered(request_id=request_id, why="already_asked"),)
    unread = Permission(request_id=request_id, tool_name="", input=None, request=None, raw=None)
    refused = Tracked(request=unread, ordinal=len(permissions.requests), status="denied")
    line = error_line(request_id, event.message)
    return _put(permissions, refused), (Answer(request_id=request_id, line=line),)


def _decided(config: PermissionConfig, permissions: Permissions, event: Decided) -> Stepped:
    decision = event.decision
    if permissions.closed:
        if isinstance(decision, Defer):
            return permissions, ()
        return permissions, (Unanswered(request_id=event.request_id, why="closed"),)
    if isinstance(decision, Allow):
        return _move(permissions, event.request_id, "allow", decision.updated_input)
    if isinstance(decision, Deny):
        return _move(permissions, event.request_id, "deny", decision.message)
    return _move(permissions, event.request_id, "defer", None)


def _withdrawn(_config: PermissionConfig, permissions: Permissions, event: Withdrawn) -> Stepped:
    return _move(permissions, event.request_id, "withdraw", None)


def _turn_cancelled(
    config: PermissionConfig, permissions: Permissions, _event: TurnCancelled
) -> Stepped:
    return _move_all(permissions, "cancel", config.cancelled)


def _expired(config: PermissionConfig, permissions: Permissions, event: Expired) -> Stepped:
    if event.request_id is None:
        return _move_all(permissions, "expire", config.expired)
    return _move(permissions, event.request_id, "expire", config.expired)


def _ended(config: PermissionConfig, permissions: Permissions, _event: PermissionsEnded) -> Stepped:
    left, outputs = _move_all(permissions, "cancel", config.closed)
    return left if left.closed else evolve(left, closed=True), outputs


def _move_all(permissions: Permissions, cause: Cause, message: str) -> Stepped:
    outputs: list[PermissionOutput] = []
    for tracked in sorted(permissions.open.values(), key=lambda each: each.ordinal):
        permissions, told = _settle(permissions, tracked, cause, message)
        outputs.extend(told)
    return permissions, tuple(outputs)


def _move(permissions: Permissions, request_id: str, cause: Cause, said: Json) -> Stepped:
    tracked = permissions.requests.get(request_id)
    if tracked is None:
        return permissions, (Unanswered(request_id=request_id, why="unknown"),)
    if (tracked.status, cause) not in TRANSITIONS:
        return permissions, (Unanswered(request_id=request_id, why="already_settled"),)
    return _settle(permissions, tracked, cause, said)


def _settle(permissions: Permissions, tracked: Tracked, cause: Cause, said: Json) -> Stepped:
    status = TRANSITIONS[tracked.status, cause]
    moved = tracked if tracked.status == status else evolve(tracked, status=status)
    left = permissions if moved is tracked else _put(permissions, moved)
    behaviour = ANSWERS.get(status)
    if behaviour is None:
        return left, ()
    return left, (_answer(tracked.request, behaviour, said),)


def _answer(request: Permission, behaviour: Literal["allow", "deny"], said: Json) -> Answer:
    if behaviour == "allow":
        effective = request.input if said is None else said
        line = allow_line(request.request_id, effective)
    else:
        line = deny_line(request.request_id, said if isinstance(said, str) else "")
    call = request.tool_call_id
    decision = None if call is None else ApprovalDecision(decision=behaviour, tool_call_id=call)
    return Answer(request_id=request.request_id, line=line, decision=decision)


def _put(permissions: Permissions, tracked: Tracked) -> Permissions:
    request_id = tracked.request.request_id
    still_open = (
        permissions.open.put(request_id, tracked)
        if tracked.status in OPEN
        else permissions.open.without(request_id)
    )
    requests = permissions.requests.put(request_id, tracked)
    return evolve(permissions, requests=requests, open=still_open)


STEPS: dict[type, Callable[[PermissionConfig, Permissions, Any], Stepped]] = {
    Requested: _requested,
    Misunderstood: _misunderstood,
    Decided: _decided,
    Withdrawn: _withdrawn,
    TurnCancelled: _turn_cancelled,
    Expired: _expired,
    PermissionsEnded: _ended,
}
