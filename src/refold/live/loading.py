"""Weaving a loaded history and what the stream brought meanwhile into one session.

Rules of this file (live.md rules 1-3):

- History first, re-anchored to the clocks; then the buffer, with what the history holds removed.
- Of a live tail, fragments stand for the buffered pieces of theirs up to its cursor.
- At rest only if the last thing the stream said is that nothing runs.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.folding import idle, register_decision, replay
from refold.live.event_ids import EventId, parse_event_id
from refold.live.inputs import HistoryLoaded, LiveTail, Received
from refold.live.receiving import receive
from refold.live.state import Buffered, LiveState
from refold.maps import Map
from refold.messages import (
    Message,
    PartialToolCall,
    PartialToolCallOutput,
)
from refold.overlap import overlap_of
from refold.records import evolve
from refold.reduce.cases import PARTIALS
from refold.session import Session
from refold.vectors import EMPTY_VECTOR

__all__ = ["decided", "load"]


def load(state: LiveState, loaded: HistoryLoaded) -> LiveState:
    """Return the state with a history in and the buffer behind it."""
    session = decided(loaded.page.prior or Session(), state.decisions)
    session = replay(
        loaded.messages,
        now_ms=loaded.now_ms,
        server_now_ms=loaded.server_now_ms,
        session=session,
    )
    buffered = _woven(state, loaded)
    state = evolve(
        state,
        phase="live",
        session=session,
        error=None,
        buffer=EMPTY_VECTOR,
        overlap=overlap_of(loaded.messages),
        ahead=frozenset(),
    )
    for each in buffered:
        state = receive(state, each, behind_load=False)
    if state.running is False:
        state = evolve(state, session=idle(state.session))
    return state


def decided(session: Session, decisions: Map[bool]) -> Session:
    """Return a session that knows of the decisions made on this client."""
    for tool_call_id in decisions:
        session = register_decision(session, tool_call_id)
    return session


# --- the live tail --------------------------------------------------------------------------------


def _woven(state: LiveState, loaded: HistoryLoaded) -> list[Buffered]:
    """Return the buffer with the live tail's fragments where they belong (rule 3)."""
    buffered = list(state.buffer)
    tail = loaded.live_tail
    cursor = None if tail is None else parse_event_id(tail.cursor)
    if tail is None or cursor is None or state.epoch not in (None, cursor.epoch):
        return buffered
    front = [each for each in buffered if _is_covered(each, cursor)]
    behind = [each for each in buffered if not _is_covered(each, cursor)]
    seeds = [
        Received(message=_as_start(fragment), now_ms=loaded.now_ms) for fragment in tail.fragments
    ]
    return [*_without_fragments(front, tail), *seeds, *behind]


def _is_covered(each: Buffered, cursor: EventId) -> bool:
    event_id = parse_event_id(each.event_id)
    return event_id is not None and event_id.epoch == cursor.epoch and event_id.seq <= cursor.seq


def _without_fragments(buffered: list[Buffered], tail: LiveTail) -> Iterable[Buffered]:
    """Drop the pieces of the tail's fragments, back to where each of these starts."""
    dropping = {_strand(fragment) for fragment in tail.fragments}
    kept = []
    for each in reversed(buffered):
        strand = _strand(each.message)
        if strand not in dropping:
            kept.append(each)
        elif getattr(each.message.payload, "event_type", None) == "start":
            dropping.discard(strand)
    return reversed(kept)


def _strand(message: Message) -> tuple[object, ...] | None:
    """Return what the pieces of one fragment have in common; None for what is no piece."""
    payload = message.payload
    if type(payload) not in PARTIALS:
        return None
    if isinstance(payload, PartialToolCall | PartialToolCallOutput):
        return message.origin, payload.kind, payload.tool_call_id
    return message.origin, type(payload)


def _as_start(fragment: Message) -> Message:
    payload = fragment.payload
    if type(payload) not in PARTIALS:
        return fragment
    return evolve(fragment, payload=evolve(payload, event_type="start"))
