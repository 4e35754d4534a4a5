"""Telling the whole conversation: to who connects, and where a continuation can't say it.

Rules of this file:

- A snapshot holds what is at rest, and what was begun and is still open, as it reads now. What
  streams and wasn't begun is begun behind the snapshot, so that it can grow.
- What was open and is over is ended behind the snapshot, gone or not: a front end counts.
"""

from __future__ import annotations

from typing import Any

from refold.bridges.ag_ui.beginnings import told
from refold.bridges.ag_ui.lane import Events, Lane
from refold.bridges.ag_ui.nested import closing, finished, spawning_calls, started
from refold.bridges.ag_ui.state import Bridge, Step, lane_at, with_lane
from refold.bridges.ag_ui.words import Place, call_has_ended, is_told, messages_of
from refold.items import Item, ToolCallItem
from refold.records import evolve
from refold.session import Session

__all__ = ["conversation", "told_whole"]


def conversation(session: Session) -> list[dict[str, Any]]:
    """Return a session, nested ones included, as AG-UI messages.

    Args:
        session: the version to show; what still streams in it is included as it reads now.
    """
    return _messages(None, (), session)


def told_whole(bridge: Bridge, session: Session) -> Step:
    """Tell a session from its beginning.

    Args:
        bridge: what was told before.
        session: the version to tell.
    """
    bridge, starts = _nested_started(bridge, (), session)
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": _messages(bridge, (), session)}
    bridge, events = _restarted(bridge, (), session)
    return bridge, (*starts, snapshot, *events)


def _messages(bridge: Bridge | None, place: Place, session: Session) -> list[dict[str, Any]]:
    """Return the messages of a session and those below it.

    Args:
        bridge: leave out what streams and isn't open there; None leaves nothing out.
        place: the session's.
        session: the session.
    """
    said: list[dict[str, Any]] = []
    for item, floats in _standing(session):
        begun = bridge is None or item.key in lane_at(bridge, place).open
        if is_told(item) and (begun or not _streams(item, floats=floats)):
            said += messages_of(place, item)
    for name, nested in session.subagents.items():
        if nested.binding is not None:
            said += _messages(bridge, (*place, name), nested)
    return said


def _nested_started(bridge: Bridge, place: Place, session: Session) -> Step:
    calls = spawning_calls(place, session.items) if session.subagents else {}
    events: Events = ()
    for name, nested in session.subagents.items():
        if nested.binding is not None:
            bridge, start = started(bridge, (*place, name), nested, calls.get(name))
            bridge, below = _nested_started(bridge, (*place, name), nested)
            events += (*start, *below)
    return bridge, events


def _restarted(bridge: Bridge, place: Place, session: Session) -> Step:
    """Go on behind a snapshot, in a session and those below it."""
    before = lane_at(bridge, place)
    lane, ends = _renumbered(before, session)
    lane, begins = _streaming_told(lane, session)
    bridge, events = with_lane(bridge, lane), (*ends, *begins)
    for name, nested in session.subagents.items():
        if nested.binding is not None:
            bridge, more = _restarted(bridge, (*place, name), nested)
            events += more
    bridge, over = finished(bridge, place, session.items if session.subagents else ())
    return bridge, (*events, *over)


def _renumbered(before: Lane, session: Session) -> tuple[Lane, Events]:
    """Number what the snapshot holds, and end what is over."""
    lane = Lane(place=before.place, running=before.running)
    for item, floats in _standing(session):
        number = lane.last + 1
        if not _streams(item, floats=floats):
            lane = evolve(lane, last=number, rested=number)
        elif item.key in before.open and is_told(item):
            found = evolve(before.open[item.key], number=number, item=item)
            lane = evolve(lane, last=number, open=lane.open.put(item.key, found))
    events: Events = ()
    for key in before.open:
        events += () if key in lane.open else closing(before, key)
    return lane, events


def _streaming_told(lane: Lane, session: Session) -> tuple[Lane, Events]:
    events: Events = ()
    for item, floats in _standing(session):
        if _streams(item, floats=floats) and item.key not in lane.open:
            lane, more = told(lane, item, floats=floats)
            events += more
    return lane, events


def _standing(session: Session) -> list[tuple[Item, bool]]:
    """Return the items in order, and whether each floats."""
    front = len(session.items) - len(session.floating)
    return [(item, index >= front) for index, item in enumerate(session.items)]


def _streams(item: Item, *, floats: bool) -> bool:
    if isinstance(item, ToolCallItem):
        return not call_has_ended(item, floats=floats)
    return floats
