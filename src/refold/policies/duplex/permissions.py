"""Every permission request gets exactly one answer.

Rules of this file (sources/stream-json-and-acp.md 2.6, 10.5):

- Deferring decides nothing. A cancelled turn, an expiry and the session's end deny what is open.
- What can't be answered by its id (unknown, answered before, asked twice) is reported and nothing is
  written: it fails closed. Ids match exactly.
- A request nobody here understands is answered with an error, unless the caller wants the silence
  of older hosts. Without anybody to decide, and beyond ``max_open`` open ones, the answer is no.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from refold.json_values import Json
from refold.messages import ApprovalDecision
from refold.policies.duplex.dispatch import Permission
from refold.policies.duplex.permission_values import (
    ANSWERS,
    OPEN,
    PERMISSIONS,
    TRANSITIONS,
    Allow,
    Answer,
    Asked,
    Cause,
    Decided,
    Decision,
    Defer,
    Deny,
    Expired,
    Misunderstood,
    PermissionConfig,
    PermissionInput,
    PermissionOutput,
    Permissions,
    PermissionsEnded,
    Requested,
    Status,
    Tracked,
    TurnCancelled,
    Unanswered,
    Why,
    Withdrawn,
)
from refold.policies.duplex.wire_lines import allow_line, deny_line, error_line
from refold.records import evolve

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
