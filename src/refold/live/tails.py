"""Live tails: what was in progress at the server when it answered (live.md rule 3).

Rules of this file:

- The fragments of a tail hold all that streamed of them up to its cursor: pieces of theirs at or
  before it are dropped, and the fragments go in as starts, behind everything else up to there.
- A stream may lag behind the answer. Until it passes the cursor, the session without the fragments
  is kept: what comes late goes in there, and the fragments go on top anew.
- A message whose id is unknown comes after the cursor.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from refold.folding import apply
from refold.live.event_ids import EventId, parse_event_id
from refold.live.inputs import HistoryLoaded, Received
from refold.live.state import Buffered, Lag
from refold.messages import Message, PartialToolCall, PartialToolCallOutput
from refold.records import evolve
from refold.reduce.cases import PARTIALS
from refold.session import Session

__all__ = ["is_covered", "is_piece_of", "lag_of", "parted", "with_fragments"]


def lag_of(loaded: HistoryLoaded, epoch: str | None) -> Lag | None:
    """Return a history's live tail, if it has one that fits the stream.

    Args:
        loaded: the history.
        epoch: of the ids seen on this connection; None if none was seen.
    """
    tail = loaded.live_tail
    cursor = None if tail is None else parse_event_id(tail.cursor)
    if tail is None or cursor is None or epoch not in (None, cursor.epoch):
        return None
    fragments = tuple([_as_start(each) for each in tail.fragments if _strand(each) is not None])
    return Lag(session=Session(), cursor=cursor, fragments=fragments, now_ms=loaded.now_ms)


def parted(buffered: Iterable[Buffered], lag: Lag) -> tuple[list[Buffered], list[Buffered]]:
    """Return what of a buffer comes before a tail's fragments, without their pieces, and behind."""
    listed = list(buffered)
    front = [each for each in listed if is_covered(each, lag.cursor)]
    behind = [each for each in listed if not is_covered(each, lag.cursor)]
    return _without_fragments(front, lag.fragments), behind


def with_fragments(session: Session, lag: Lag) -> Session:
    """Return a session with a tail's fragments in it."""
    for fragment in lag.fragments:
        session = apply(session, fragment, now_ms=lag.now_ms)
    return session


def is_covered(each: Buffered, cursor: EventId) -> bool:
    """Tell whether something came at or before a cursor."""
    event_id = parse_event_id(each.event_id)
    return event_id is not None and event_id.epoch == cursor.epoch and event_id.seq <= cursor.seq


def is_piece_of(each: Buffered, fragments: Iterable[Message]) -> bool:
    """Tell whether something is a piece of one of these fragments, or of one before it."""
    strand = _strand(each.message) if type(each) is Received else None
    return strand is not None and strand in {_strand(fragment) for fragment in fragments}


def _without_fragments(buffered: list[Buffered], fragments: Iterable[Message]) -> list[Buffered]:
    """Drop the pieces of the fragments, back to where each of these starts."""
    dropping = {_strand(fragment) for fragment in fragments}
    kept: list[Buffered] = []
    for each in reversed(buffered):
        strand = _strand(each.message)
        if strand not in dropping:
            kept.append(each)
        elif getattr(each.message.payload, "event_type", None) == "start":
            dropping.discard(strand)
    return kept[::-1]


def _strand(message: Message) -> tuple[object, ...] | None:
    """Return what the pieces of one fragment have in common; None for what is no piece."""
    payload = message.payload
    if type(payload) not in PARTIALS:
        return None
    if isinstance(payload, PartialToolCall | PartialToolCallOutput):
        return message.origin, payload.kind, payload.tool_call_id
    return message.origin, type(payload)


def _as_start(fragment: Message) -> Message:
    payload: Any = fragment.payload
    return evolve(fragment, payload=evolve(payload, event_type="start"))
