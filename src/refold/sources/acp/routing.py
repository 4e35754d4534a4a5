"""Messages of the wire, each to its session and room.

Rules of this file:

- Two tables: what a method asks or tells, and what its response means. A method in neither is
  counted; one that concerns no view (files, terminals, authentication) is known and says nothing.
- A response is understood by the request it answers; one whose request a log doesn't hold by its
  shape: a stop reason ends the turn of the session last spoken of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.messages import Subagent
from refold.records import evolve, evolver
from refold.sources.acp.cards import make_room
from refold.sources.acp.frames import Frame
from refold.sources.acp.knowledge import configured, learn, note
from refold.sources.acp.lanes import Lane, say
from refold.sources.acp.permissions import answer_permission, ask_permission, options_of
from refold.sources.acp.requests import Request, answered, asked, is_request
from refold.sources.acp.sessions import adopted, key_of, with_children
from refold.sources.acp.state import State, on_session
from refold.sources.acp.terminals import with_output
from refold.sources.acp.turns import begin_turn, cancel_turn, end_turn, fail_turn
from refold.sources.acp.updates import take_update
from refold.sources.fields import mapping, name, text
from refold.sources.logs.values import first_text
from refold.sources.tally import counted, unknown

__all__ = ["METHODS", "RESPONSES", "take_frame"]

Method: TypeAlias = Callable[[State, Frame, dict[str, Any]], State]
Response: TypeAlias = Callable[[State, Frame, Request], State]

_with_asked = evolver(State, "asked")
_with_sessions = evolver(State, "sessions")

_UPDATE = "session/update"
_QUIET = ("fs/", "terminal/", "auth/", "_auth/", "mcp/", "providers/", "proxy/", "$/", "session/")
_SILENT = frozenset({"initialize", "authenticate", "logout", "elicitation/complete"})


def take_frame(state: State, frame: Frame) -> State:
    """Take one message.

    Args:
        state: the log so far.
        frame: the message.
    """
    method = frame.message.get("method")
    if not isinstance(method, str):
        return _response(state, frame)
    params = mapping(frame.message.get("params"))
    if is_request(frame.message):
        request = _remembered(method, params)
        state = _with_asked(state, asked(state.asked, frame, request))
    taker = METHODS.get(_UPDATE if method.endswith(_UPDATE) else method)
    if taker is not None:
        return taker(state, frame, params)
    known = method in _SILENT or method.startswith(_QUIET)
    return state if known else evolve(state, tally=unknown(state.tally, "method", method))


def _remembered(method: str, params: dict[str, Any]) -> Request:
    kept = [
        (each, text(params.get(each)))
        for each in ("cwd", "terminalId", "modeId", "modelId")
        if text(params.get(each))
    ]
    return Request(
        method=method,
        session=text(params.get("sessionId")),
        params=(*kept, *options_of(params)) if "options" in params else tuple(kept),
    )


# --- what is asked or told ------------------------------------------------------------------


def _prompt(state: State, frame: Frame, params: dict[str, Any]) -> State:
    return on_session(
        state,
        name(params.get("sessionId")),
        frame.spot,
        lambda lane: begin_turn(lane, params.get("prompt"), frame.spot),
    )


def _cancel(state: State, frame: Frame, params: dict[str, Any]) -> State:
    return on_session(state, name(params.get("sessionId")), frame.spot, cancel_turn)


def _load(state: State, frame: Frame, params: dict[str, Any]) -> State:
    session = name(params.get("sessionId"))
    return on_session(
        state, session, frame.spot, lambda lane: evolve(make_room(lane), replaying=lane.spoken)
    )


def _permission(state: State, frame: Frame, params: dict[str, Any]) -> State:
    return on_session(
        state,
        name(params.get("sessionId")),
        frame.spot,
        lambda lane: ask_permission(lane, params, frame.spot),
    )


def _elicitation(state: State, frame: Frame, params: dict[str, Any]) -> State:
    """Note a question to the user, unless a running call is what asks it (census A15)."""
    words = name(params.get("message"))
    return on_session(
        state,
        name(params.get("sessionId")),
        frame.spot,
        lambda lane: lane if lane.running else note(lane, "elicitation", words, frame.spot),
    )


def _update(state: State, frame: Frame, params: dict[str, Any]) -> State:
    update = params if "sessionUpdate" in params else mapping(params.get("update"))
    session = (
        None if update is params and _is_announcement(update) else name(params.get("sessionId"))
    )
    parent_call = _parent_call(update)
    before = adopted(state.sessions, session)
    sessions, children = with_children(before, key_of(before, session, parent_call), update)

    def take(lane: Lane) -> Lane:
        lane = take_update(lane, update, frame.spot)
        for child in children:
            lane = say(lane, Subagent(session_id=child), frame.spot)
        return lane

    state = state if sessions is state.sessions else _with_sessions(state, sessions)
    return on_session(state, session, frame.spot, take, parent_call=parent_call)


def _is_announcement(update: dict[str, Any]) -> bool:
    return update.get("sessionUpdate") == "subagent_update"


def _parent_call(update: dict[str, Any]) -> str | None:
    meta = update.get("_meta")
    return first_text(mapping(mapping(meta).get("claudeCode")), "parentToolUseId") if meta else None


# --- what a response means ------------------------------------------------------------------


def _response(state: State, frame: Frame) -> State:
    waiting, request = answered(state.asked, frame)
    state = _with_asked(state, waiting)
    if request is not None:
        taker = RESPONSES.get(request.method)
        return state if taker is None else taker(state, frame, request)
    if "stopReason" in mapping(frame.message.get("result")):
        return _prompt_over(state, frame, Request(method="session/prompt"))
    return evolve(state, tally=counted(state.tally, "response to no known request"))


def _prompt_over(state: State, frame: Frame, request: Request) -> State:
    result, error = mapping(frame.message.get("result")), frame.message.get("error")

    def take(lane: Lane) -> Lane:
        if error is not None:
            return fail_turn(lane, mapping(error), frame.spot)
        return end_turn(lane, result, frame.spot) if "stopReason" in result else lane

    return on_session(state, request.session or None, frame.spot, take)


def _introduction(state: State, frame: Frame, request: Request) -> State:
    agent = mapping(mapping(frame.message.get("result")).get("agentInfo"))
    return evolve(state, agent=first_text(agent, "name", "title") or "")


def _session(state: State, frame: Frame, request: Request) -> State:
    result = mapping(frame.message.get("result"))
    session = name(result.get("sessionId")) or request.session or None
    if session is None:
        return state
    if frame.message.get("error") is not None:
        return on_session(state, session, frame.spot, lambda lane: evolve(lane, replaying=False))
    model = name(mapping(result.get("models")).get("currentModelId")) or ""
    return on_session(
        state,
        session,
        frame.spot,
        lambda lane: configured(evolve(make_room(lane), replaying=False), result, frame.spot),
        setup={"workspace": request.param("cwd"), "model_id": model},
    )


def _chosen(state: State, frame: Frame, request: Request) -> State:
    if frame.message.get("error") is not None:
        return state
    result = mapping(frame.message.get("result"))

    def take(lane: Lane) -> Lane:
        for fact, param in (("mode", "modeId"), ("model", "modelId")):
            chosen = request.param(param)
            lane = learn(lane, fact, chosen, frame.spot) if chosen else lane
        return configured(lane, result, frame.spot)

    return on_session(state, request.session or None, frame.spot, take)


def _permission_given(state: State, frame: Frame, request: Request) -> State:
    return on_session(
        state,
        request.session or None,
        frame.spot,
        lambda lane: answer_permission(lane, request, frame.message, frame.spot),
    )


def _terminal_output(state: State, frame: Frame, request: Request) -> State:
    output = text(mapping(frame.message.get("result")).get("output"))
    return on_session(
        state,
        request.session or None,
        frame.spot,
        lambda lane: with_output(lane, request.param("terminalId"), output),
    )


METHODS: dict[str, Method] = {
    "session/prompt": _prompt,
    "session/cancel": _cancel,
    "session/load": _load,
    "session/request_permission": _permission,
    "elicitation/create": _elicitation,
    "session/elicitation": _elicitation,
    _UPDATE: _update,
}

RESPONSES: dict[str, Response] = {
    "initialize": _introduction,
    "session/new": _session,
    "session/load": _session,
    "session/resume": _session,
    "session/fork": _session,
    "session/prompt": _prompt_over,
    "session/set_mode": _chosen,
    "session/set_model": _chosen,
    "session/set_config_option": _chosen,
    "session/request_permission": _permission_given,
    "terminal/output": _terminal_output,
}
