"""What Codex's app server says.

Rules of this file:

- Notifications and requests name their thread; a response that holds a thread introduces it. What
  the client sent is there only where the log has both directions: the user's message is an item.
- Times are the message's own where it has them (``emittedAtMs``, ``startedAtMs``), else the log's.
- An approval is decided by the response to its question: anything but an acceptance denies.
- A method that concerns no view says nothing; one that nobody knows is counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from refold.messages import ApprovalDecision
from refold.records import evolve
from refold.sources.codex.deeds import kind_of
from refold.sources.codex.knowledge import compacted, learn, note
from refold.sources.codex.state import State, known_as, on_thread, opened, thread_of
from refold.sources.codex.streams import item_begun, item_delta, item_done
from refold.sources.codex.threads import Thread, say
from refold.sources.codex.tokens import token_counts
from refold.sources.codex.turns import turn_aborted, turn_begun, turn_done, turn_failed
from refold.sources.fields import frozen, mapping, name, text
from refold.sources.logs.clocks import absolute
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import first, first_text, number
from refold.sources.tally import unknown

__all__ = ["METHODS", "is_app_message", "take_app_message"]

Params: TypeAlias = dict[str, Any]
Taker: TypeAlias = Callable[[Thread, Params, Spot], Thread]

_QUIET = (
    "account/", "app/", "config", "deprecation", "fs/", "fuzzy", "hook/", "initialize", "mcpServer/",
    "model/", "rawResponseItem/", "remoteControl/", "serverRequest/", "skills/", "thread/", "turn/",
    "windows", "item/",
)  # fmt: skip
_TIMES = ("emittedAtMs", "completedAtMs", "startedAtMs")
_ACCEPTED = ("accept", "approved")


def is_app_message(value: Params) -> bool:
    """Tell whether a record is a message of the app server.

    Args:
        value: the record.
    """
    method = value.get("method")
    if isinstance(method, str):
        return method in METHODS or method in _ASKED or method.startswith(_QUIET)
    return "id" in value and ("result" in value or "error" in value)


def take_app_message(state: State, message: Params, lane: str | None, spot: Spot) -> State:
    """Take a message.

    Args:
        state: the records so far.
        message: it.
        lane: the reader's lane.
        spot: where it was, with the log's time.
    """
    method, params = message.get("method"), mapping(message.get("params"))
    spot = Spot(timestamp=_time(message, params) or spot.timestamp, line=spot.line)
    if not isinstance(method, str):
        return _response(state, message, lane, spot)
    if method in _ASKED:
        return _asked(state, message, params)
    if method == "thread/started":
        return _introduced(state, params, lane, spot)
    taker = METHODS.get(method)
    if taker is None:
        known = method.startswith(_QUIET)
        return state if known else evolve(state, tally=unknown(state.tally, "method", method))
    identity = first_text(params, "threadId")
    thread = thread_of(state, lane)
    if identity is not None and identity != thread.id:
        state = opened(state, identity, lane, None)
        thread = state.threads[identity]
    return on_thread(state, thread, lambda each: taker(each, params, spot))


def _time(message: Params, params: Params) -> str | None:
    stamps = (fields.get(each) for fields in (message, params) for each in _TIMES)
    return next((found for each in stamps if (found := absolute(each)) is not None), None)


# --- threads --------------------------------------------------------------------------------


def _response(state: State, message: Params, lane: str | None, spot: Spot) -> State:
    result = mapping(message.get("result"))
    question = json.dumps(message.get("id")) if isinstance(message.get("id"), str | int) else ""
    item = state.asked.get(question)
    if item is not None and "decision" in result:
        state = evolve(state, asked=state.asked.without(question))
        return _decided(state, item, result, lane, spot)
    return (
        _introduced(state, result, lane, spot) if isinstance(result.get("thread"), dict) else state
    )


def _introduced(state: State, params: Params, lane: str | None, spot: Spot) -> State:
    told = mapping(params.get("thread"))
    identity = text(told.get("id"))
    parent = first_text(told, "parentThreadId", "forkedFromId")
    is_new = identity not in state.threads
    state = opened(state, identity, lane, parent)
    thread = state.threads[identity]
    if is_new:
        forked = name(told.get("forkedFromId")) is not None
        source = "subagent" if name(told.get("parentThreadId")) else None
        thread = evolve(thread, forked=forked, source=source)
    _, call = state.spawned.get(identity, (None, None))
    return on_thread(state, thread, lambda each: _known(each, params, told, call, spot))


def _known(thread: Thread, params: Params, told: Params, call: str | None, spot: Spot) -> Thread:
    model = name(params.get("model"))
    thread = known_as(
        thread,
        spot,
        parent_call=call,
        provider=first_text(told, "modelProvider"),
        model_id=model,
        workspace=first_text(told, "cwd"),
    )
    return thread if model is None else learn(thread, "model", model, spot)


# --- approvals ------------------------------------------------------------------------------


def _asked(state: State, message: Params, params: Params) -> State:
    identity, item = message.get("id"), first_text(params, "itemId", "callId")
    if not isinstance(identity, str | int) or item is None:
        return state
    return evolve(state, asked=state.asked.put(json.dumps(identity), item))


def _decided(state: State, item: str, result: Params, lane: str | None, spot: Spot) -> State:
    accepted = text(result.get("decision")).startswith(_ACCEPTED)
    decision = "allow" if accepted else "deny"
    payload = ApprovalDecision(decision=decision, tool_call_id=item)
    return on_thread(state, thread_of(state, lane), lambda each: say(each, payload, spot, id=item))


# --- turns and items ------------------------------------------------------------------------


def _turn_done(thread: Thread, params: Params, spot: Spot) -> Thread:
    turn = mapping(params.get("turn"))
    status = text(turn.get("status"))
    if status == "interrupted":
        return turn_aborted(thread, "interrupted", spot)
    failed = status == "failed"
    fault = text(mapping(turn.get("error")).get("message")) or "error" if failed else None
    return turn_done(thread, fault, spot)


def _item_begun(thread: Thread, params: Params, spot: Spot) -> Thread:
    item = mapping(params.get("item"))
    spot = Spot(timestamp=absolute(params.get("startedAtMs")) or spot.timestamp, line=spot.line)
    return thread if kind_of(item) == "context_compaction" else item_begun(thread, item, spot)


def _item_done(thread: Thread, params: Params, spot: Spot) -> Thread:
    spot = Spot(timestamp=absolute(params.get("completedAtMs")) or spot.timestamp, line=spot.line)
    return item_done(thread, mapping(params.get("item")), spot)


def _delta(kind: str) -> Taker:
    return lambda thread, params, spot: item_delta(thread, kind, params, spot)


def _usage(thread: Thread, params: Params, spot: Spot) -> Thread:
    usage = mapping(params.get("tokenUsage"))
    window = number(usage.get("modelContextWindow"))
    thread = learn(thread, "context_window", window, spot) if window else thread
    return token_counts(thread, usage.get("total"), usage.get("last"), spot)


def _error(thread: Thread, params: Params, spot: Spot) -> Thread:
    fault = first_text(mapping(params.get("error")), "message") or "error"
    if params.get("willRetry") is True:
        return note(thread, "reconnecting", fault, spot)
    return turn_failed(thread, fault, spot)


def _fact(fact: str, *fields: str) -> Taker:
    return lambda thread, params, spot: learn(thread, fact, frozen(first(params, *fields)), spot)


METHODS: dict[str, Taker] = {
    "turn/started": lambda thread, params, spot: turn_begun(thread),
    "turn/completed": _turn_done,
    "item/started": _item_begun,
    "item/completed": _item_done,
    "item/agentMessage/delta": _delta("agent_message"),
    "item/reasoning/summaryTextDelta": _delta("reasoning"),
    "item/commandExecution/outputDelta": _delta("output"),
    "item/fileChange/outputDelta": _delta("output"),
    "thread/tokenUsage/updated": _usage,
    "thread/compacted": lambda thread, params, spot: compacted(thread, "event", "", spot),
    "thread/name/updated": _fact("title", "threadName", "name"),
    "thread/goal/updated": _fact("goal", "goal"),
    "turn/plan/updated": _fact("plan", "plan"),
    "account/rateLimits/updated": _fact("rate_limits", "rateLimits"),
    "error": _error,
    "warning": lambda thread, params, spot: note(
        thread, "warning", first_text(params, "message"), spot
    ),
}

_ASKED = frozenset({
    "item/commandExecution/requestApproval",
    "item/fileChange/requestApproval",
    "execCommandApproval",
    "applyPatchApproval",
})  # fmt: skip
