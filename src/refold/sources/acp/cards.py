"""Calls become cards.

Rules of this file (stream-json-and-acp.md 8):

- A call is held, shown as a partial, while its input is still to come: agents announce calls before
  they have one. It is out with its input, or with the first that shows that none will come: a status
  behind ``pending``, content, a question for permission, or anything else that takes a place. What
  its title or input become later can't change the card any more.
"""

from __future__ import annotations

from typing import Any

from refold.json_values import JsonObject
from refold.messages import PartialToolCall, ToolCall
from refold.records import evolve, evolver
from refold.sources.acp.calls import fresh_call, is_another, is_ready, patched, with_chunk
from refold.sources.acp.card_outputs import end_output, put_out, stream_output
from refold.sources.acp.chunks import end_segment
from refold.sources.acp.lanes import Call, Lane, say, with_call
from refold.sources.acp.outputs import output_text
from refold.sources.acp.terminals import meta_terminal
from refold.sources.fields import mapping, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import compact, objects

__all__ = ["ask", "content_chunk", "make_room", "update_call"]

_ASIDE = frozenset({"sessionUpdate", "toolCallId", "_meta"})

_at = evolver(Call, "last")
_called = evolver(Call, "called", "settled")
_held = evolver(Lane, "held", "spoken")
_made = evolver(Lane, "calls", "held", "running", "turn", "spoken")


def make_room(lane: Lane) -> Lane:
    """Return the lane ready for something that takes a place: nothing chunked, nothing held.

    Args:
        lane: the session.
    """
    lane = end_segment(lane)
    held = lane.held
    return lane if held is None else _call_out(lane, lane.calls[held], lane.calls[held].last)


def update_call(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    """Take a call's announcement or an update of it.

    Args:
        lane: the session.
        update: ``tool_call`` or ``tool_call_update``.
        spot: where it was.
    """
    identity = text(update.get("toolCallId"))
    before = lane.calls.get(identity)
    announced = update.get("sessionUpdate") == "tool_call"
    if before is None and not announced and _says_nothing(update):
        return evolve(lane, oddities=(*lane.oddities, "update of an unknown call"))
    if before is None or (announced and is_another(before, update)):
        before = fresh_call(identity, spot)
    return _take(lane, before, update, spot)


def content_chunk(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    """Take a piece of content that is added to a call's (version 2).

    Args:
        lane: the session.
        update: ``tool_call_content_chunk``.
        spot: where it was.
    """
    identity = text(update.get("toolCallId"))
    call = with_chunk(lane.calls.get(identity) or fresh_call(identity, spot), update)
    lane = _out(with_call(lane, call), call, spot)
    call = lane.calls[identity]
    if call.settled is not None:
        return end_output(lane, call, output_text(lane, call), spot)
    added = call.parts.tail[-1].text
    return stream_output(lane, call, f"\n{added}" if call.shown and added else added, spot)


def ask(lane: Lane, subject: dict[str, Any], spot: Spot) -> Lane:
    """Take a question for permission: the call it is about is out.

    Args:
        lane: the session.
        subject: the request's ``toolCall``. Of its content only diffs are the call's; the rest is
            said to who decides.
        spot: where it was.
    """
    identity = text(subject.get("toolCallId"))
    diffs = [each for each in objects(subject.get("content")) if each.get("type") == "diff"]
    call = patched(
        lane.calls.get(identity) or fresh_call(identity, spot),
        {**subject, "content": diffs or None},
    )
    return _out(with_call(lane, call), call, spot)


def _says_nothing(update: dict[str, Any]) -> bool:
    return not any(update.get(each) is not None for each in update if each not in _ASIDE)


def _take(lane: Lane, before: Call, update: dict[str, Any], spot: Spot) -> Lane:
    lane, terminal, piece = meta_terminal(lane, mapping(update.get("_meta")))
    call = patched(before, update)
    if terminal is not None:
        call = evolve(call, terminal=terminal)
    if lane.calls.get(call.id) == call and not piece:
        return lane
    call = _at(call, spot)
    lane = with_call(lane, call)
    if not call.called and not is_ready(call):
        return _hold(lane, call, spot)
    lane = _out(lane, call, spot)
    return put_out(lane, lane.calls[call.id], piece, spot)


def _hold(lane: Lane, call: Call, spot: Spot) -> Lane:
    if lane.held != call.id:
        lane = make_room(lane)
    lane = _held(lane, call.id, True)
    return say(lane, _partial_call(call, "start"), spot, id=call.id)


def _out(lane: Lane, call: Call, spot: Spot) -> Lane:
    if call.called:
        return lane
    if lane.held != call.id:
        return _call_out(make_room(lane), call, spot)
    return _call_out(end_segment(lane), call, spot)


def _call_out(lane: Lane, call: Call, spot: Spot) -> Lane:
    was_held = lane.held == call.id
    if was_held:
        lane = say(lane, _partial_call(call, "stop"), spot, id=call.id)
    turn = lane.turn
    lane = _made(
        lane,
        lane.calls.put(call.id, _called(call, True, None)),
        None if was_held else lane.held,
        lane.running.put(call.id, True),
        turn if turn is None or turn.answered else evolve(turn, answered=True),
        True,
    )
    return say(lane, _complete_call(call), spot, id=call.id, since=call.first if was_held else None)


def _complete_call(call: Call) -> ToolCall:
    told = {"title": call.title, "kind": call.category}
    kept = {name: words for name, words in told.items() if words and words != call.name}
    return ToolCall(
        role="assistant",
        name=call.name,
        arguments=_arguments(call),
        tool_call_id=call.id,
        stop_reason="completed",
        fidelity=JsonObject(kept) if kept else None,
    )


def _partial_call(call: Call, event: str) -> PartialToolCall:
    started = event == "start"
    return PartialToolCall(
        role="assistant",
        event_type=event,
        name=call.name if started else "",
        arguments=_arguments(call) if started else "",
        tool_call_id=call.id,
    )


def _arguments(call: Call) -> str:
    """Return the raw input, or what stands in for one: all that the agent says of the call."""
    if call.arguments:
        return call.arguments
    title = call.title if call.title != call.name else ""
    told = {"title": title, "kind": call.category, "locations": list(call.places)}
    return compact({each: value for each, value in told.items() if value})
