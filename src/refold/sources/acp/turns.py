"""Prompts and how they end.

Rules of this file (stream-json-and-acp.md 4.1, 4.3, 8):

- A prompt starts a task. The protocol knows no requests to a model, so none is begun: what an agent
  does between prompt and response is not one, and a rate of tokens over it would be none.
- Its end says how: normally nothing more; a limit or a refusal is noted; a cancellation aborts, and
  what was being said is kept as aborted; an error is a failed request that gave up.
- What comes after the end is still the session's (census.md A5).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from refold.messages import Abort, Payload, RequestEnd, Text
from refold.records import evolve
from refold.sources.acp.card_outputs import abandon_outputs
from refold.sources.acp.cards import make_room
from refold.sources.acp.chunks import end_segment, squeezed
from refold.sources.acp.compactions import leave_compaction
from refold.sources.acp.content import prompt_payloads
from refold.sources.acp.knowledge import note
from refold.sources.acp.lanes import Lane, Turn, say
from refold.sources.acp.usage import prompt_usage
from refold.sources.fields import mapping, name, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import compact

__all__ = ["begin_turn", "cancel_turn", "close", "end_turn", "fail_turn"]

_NOTED = frozenset({"refusal", "max_tokens", "max_turn_requests"})
_AUTH_REQUIRED = -32000


def begin_turn(lane: Lane, prompt: Any, spot: Spot) -> Lane:
    """Take a prompt.

    Args:
        lane: the session.
        prompt: its blocks.
        spot: where it was.
    """
    lane = abandon_outputs(make_room(leave_compaction(lane, spot)), spot)
    payloads = prompt_payloads(prompt)
    turn = Turn(prompt=squeezed(_words(payloads)))
    lane = evolve(lane, turn=turn, spoken=True)
    for payload in payloads:
        lane = say(lane, payload, spot)
    return lane


def cancel_turn(lane: Lane) -> Lane:
    """Take the client's wish to stop; with nothing to stop it means nothing."""
    return lane if lane.turn is None else evolve(lane, turn=evolve(lane.turn, cancelling=True))


def end_turn(lane: Lane, result: dict[str, Any], spot: Spot) -> Lane:
    """Take a prompt's response.

    Args:
        lane: the session.
        result: ``{stopReason, usage?, _meta?}``.
        spot: where it was.
    """
    reason = name(result.get("stopReason")) or "end_turn"
    lane = prompt_usage(_finished(lane, reason, spot), result, spot)
    if reason == "cancelled":
        lane = abandon_outputs(lane, spot)
        return _aborted(lane, "aborted", None, "cancelled", spot)
    if reason == "error":
        return fail_turn(lane, mapping(result.get("error")), spot)
    lane = say(lane, RequestEnd(status="completed"), spot)
    lane = note(lane, reason, None, spot) if reason in _NOTED else lane
    return evolve(lane, turn=None)


def fail_turn(lane: Lane, error: dict[str, Any], spot: Spot) -> Lane:
    """Take a prompt's failure.

    Args:
        lane: the session.
        error: ``{code, message}``.
        spot: where it was.
    """
    fault = name(error.get("message")) or (compact(error) if error else "error")
    status = "auth" if error.get("code") == _AUTH_REQUIRED else "failed"
    return _aborted(_finished(lane, "error", spot), status, fault, fault, spot)


def close(lane: Lane, spot: Spot) -> Lane:
    """Return the lane with all it holds said, as no record comes any more.

    Args:
        lane: the session.
        spot: where the log ended.
    """
    turn = lane.turn
    lane = make_room(end_segment(lane, stop_reason="completed" if turn is None else None))
    lane = abandon_outputs(lane, spot)
    if turn is not None and turn.cancelling:
        return _aborted(lane, "aborted", None, "cancelled", spot)
    return lane


def _finished(lane: Lane, reason: str, spot: Spot) -> Lane:
    how = {"cancelled": "aborted", "error": "failed"}.get(reason, "completed")
    return leave_compaction(make_room(end_segment(lane, stop_reason=how)), spot)


def _aborted(lane: Lane, status: str, fault: str | None, reason: str, spot: Spot) -> Lane:
    lane = say(lane, RequestEnd(status=status, error_message=fault), spot)
    return evolve(say(lane, Abort(reason=reason), spot), turn=None)


def _words(payloads: Iterable[Payload]) -> str:
    return "".join([text(each.text) for each in payloads if isinstance(each, Text)])
