"""AG-UI's streamed texts and reasoning, by the events that open, grow and end them.

Rules of this file:

- ``THINKING_*`` are the older names of ``REASONING_*`` and carry no ids; both are thinkings.
- A content event whose start was missed opens its message itself: no record repeats it, so
  dropping it would lose it.
- A chunk opens a loose fragment: it has no end event and ends with the next event that says
  something else (``step`` sees to that), or with a chunk of another message.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from refold.sources.ag_ui.state import (
    Event,
    State,
    Step,
    count,
    lane_closed,
    lane_of,
    mark_shown,
    origin_of,
    placed,
    with_lane,
)
from refold.sources.drafts import Drafts
from refold.sources.fields import name, text
from refold.sources.fragments import NOTHING_OPEN, Fragment, completed, find, grown, opened

__all__ = ["STREAM_EVENTS", "loose_key"]

Medium: TypeAlias = Literal["text", "reasoning"]
Case: TypeAlias = Callable[[State, Event, str | None], Step]


def loose_key(state: State, lane: str, prefix: str) -> str | None:
    """Return the key of the fragment that a chunk without an id continues, or None.

    Args:
        state: the state.
        lane: the lane the chunk belongs to.
        prefix: what the keys of its kind begin with.
    """
    fragments = state.lanes.get(lane, NOTHING_OPEN)
    keys = [each.key for each in fragments.open if each.loose and each.key.startswith(prefix)]
    return keys[-1] if keys else None


def _start(medium: Medium) -> Case:
    def case(state: State, event: Event, at: str | None) -> Step:
        lane, key = lane_of(event), _key(medium, event)
        if find(state.lanes.get(lane, NOTHING_OPEN), key) is not None:
            return count(state, f"repeated start of a {medium}"), ()
        return _opened(state, event, medium, at, loose=False)

    return case


def _content(medium: Medium, *, needs_start: bool = True) -> Case:
    def case(state: State, event: Event, at: str | None) -> Step:
        lane, key = lane_of(event), _key(medium, event)
        drafts: Drafts = ()
        if find(state.lanes.get(lane, NOTHING_OPEN), key) is None:
            state, drafts = _opened(state, event, medium, at, loose=False)
            state = count(state, f"{medium} without a start") if needs_start else state
        state, more = _grown(state, lane, key, event, at)
        return state, (*drafts, *more)

    return case


def _chunk(medium: Medium) -> Case:
    def case(state: State, event: Event, at: str | None) -> Step:
        lane = lane_of(event)
        named = name(event.get("messageId"))
        key = _key(medium, event) if named else loose_key(state, lane, medium)
        drafts: Drafts = ()
        if key is None or find(state.lanes.get(lane, NOTHING_OPEN), key) is None:
            state, drafts = lane_closed(state, lane, at, loose_only=True)
            state, more = _opened(state, event, medium, at, loose=True)
            key, drafts = _key(medium, event), (*drafts, *more)
        state, more = _grown(state, lane, key, event, at)
        return state, (*drafts, *more)

    return case


def _end(medium: Medium) -> Case:
    def case(state: State, event: Event, at: str | None) -> Step:
        lane, key = lane_of(event), _key(medium, event)
        before = state.lanes.get(lane, NOTHING_OPEN)
        if find(before, key) is None:
            return count(state, f"end of a {medium} without a start"), ()
        fragments, drafts = completed(before, key, at)
        return with_lane(state, lane, fragments), placed(drafts, origin_of(state, lane))

    return case


def _span_start(state: State, event: Event, at: str | None) -> Step:
    """A span of reasoning holds messages and shows nothing itself."""
    return state, ()


def _span_end(state: State, event: Event, at: str | None) -> Step:
    """A span's end also ends a message of its name that nothing else ended."""
    lane, key = lane_of(event), _key("reasoning", event)
    fragments, drafts = completed(state.lanes.get(lane, NOTHING_OPEN), key, at)
    return with_lane(state, lane, fragments), placed(drafts, origin_of(state, lane))


def _encrypted(state: State, event: Event, at: str | None) -> Step:
    """An opaque artefact shows nothing, and comes when its message is already complete."""
    return state, ()


def _opened(state: State, event: Event, medium: Medium, at: str | None, *, loose: bool) -> Step:
    lane, role = lane_of(event), _role(medium, event)
    fragment = Fragment(
        key=_key(medium, event),
        kind="text" if medium == "text" else "thinking",
        role=role if medium == "text" else "assistant",
        started_at=at,
        loose=loose,
    )
    fragments, drafts = opened(state.lanes.get(lane, NOTHING_OPEN), fragment)
    state = mark_shown(state, role, text(event.get("messageId")))
    return with_lane(state, lane, fragments), placed(drafts, origin_of(state, lane))


def _grown(state: State, lane: str, key: str, event: Event, at: str | None) -> Step:
    before = state.lanes.get(lane, NOTHING_OPEN)
    fragments, drafts = grown(before, key, text(event.get("delta")), at)
    return with_lane(state, lane, fragments), placed(drafts, origin_of(state, lane))


def _key(medium: Medium, event: Event) -> str:
    return f"{medium} {text(event.get('messageId'))}"


def _role(medium: Medium, event: Event) -> str:
    return "reasoning" if medium == "reasoning" else name(event.get("role")) or "assistant"


STREAM_EVENTS: dict[str, Case] = {
    "TEXT_MESSAGE_START": _start("text"),
    "TEXT_MESSAGE_CONTENT": _content("text"),
    "TEXT_MESSAGE_END": _end("text"),
    "TEXT_MESSAGE_CHUNK": _chunk("text"),
    "REASONING_START": _span_start,
    "REASONING_MESSAGE_START": _start("reasoning"),
    "REASONING_MESSAGE_CONTENT": _content("reasoning"),
    "REASONING_MESSAGE_END": _end("reasoning"),
    "REASONING_MESSAGE_CHUNK": _chunk("reasoning"),
    "REASONING_END": _span_end,
    "REASONING_ENCRYPTED_VALUE": _encrypted,
    "THINKING_START": _span_start,
    "THINKING_CONTENT": _content("reasoning", needs_start=False),
    "THINKING_TEXT_MESSAGE_START": _start("reasoning"),
    "THINKING_TEXT_MESSAGE_CONTENT": _content("reasoning"),
    "THINKING_TEXT_MESSAGE_END": _end("reasoning"),
    "THINKING_END": _span_end,
}
