"""What one front end was told of a session and those below it.

Rules of this file:

- A bridge is a value: two front ends that connected at different times have two.
"""

from __future__ import annotations

from typing import TypeAlias

from refold.bridges.ag_ui.lane import Events, Lane
from refold.bridges.ag_ui.words import Place, path
from refold.maps import EMPTY_MAP, Map
from refold.records import evolve, record
from refold.session import Session

__all__ = ["Bridge", "Step", "lane_at", "with_lane"]


@record
class Bridge:
    """What one front end was told.

    Args:
        thread_id: the conversation's id, as the front end knows it.
        session: the version told last.
        lanes: what was told per session, by its path.
        runs: how many runs were begun.
        running: the last of them is open.
    """

    thread_id: str
    session: Session
    lanes: Map[Lane] = EMPTY_MAP
    runs: int = 0
    running: bool = False


Step: TypeAlias = tuple[Bridge, Events]


def lane_at(bridge: Bridge, place: Place) -> Lane:
    """Return what was told of a session."""
    found = bridge.lanes.get(path(place))
    return Lane(place=place) if found is None else found


def with_lane(bridge: Bridge, lane: Lane) -> Bridge:
    """Return the bridge with what was told of a session."""
    return evolve(bridge, lanes=bridge.lanes.put(path(lane.place), lane))
