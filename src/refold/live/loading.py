"""Weaving a loaded history and what the stream brought meanwhile into one session.

Rules of this file (live.md rules 1-3):

- History first, re-anchored to the clocks; then the buffer, with what the history holds removed.
- A live tail's fragments go in where its cursor parts the buffer (``tails``).
- What this client decided or renewed is not undone by a history that doesn't know of it.
- At rest only if the last thing the stream said is that nothing runs.
"""

from __future__ import annotations

from refold.folding import credentials_updated, idle, register_decision, replay
from refold.live.inputs import HistoryLoaded
from refold.live.receiving import receive
from refold.live.state import Buffered, LiveState
from refold.live.tails import lag_of, parted, with_fragments
from refold.maps import Map
from refold.overlap import overlap_of
from refold.records import evolve
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
    lag = lag_of(loaded, state.epoch)
    front, behind = (list(state.buffer), []) if lag is None else parted(state.buffer, lag)
    state = evolve(
        state,
        phase="live",
        session=session,
        error=None,
        buffer=EMPTY_VECTOR,
        overlap=overlap_of(loaded.messages),
        ahead=frozenset(),
        lag=None,
    )
    state = _forgiven(_received(state, front))
    if lag is not None:
        lag = evolve(lag, session=state.session)
        state = evolve(state, session=with_fragments(state.session, lag))
    state = _forgiven(_received(state, behind))
    if state.running is False:
        return evolve(state, session=idle(state.session))
    return state if behind else evolve(state, lag=lag)


def _forgiven(state: LiveState) -> LiveState:
    """Forget a failed credential that the history tells of and that was renewed since."""
    failed_ms, forgiven_ms = state.session.last_auth_failure_ms, state.forgiven_ms
    if failed_ms is None or forgiven_ms is None or failed_ms > forgiven_ms:
        return state
    return evolve(state, session=credentials_updated(state.session), forgiven_ms=failed_ms)


def _received(state: LiveState, buffered: list[Buffered]) -> LiveState:
    for each in buffered:
        state = receive(state, each, behind_load=False)
    return state


def decided(session: Session, decisions: Map[bool]) -> Session:
    """Return a session that knows of the decisions made on this client."""
    for tool_call_id in decisions:
        session = register_decision(session, tool_call_id)
    return session
