"""Chunks become messages.

Rules of this file (stream-json-and-acp.md 8, census.md A6, A7, A10):

- A segment is a run of chunks of one kind, one message id and one phase. It ends at a chunk that is
  of another, at a picture, at whatever else takes a place among the items, at the end of its turn.
  Sizes of chunks never matter.
- What is streamed is said at once as a partial; the complete message follows when the segment ends,
  with the time of its last chunk, and alone decides.
- The user's own chunks are no partials. They repeat the prompt (and are dropped), are put in while
  the agent works (steering), or are the prompt of a log that holds no requests.
- A whole message under an id (version 2) replaces what was chunked under it. One that is over can't
  be changed any more: that is counted.
"""

from __future__ import annotations

from typing import Any

from refold.json_values import JsonObject
from refold.messages import (
    ImageUrl,
    InlineData,
    Notice,
    PartialText,
    PartialThinking,
    Payload,
    Text,
    Thinking,
)
from refold.records import evolve, evolver, positional
from refold.sources.acp.content import block_text, blocks_of, blocks_text, picture
from refold.sources.acp.lanes import Lane, Segment, SegmentKind, say
from refold.sources.fields import mapping, name
from refold.sources.logs.spots import Spot, sketched
from refold.sources.logs.values import first_text
from refold.texts import grow

__all__ = ["chunk", "end_segment", "squeezed", "whole_message"]

_with_segment = evolver(Lane, "segment")
_begun = evolver(Lane, "segment", "spoken")
_streamed = evolver(Lane, "segment", "said")
_finished = evolver(Lane, "segment", "upserts")
_longer = evolver(Segment, "text", "size", "chunks", "last")
_partial_text = positional(PartialText, "role", "event_type", "text", "stop_reason")
_partial_thinking = positional(PartialThinking, "role", "event_type", "thinking", "stop_reason")


def chunk(lane: Lane, kind: SegmentKind, update: dict[str, Any], spot: Spot) -> Lane:
    """Take a chunk of a message.

    Args:
        lane: the session.
        kind: whose message it is.
        update: ``{content, messageId?, _meta?}``.
        spot: where it was.
    """
    lane = _segment_for(lane, kind, update, spot)
    for block in blocks_of(update.get("content")):
        lane = _block(lane, block, spot)
    return lane


def whole_message(lane: Lane, kind: SegmentKind, update: dict[str, Any], spot: Spot) -> Lane:
    """Take a whole message: a new one, or what is now said under its id.

    Args:
        lane: the session.
        kind: whose message it is.
        update: ``{messageId, content?}``; absent content changes nothing, null empties it.
        spot: where it was.
    """
    identity = name(update.get("messageId"))
    if "content" not in update:
        return lane
    said = blocks_text(update.get("content"))
    if identity is not None and identity in lane.upserts:
        return lane if lane.upserts[identity] == said else _too_late(lane)
    if identity is not None and _is_open(lane.segment, kind, identity):
        return _replaced(lane, said, spot)
    pictures = [each for each in blocks_of(update.get("content")) if picture(each)]
    blocks = [{"type": "text", "text": said}, *pictures]
    lane = chunk(lane, kind, {**update, "content": blocks}, spot)
    return lane if identity is not None else end_segment(lane)


def end_segment(lane: Lane, *, stop_reason: str | None = "completed") -> Lane:
    """Return the lane with its message complete, if one was being chunked.

    Args:
        lane: the session.
        stop_reason: how it ended, None if that isn't known.
    """
    segment = lane.segment
    if segment is None:
        return lane
    said = str(segment.text)
    identity = segment.message_id
    upserts = lane.upserts if identity is None else lane.upserts.put(identity, said)
    lane = _finished(lane, None, upserts)
    if segment.kind == "user":
        return _user_message(lane, segment, said)
    lane = say(lane, _partial(segment.kind, "stop", "", stop_reason), segment.last)
    complete = _complete(segment, said, stop_reason)
    return say(lane, complete, segment.last, id=identity, since=segment.first)


def squeezed(words: str) -> str:
    """Return a text without white space, to compare what was sent with what came back."""
    return "".join(words.split())


def _segment_for(lane: Lane, kind: SegmentKind, update: dict[str, Any], spot: Spot) -> Lane:
    identity, phase = name(update.get("messageId")), _phase(update)
    segment = lane.segment
    if segment is not None and _is_open(segment, kind, identity) and segment.phase == phase:
        return lane
    lane = end_segment(lane)
    turn = lane.turn
    echoes = turn is not None and not turn.answered
    if turn is not None and kind != "user" and echoes:
        lane = evolve(lane, turn=evolve(turn, answered=True))
    opened = Segment(
        kind=kind, message_id=identity, phase=phase, echoes=echoes, first=spot, last=spot
    )
    return _begun(lane, opened, True)


def _phase(update: dict[str, Any]) -> str | None:
    meta = update.get("_meta")
    return first_text(mapping(mapping(meta).get("codex")), "phase") if meta else None


def _block(lane: Lane, block: dict[str, Any], spot: Spot) -> Lane:
    url = picture(block)
    if url is None:
        return _words(lane, block_text(block), spot)
    segment = lane.segment
    if segment is not None and segment.kind == "user":
        return _with_segment(lane, evolve(segment, images=(*segment.images, url), last=spot))
    return _agent_picture(lane, block, spot)


def _words(lane: Lane, words: str, spot: Spot) -> Lane:
    segment = lane.segment
    if segment is None or not words:
        return lane
    if len(words) == segment.size and segment.chunks > 1 and words == str(segment.text):
        lane = evolve(lane, oddities=(*lane.oddities, "chunk repeats the whole message"))
    grown = grow(segment.text, words)
    longer = _longer(segment, grown, segment.size + len(words), segment.chunks + 1, spot)
    if segment.kind == "user":
        return _with_segment(lane, longer)
    piece = _partial(segment.kind, "delta" if segment.chunks else "start", words)
    return _streamed(lane, longer, (*lane.said, sketched(piece, spot, None, None)))


def _is_open(segment: Segment | None, kind: SegmentKind, identity: str | None) -> bool:
    return segment is not None and segment.kind == kind and segment.message_id == identity


def _too_late(lane: Lane) -> Lane:
    return evolve(lane, oddities=(*lane.oddities, "message changed when over"))


def _replaced(lane: Lane, said: str, spot: Spot) -> Lane:
    segment = lane.segment
    assert segment is not None
    before = str(segment.text)
    if said.startswith(before):
        return _words(lane, said[len(before) :], spot)
    return _with_segment(lane, _longer(segment, said, len(said), segment.chunks, spot))


def _agent_picture(lane: Lane, block: dict[str, Any], spot: Spot) -> Lane:
    lane = end_segment(lane)
    mime = name(block.get("mimeType")) or "image/png"
    if name(block.get("data")):
        lane = say(lane, InlineData(role="assistant", data=block["data"], mime_type=mime), spot)
    shown = Notice(name="image", text=name(block.get("uri")) or mime)
    return say(lane, shown, spot)


def _user_message(lane: Lane, segment: Segment, said: str) -> Lane:
    turn = lane.turn
    if turn is not None and segment.echoes and squeezed(said) == turn.prompt:
        return lane
    words = said if turn is None else f"[user_steering]\n{said}\n[/user_steering]"
    if said or not segment.images:
        payload = Text(role="user", text=words, sender="user")
        lane = say(lane, payload, segment.last, id=segment.message_id, since=segment.first)
    for url in segment.images:
        lane = say(lane, ImageUrl(role="user", image_url=url), segment.last)
    return lane


def _partial(kind: SegmentKind, event: str, words: str, stop_reason: str | None = None) -> Payload:
    if kind == "thought":
        return _partial_thinking("assistant", event, words, stop_reason)
    return _partial_text("assistant", event, words, stop_reason)


def _complete(segment: Segment, said: str, stop_reason: str | None) -> Payload:
    if segment.kind == "thought":
        return Thinking(role="assistant", thinking=said, stop_reason=stop_reason)
    fidelity = None if segment.phase is None else JsonObject({"phase": segment.phase})
    return Text(role="assistant", text=said, stop_reason=stop_reason, fidelity=fidelity)
