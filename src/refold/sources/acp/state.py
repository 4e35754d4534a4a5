"""All that is known of a log so far.

Rules of this file:

- The state is a value; ``on_session`` is the one way a record gets at a session, and what the
  session says is stamped there.
- Messages of one record are collected in ``out`` and taken by ``step``.
"""

from __future__ import annotations

from collections.abc import Callable

from refold.messages import Message
from refold.records import evolver, record
from refold.sources.acp.lanes import Lane
from refold.sources.acp.requests import NONE_ASKED, Asked
from refold.sources.acp.sessions import (
    NO_SESSIONS,
    Sessions,
    adopted,
    introduced,
    lane_of,
    with_lane,
)
from refold.sources.logs.lines import NO_LOG, Log
from refold.sources.logs.spots import Spot, stamped
from refold.sources.tally import NOTHING_COUNTED, Tally, counted

__all__ = ["FORMAT", "State", "drained", "on_session"]

FORMAT = "acp"


@record
class State:
    """A log so far.

    Args:
        log: an object whose lines are still coming.
        start_ms: when the log started, in Unix ms, if it says so.
        agent: the agent's name and version, as it introduced itself last.
        asked: requests that wait for their response.
        sessions: the sessions.
        tally: what was not understood.
        out: messages of the record at hand.
    """

    log: Log = NO_LOG
    start_ms: int | None = None
    agent: str = ""
    asked: Asked = NONE_ASKED
    sessions: Sessions = NO_SESSIONS
    tally: Tally = NOTHING_COUNTED
    out: tuple[Message, ...] = ()


_quiet = evolver(Lane, "said", "oddities")
_drained = evolver(State, "sessions", "tally", "out")
_with_sessions = evolver(State, "sessions")


def on_session(
    state: State,
    session: str | None,
    spot: Spot,
    take: Callable[[Lane], Lane],
    *,
    parent_call: str | None = None,
    setup: dict[str, str] | None = None,
) -> State:
    """Return the state with a session changed, introduced first if it is new.

    Args:
        state: the log so far.
        session: the session's id; None if the message names none.
        spot: where the record was.
        take: what to do with it.
        parent_call: the call of that session that a subagent's update names.
        setup: what it runs on, if the record says so.
    """
    sessions = adopted(state.sessions, session)
    if sessions is not state.sessions:
        state = _with_sessions(state, sessions)
    key, lane = lane_of(state.sessions, session, parent_call)
    if lane.id and (lane.meta is None or setup):
        _, call = state.sessions.parents.get(key, (None, parent_call))
        told = {"provider": state.agent, **(setup or {})}
        lane = introduced(lane, told, spot, parent_call=call)
    spoken_of = state.sessions.last if session is None else session
    return drained(state, key, take(lane), spoken_of)


def drained(state: State, key: str, lane: Lane, session: str) -> State:
    """Return the state with a session's lane put back and what it said taken out.

    Args:
        state: the log so far.
        key: the lane's key.
        lane: what it is now.
        session: the key of the session last spoken of.
    """
    said = stamped(lane.said, source=FORMAT, lane=lane.id or None, origin=lane.origin)
    tally = state.tally
    for oddity in lane.oddities:
        tally = counted(tally, oddity)
    quiet = _quiet(lane, (), ()) if lane.said or lane.oddities else lane
    sessions = with_lane(state.sessions, key, quiet, session)
    return _drained(state, sessions, tally, (*state.out, *said) if said else state.out)
