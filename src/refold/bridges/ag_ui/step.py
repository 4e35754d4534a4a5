"""From one version of a session to the next, in AG-UI events.

Rules of this file:

- ``connect`` tells a front end what there is, ``advance`` what changed since: pure functions of
  session versions. How many messages lie between two versions doesn't matter, and a step costs
  what changed.
- Every batch is valid where it stands; what can't be said as a continuation is a
  ``MESSAGES_SNAPSHOT`` of the whole conversation.
"""

from __future__ import annotations

from refold.bridges.ag_ui.continuations import told_changes
from refold.bridges.ag_ui.nested import finished, spawning_calls, started
from refold.bridges.ag_ui.runs import within_run
from refold.bridges.ag_ui.state import Bridge, Step, lane_at, with_lane
from refold.bridges.ag_ui.whole import told_whole
from refold.bridges.ag_ui.words import Place
from refold.changes import changed_names, item_changes
from refold.records import evolve
from refold.session import Session

__all__ = ["advance", "connect"]

_NOBODY = Session()


def connect(session: Session, thread_id: str) -> Step:
    """Begin to show a session: a run, the conversation so far, and what streams.

    Args:
        session: the version to start from.
        thread_id: the conversation's id, as the front end knows it.

    Returns:
        What ``advance`` goes on from, and the events to send.
    """
    bridge, events = told_whole(Bridge(thread_id=thread_id, session=session), session)
    return within_run(bridge, session, events)


def advance(bridge: Bridge, session: Session) -> Step:
    """Tell what changed.

    Args:
        bridge: what was told before.
        session: a later version.

    Returns:
        What to go on from, and the events to send; none if nothing changed that shows.
    """
    if session is bridge.session:
        return bridge, ()
    step = _continued(bridge, (), bridge.session, session)
    after, events = told_whole(bridge, session) if step is None else step
    return within_run(evolve(after, session=session), session, events)


def _continued(bridge: Bridge, place: Place, before: Session, after: Session) -> Step | None:
    """Tell what changed in a session and below it, or None if that is no continuation."""
    changes = item_changes(before.items, after.items)
    step = told_changes(lane_at(bridge, place), changes)
    if step is None:
        return None
    lane, events = step
    items = [each.after for each in changes]
    calls = spawning_calls(place, items)
    bridge = with_lane(bridge, lane)
    for name in changed_names(before.subagents, after.subagents):
        was, now = before.subagents.get(name, _NOBODY), after.subagents[name]
        below = _nested_continued(bridge, (*place, name), was, now, calls.get(name))
        if below is None:
            return None
        bridge, more = below
        events += more
    bridge, ends = finished(bridge, place, items)
    return bridge, (*events, *ends)


def _nested_continued(
    bridge: Bridge, place: Place, before: Session, after: Session, call_id: str | None
) -> Step | None:
    """Tell what changed in a nested session; one that isn't bound yet isn't shown."""
    if after.binding is None:
        return bridge, ()
    is_new = before.binding is None
    step = _continued(bridge, place, _NOBODY if is_new else before, after)
    if step is None or not (is_new or step[1]):
        return step
    told, events = step
    told, start = started(told, place, after, call_id)
    return told, (*start, *events)
