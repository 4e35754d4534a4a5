"""Control requests and responses, in both directions.

Rules of this file (sources/stream-json-and-acp.md 1.1, 1.2, 7.2):

- A request has its id at the top, a response inside ``response``; the ids of both sides never meet,
  so a response is read by what it answers.
- Asking for permission says nothing to the session; the answer does, once, on the call it is about.
  A question that was withdrawn has no answer.
- An interrupt that was asked for makes of the turn's error an abort.
"""

from __future__ import annotations

from typing import Any

from refold.records import evolve
from refold.sources.claude_stream_json.calls import call_like, decided
from refold.sources.claude_stream_json.state import Entry, State, Step
from refold.sources.fields import mapping, name

__all__ = ["cancelled", "requested", "responded"]


def requested(state: State, entry: Entry) -> Step:
    """Take a record of type ``control_request``."""
    request = mapping(entry.value.get("request"))
    request_id = name(entry.value.get("request_id"))
    subtype = request.get("subtype")
    if subtype == "interrupt":
        return evolve(state, run=evolve(state.run, interrupted=True)), ()
    if subtype != "can_use_tool" or request_id is None:
        return state, ()
    call_id = name(request.get("tool_use_id")) or _meant(state, request)
    return evolve(state, asked=state.asked.put(request_id, call_id or "")), ()


def responded(state: State, entry: Entry) -> Step:
    """Take a record of type ``control_response``."""
    response = mapping(entry.value.get("response"))
    request_id = name(response.get("request_id")) or ""
    call_id = state.asked.get(request_id)
    if call_id is None:
        return state, ()
    state = evolve(state, asked=state.asked.without(request_id))
    answer = mapping(response.get("response")).get("behavior")
    failed = response.get("subtype") == "error"
    if not call_id or (answer not in ("allow", "deny") and not failed):
        return state, ()
    return decided(state, entry, call_id, "allow" if answer == "allow" else "deny")


def cancelled(state: State, entry: Entry) -> Step:
    """Take a record of type ``control_cancel_request``."""
    request_id = name(entry.value.get("request_id")) or ""
    return evolve(state, asked=state.asked.without(request_id)), ()


def _meant(state: State, request: dict[str, Any]) -> str | None:
    return call_like(state, request.get("tool_name"), request.get("input"))
