"""AG-UI's runs around what is told of a session.

Rules of this file:

- A run is open while a task is. In a session without tasks it is open while a request is, or a
  nested session runs.
- A run ends with nothing left open: it waits for what streams in the main session, and ends what
  nested sessions left open.
"""

from __future__ import annotations

from typing import Any

from refold.bridges.ag_ui.lane import Events, has_open
from refold.bridges.ag_ui.nested import lane_finished
from refold.bridges.ag_ui.state import Bridge, Step, lane_at
from refold.items import TaskStatsItem
from refold.records import evolve
from refold.session import Session

__all__ = ["within_run"]

_VERSION = "1.0"


def within_run(bridge: Bridge, session: Session, events: Events) -> Step:
    """Put events into a run: begin one if none is open, end it if no task is.

    Args:
        bridge: what was told, the events included.
        session: the version they tell.
        events: the events.
    """
    begins: Events = ()
    works = _works(bridge, session)
    if (events or works) and not bridge.running:
        bridge = evolve(bridge, running=True, runs=bridge.runs + 1)
        begins = ({"type": "RUN_STARTED", **_names(bridge), "protocolVersion": _VERSION},)
    if not bridge.running or works:
        return bridge, (*begins, *events)
    bridge, ends = _finished(bridge, session)
    return bridge, (*begins, *events, *ends)


def _works(bridge: Bridge, session: Session) -> bool:
    if session.task_open or has_open(lane_at(bridge, ())):
        return True
    if session.task is not None:
        return False
    return session.requests.open or any(lane.running for lane in bridge.lanes.values())


def _finished(bridge: Bridge, session: Session) -> Step:
    events: Events = ()
    for lane in bridge.lanes.values():
        bridge, more = lane_finished(bridge, lane.place) if lane.place else (bridge, ())
        events += more
    end = {"type": "RUN_FINISHED", **_names(bridge), **_usage(session)}
    return evolve(bridge, running=False), (*events, end)


def _names(bridge: Bridge) -> dict[str, str]:
    return {"threadId": bridge.thread_id, "runId": f"{bridge.thread_id}:{bridge.runs}"}


def _usage(session: Session) -> dict[str, Any]:
    """Return the usage of the task that has just ended, if its row stands last."""
    last = session.items[-1] if len(session.items) else None
    if not isinstance(last, TaskStatsItem) or last.stats is None:
        return {}
    total, buckets = last.stats.tokens_delta, last.stats.tokens_by_bucket
    counts = {
        "inputTokens": max(0, total - buckets.output),
        "outputTokens": buckets.output,
        "totalTokens": total,
        "cachedInputTokens": buckets.cache_read,
    }
    return {"usage": [counts]}
