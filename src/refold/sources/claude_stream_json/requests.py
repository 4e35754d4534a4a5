"""Requests to the model, and the tokens they used.

Rules of this file (sources/stream-json-and-acp.md 7.2; docs/decisions/claude-stream-json.md):

- A request begins with the first that is seen of a message and ends when its lane goes on: to
  another message, to a failure, to the turn's result. A tool's result ends nothing, for it stands
  between the records of one message.
- It begins at the time of what the model answers to and ends at that of the message's last record.
  Pieces of a stream have no say in either.
- A message without an id goes on until a user record has come.
"""

from __future__ import annotations

from refold.messages import Payload, RequestBegin, RequestEnd, TokenCounts
from refold.records import evolve, evolver
from refold.sources.anthropic_blocks import token_counts
from refold.sources.claude_stream_json.lanes import lane_at, with_lane
from refold.sources.claude_stream_json.state import (
    NOTHING_STREAMED,
    Lane,
    State,
    Step,
)
from refold.sources.claude_stream_json.tokens import NO_USAGE, Usage
from refold.sources.claude_stream_json.usage import left
from refold.sources.drafts import Draft, draft
from refold.sources.token_ledger import charged
from refold.vectors import EMPTY_VECTOR

__all__ = ["at_message", "begun", "charge", "count_message", "ended", "left_message", "message_key"]

_requesting = evolver(Lane, "requesting")
_at_message = evolver(Lane, "message", "blocks")
_left = evolver(Lane, "message", "streamed")
_charged = evolver(Lane, "total")
_with_ledger = evolver(State, "ledger")


def message_key(lane: Lane, message_id: str | None) -> tuple[Lane, str]:
    """Return the key of the message a record is of.

    Args:
        lane: the record's.
        message_id: the message's own id, if it has one.

    Returns:
        The lane, which counts messages without an id, and the key.
    """
    if message_id is not None:
        return lane, message_id
    unnamed = f"\n{lane.unnamed}"
    if lane.message == unnamed and not lane.answered:
        return lane, unnamed
    lane = evolve(lane, unnamed=lane.unnamed + 1)
    return lane, f"\n{lane.unnamed}"


def at_message(state: State, lane: Lane, message: str) -> Step:
    """Let a lane be at a message, leaving the one before.

    Args:
        state: the state.
        lane: the lane as it is, whether or not the state has it so.
        message: the message's key.
    """
    state = with_lane(state, lane)
    if lane.message == message:
        return begun(state, lane.key)
    state, drafts = (state, ()) if lane.message is None else left_message(state, lane.key)
    lane = _at_message(lane_at(state, lane.key), message, EMPTY_VECTOR)
    state, begin = begun(with_lane(state, lane), lane.key)
    return state, (*drafts, *begin)


def begun(state: State, key: str) -> Step:
    """Begin a lane's request, unless one is open."""
    lane = lane_at(state, key)
    if lane.requesting:
        return state, ()
    state = with_lane(state, _requesting(lane, True))
    return state, (_at(lane, RequestBegin(), lane.input_at),)


def left_message(state: State, key: str) -> Step:
    """Let a lane leave its message: its tokens are counted, its request is completed."""
    state, usage = count_message(state, key)
    state, end = ended(state, key, RequestEnd(status="completed"))
    lane = _left(lane_at(state, key), None, NOTHING_STREAMED)
    return with_lane(state, lane), (*usage, *end)


def count_message(state: State, key: str) -> Step:
    """Count the tokens of the message a lane is at, as far as they are known."""
    ledger, more = left(state.ledger, key)
    return charge(_with_ledger(state, ledger), key, (more,))


def ended(state: State, key: str, end: RequestEnd) -> Step:
    """End a lane's request, if one is open."""
    lane = lane_at(state, key)
    if not lane.requesting:
        return state, ()
    state = with_lane(state, _requesting(lane, False))
    return state, (_at(lane, end, lane.output_at),)


def charge(state: State, key: str, parts: tuple[Usage, ...]) -> Step:
    """Count tokens in a lane.

    Args:
        state: the state.
        key: the lane's.
        parts: what was used; each is an event of its own.
    """
    drafts: list[Draft] = []
    for part in parts:
        counts = _counts(part)
        if counts is not None:
            lane = lane_at(state, key)
            usage = charged(lane.total, counts)
            state = with_lane(state, _charged(lane, usage.session))
            drafts.append(_at(lane, usage, lane.output_at))
    return state, tuple(drafts)


def _counts(usage: Usage) -> TokenCounts | None:
    if usage == NO_USAGE:
        return None
    return token_counts(
        {
            "input_tokens": usage.fresh,
            "cache_read_input_tokens": usage.read,
            "cache_creation_input_tokens": usage.written,
            "output_tokens": usage.output,
        }
    )


def _at(lane: Lane, payload: Payload, at: str | None) -> Draft:
    return draft(payload, at, None, lane.origin)
