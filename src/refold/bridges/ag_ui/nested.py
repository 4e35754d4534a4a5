"""Nested sessions as AG-UI's subagent invocations.

Rules of this file:

- An invocation is told from the moment its session is bound (reducer.md rule 2), so that its start
  can name the call it belongs to. Until then nothing of it is shown.
- It ends with its card's output, or with the run. What comes later starts it again.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.bridges.ag_ui.beginnings import ended
from refold.bridges.ag_ui.lane import Events, Lane
from refold.bridges.ag_ui.state import Bridge, Step, lane_at, with_lane
from refold.bridges.ag_ui.words import Event, Place, call_id, event
from refold.items import Item, ToolCallItem
from refold.records import evolve
from refold.session import Session

__all__ = ["closing", "finished", "lane_finished", "spawning_calls", "started"]


def started(bridge: Bridge, place: Place, nested: Session, call_id: str | None) -> Step:
    """Tell that an invocation begins, unless it runs already.

    Args:
        bridge: what was told before.
        place: the nested session's.
        nested: the nested session.
        call_id: the call that spawned it, if it is known.
    """
    lane = lane_at(bridge, place)
    if lane.running:
        return bridge, ()
    bridge = with_lane(bridge, evolve(lane, running=True))
    return bridge, (_start(place, nested, call_id),)


def spawning_calls(place: Place, items: Iterable[Item | None]) -> dict[str, str]:
    """Return which calls spawned which nested sessions, as far as the items tell.

    Args:
        place: the session of the cards.
        items: cards and other items of it.
    """
    cards = [each for each in items if isinstance(each, ToolCallItem)]
    return {
        each.subagent_session_id: call_id(place, each)
        for each in cards
        if each.subagent_session_id is not None
    }


def finished(bridge: Bridge, place: Place, items: Iterable[Item | None]) -> Step:
    """End the invocations whose cards have their outputs.

    Args:
        bridge: what was told before.
        place: the session of the cards.
        items: cards and other items of it.
    """
    events: Events = ()
    for each in items:
        if isinstance(each, ToolCallItem) and each.output_complete and each.subagent_session_id:
            bridge, more = lane_finished(bridge, (*place, each.subagent_session_id))
            events += more
    return bridge, events


def lane_finished(bridge: Bridge, place: Place) -> Step:
    """End an invocation, and what it left open."""
    lane = lane_at(bridge, place)
    if not lane.running:
        return bridge, ()
    events: Events = ()
    left = lane.open
    for key, each in lane.open.items():
        events += closing(lane, key)
        left = left.put(key, evolve(each, cut=True))
    bridge = with_lane(bridge, evolve(lane, open=left, running=False))
    return bridge, (*events, event("SUBAGENT_FINISHED", place))


def closing(lane: Lane, key: str) -> Events:
    """End an item by its key, if it was begun and not ended."""
    found = lane.open.get(key)
    if found is None or found.cut:
        return ()
    is_complete = isinstance(found.item, ToolCallItem) and found.item.call_complete
    return () if is_complete else ended(lane.place, found.item)


def _start(place: Place, nested: Session, call_id: str | None) -> Event:
    title = nested.facts.get("title")
    named = None if nested.meta is None else nested.meta.agent_id
    return event(
        "SUBAGENT_STARTED",
        place,
        name=title if isinstance(title, str) and title else named or place[-1],
        parentSubagentRunId=place[-2] if len(place) > 1 else None,
        parentToolCallId=call_id,
    )
