"""What one line of the agent's does to a session.

Rules of this file (sources/stream-json-and-acp.md 2.3), in this order:

1. A blank line does nothing, one that is no JSON is skipped.
2. A deadline that has passed beats the line, a result included.
3. A result moves the cost baseline, also one that no turn waits for.
4. The event limit is checked before anything sees the event.
5. Subscribers, then the turn, then what the event is about.
6. Behind a result no turn is pending: its deadline and its byte count stop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.json_values import Json, JsonObject
from refold.policies.duplex import controls, costs, deadlines, lifecycle, permissions, turns
from refold.policies.duplex.dispatch import (
    ROUTES,
    Assistant,
    ControlResponse,
    Inbound,
    Other,
    Permission,
    Result,
    StreamEvent,
    SystemInit,
    User,
    classify,
)
from refold.policies.duplex.failures import PolicyFailure
from refold.policies.duplex.limits import event_trip, stop_counting
from refold.policies.duplex.results import summary_of
from refold.policies.duplex.session import Duplex, DuplexConfig, DuplexOutput, StopProcess
from refold.policies.duplex.subscribers import publish
from refold.policies.duplex.wire_json import Blank, Malformed, parse
from refold.records import evolve

__all__ = ["ACTIONS", "Stepped", "expire", "fail", "frame"]

Stepped: TypeAlias = tuple[Duplex, tuple[DuplexOutput, ...]]

_UNKNOWN_REQUEST = "this request is not understood"


def frame(config: DuplexConfig, session: Duplex, text: str) -> Stepped:
    """Take one line.

    Args:
        config: the session's.
        session: its state before the line.
        text: the line, without its end.
    """
    parsed = parse(text)
    if isinstance(parsed, Blank):
        return session, ()
    if isinstance(parsed, Malformed):
        return session, (parsed,)
    late = expire(session)
    return _event(config, session, classify(parsed.value)) if late is None else late


def expire(session: Duplex) -> Stepped | None:
    """Fail the session if a deadline has passed; None if none has."""
    failure = deadlines.expired(session.deadlines)
    return None if failure is None else fail(session, failure)


def fail(session: Duplex, failure: PolicyFailure) -> Stepped:
    """Stop the session for a limit or a deadline; the first one is the one that counts."""
    if session.lifecycle.policy is not None:
        return session, ()
    tripped = lifecycle.step(session.lifecycle, lifecycle.PolicyTripped(failure=failure))
    return evolve(session, lifecycle=tripped), (StopProcess(failure=failure),)


def _event(config: DuplexConfig, session: Duplex, event: Inbound) -> Stepped:
    if isinstance(event, Result):
        session = _reported(config, session, event.raw)
    route = ROUTES[type(event)]
    running = session.turns.running
    if route.retained and running is not None:
        tripped = event_trip(config.limits, len(running.events))
        if tripped is not None:
            return fail(session, tripped)
        kept, _ = turns.step(session.turns, turns.Arrived(event=event))
        session = evolve(session, turns=kept)
    if route.broadcast:
        session = evolve(session, subscribers=publish(session.subscribers, event))
    return ACTIONS[type(event)](config, session, event)


def _reported(config: DuplexConfig, session: Duplex, raw: Json) -> Duplex:
    total = summary_of(raw).total_cost_usd
    event = costs.Reported(total_usd=total, orphan=session.turns.running is None)
    return evolve(session, costs=costs.step(config.costs, session.costs, event))


def _nothing(_config: DuplexConfig, session: Duplex, _event: Inbound) -> Stepped:
    return session, ()


def _result(_config: DuplexConfig, session: Duplex, event: Result) -> Stepped:
    idle, outputs = turns.step(session.turns, turns.Returned(raw=event.raw))
    left = deadlines.step(session.deadlines, deadlines.Settled(key=deadlines.TURN))
    counter = stop_counting(session.counter)
    return evolve(session, turns=idle, deadlines=left, counter=counter), outputs


def _permission(config: DuplexConfig, session: Duplex, event: Permission) -> Stepped:
    return _permissions(config, session, permissions.Requested(request=event))


def _acknowledged(_config: DuplexConfig, session: Duplex, event: ControlResponse) -> Stepped:
    number = session.controls.outstanding.get(event.request_id)
    told = controls.Acknowledged(request_id=event.request_id, error=event.error)
    left, outputs = controls.step(session.controls, told)
    if number is None:
        return session, outputs
    settled = deadlines.step(session.deadlines, deadlines.Settled(key=number))
    return evolve(session, controls=left, deadlines=settled), outputs


def _other(config: DuplexConfig, session: Duplex, event: Other) -> Stepped:
    raw = event.raw
    if not isinstance(raw, JsonObject):
        return session, ()
    kind, request_id = raw.get("type"), raw.get("request_id")
    named = request_id if isinstance(request_id, str) else None
    if kind == "control_cancel_request" and named is not None:
        return _permissions(config, session, permissions.Withdrawn(request_id=named))
    if kind == "control_request":
        unread = permissions.Misunderstood(request_id=named, message=_UNKNOWN_REQUEST)
        return _permissions(config, session, unread)
    if kind == "conversation_reset":
        restarted = costs.step(config.costs, session.costs, costs.Reset())
        return evolve(session, costs=restarted), ()
    return session, ()


def _permissions(
    config: DuplexConfig, session: Duplex, event: permissions.PermissionInput
) -> Stepped:
    left, outputs = permissions.step(config.permissions, session.permissions, event)
    return evolve(session, permissions=left), outputs


ACTIONS: dict[type, Callable[[DuplexConfig, Duplex, Any], Stepped]] = {
    SystemInit: _nothing,
    Assistant: _nothing,
    StreamEvent: _nothing,
    User: _nothing,
    Permission: _permission,
    ControlResponse: _acknowledged,
    Result: _result,
    Other: _other,
}
