"""The machine: a state and an input give the next state and effects.

Rules of this file (live.md "Behaviour"):

- One table from input to case; a test proves that it covers the union.
- A case returns the next state. What changed for the outside is told by comparing the two, so no
  case can forget an effect or tell one too many; only loads are asked for by the case itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.folding import credentials_updated, idle, register_decision, replay
from refold.live.effects import (
    Effect,
    LoadHistory,
    LoadOlder,
    PendingChanged,
    RunningChanged,
    ViewChanged,
)
from refold.live.event_ids import parse_event_id
from refold.live.inputs import (
    ApprovalRequested,
    CredentialsUpdated,
    HistoryFailed,
    HistoryLoaded,
    Input,
    LocalDecision,
    OlderFailed,
    OlderLoaded,
    OlderWanted,
    Received,
    ResyncRequired,
    RetryWanted,
    TaskState,
)
from refold.live.loading import decided, load
from refold.live.receiving import decide, receive_behind_load, request
from refold.live.state import EVER, Buffered, LiveState
from refold.messages import Message, RequestEnd
from refold.records import evolve, evolver
from refold.sequels import EMPTY_SEQUEL
from refold.session import Session
from refold.vectors import EMPTY_VECTOR
from refold.windows import close_window

__all__ = ["CASES", "connect", "step"]

_numbered = evolver(LiveState, "epoch", "greatest")

Outcome: TypeAlias = tuple[LiveState, tuple[Effect, ...]]
Case: TypeAlias = Callable[[LiveState, Any], Outcome]


def connect() -> LiveState:
    """Return a live session before anything has come; its history is to be loaded (round 0)."""
    return LiveState()


def step(state: LiveState, happened: Input) -> Outcome:
    """Return the state behind an input, and what the caller must do.

    Args:
        state: the state in front of it.
        happened: the input.
    """
    after, effects = CASES[type(happened)](state, happened)
    if after is state:
        return state, effects
    changes: list[Effect] = []
    if after.session is not state.session or after.older is not state.older:
        changes.append(ViewChanged())
    if after.pending is not state.pending:
        changes.append(PendingChanged())
    if after.running is not state.running:
        changes.append(RunningChanged(running=bool(after.running)))
    return after, (*changes, *effects)


# --- the stream -----------------------------------------------------------------------------------


def _received(state: LiveState, happened: Received) -> Outcome:
    state, again = _delivered(state, happened)
    return (state if again else _taken(_noted(state, happened.message), happened)), ()


def _noted(state: LiveState, message: Message) -> LiveState:
    """Note at once what doesn't wait for a history: a decision, and that a credential failed."""
    payload = message.payload
    if type(payload) is RequestEnd and payload.status == "auth" and not message.origin:
        return evolve(state, forgiven_ms=None)
    return decide(state, message)


def _approval_requested(state: LiveState, happened: ApprovalRequested) -> Outcome:
    state, again = _delivered(state, happened)
    return (state if again else _taken(request(state, happened), happened)), ()


def _taken(state: LiveState, happened: Buffered) -> LiveState:
    if state.phase == "live":
        return receive_behind_load(state, happened)
    return evolve(state, buffer=state.buffer.append(happened))


def _delivered(state: LiveState, happened: Buffered) -> tuple[LiveState, bool]:
    """Note an event id; tell whether it was delivered before (rule 1)."""
    event_id = parse_event_id(happened.event_id)
    if event_id is None:
        return state, False
    if event_id.epoch == state.epoch and event_id.seq <= state.greatest:
        return evolve(state, redelivered=state.redelivered + 1), True
    return _numbered(state, event_id.epoch, event_id.seq), False


def _task_state(state: LiveState, happened: TaskState) -> Outcome:
    running = happened.state == "running"
    if state.phase == "live" and not running:
        state = evolve(state, session=idle(state.session), lag=None)
    return evolve(state, running=running), ()


def _resync_required(state: LiveState, happened: ResyncRequired) -> Outcome:
    return _reload(evolve(state, buffer=EMPTY_VECTOR, pending=EMPTY_SEQUEL), whole=False)


def _reload(state: LiveState, *, whole: bool) -> Outcome:
    """Begin another round of loading; what is visible stays (rule 4)."""
    number = state.round + 1
    state = evolve(
        state, phase="loading", round=number, whole=whole, loading_older=False, error=None
    )
    return state, (LoadHistory(round=number, whole=whole),)


# --- the history ----------------------------------------------------------------------------------


def _history_loaded(state: LiveState, happened: HistoryLoaded) -> Outcome:
    if state.phase == "live" or happened.round not in (None, state.round):
        return state, ()
    before = happened.page.before
    keeps = bool(state.older) and before is not None and before == state.tail
    if state.older and before is not None and not keeps and not state.whole:
        return _reload(state, whole=True)
    state = load(state, happened)
    return evolve(
        state,
        tail=before,
        older=state.older if keeps else (),
        cursor=state.cursor if keeps else before,
        loading_older=False,
    ), ()


def _history_failed(state: LiveState, happened: HistoryFailed) -> Outcome:
    if state.phase == "live" or happened.round not in (None, state.round):
        return state, ()
    return evolve(state, phase="failed", error=happened.error), ()


def _retry_wanted(state: LiveState, happened: RetryWanted) -> Outcome:
    return _reload(state, whole=False) if state.phase == "failed" else (state, ())


# --- older pages ----------------------------------------------------------------------------------


def _older_wanted(state: LiveState, happened: OlderWanted) -> Outcome:
    if state.phase != "live" or state.cursor is None or state.loading_older:
        return state, ()
    effect = LoadOlder(cursor=state.cursor, round=state.round)
    return evolve(state, loading_older=True), (effect,)


def _older_loaded(state: LiveState, happened: OlderLoaded) -> Outcome:
    if not state.loading_older or happened.round not in (None, state.round):
        return state, ()
    session = decided(happened.page.prior or Session(), state.decisions)
    session = replay(happened.messages, now_ms=happened.now_ms, session=session)
    return evolve(
        state,
        older=(close_window(session), *state.older),
        cursor=happened.page.before,
        loading_older=False,
    ), ()


def _older_failed(state: LiveState, happened: OlderFailed) -> Outcome:
    if not state.loading_older or happened.round not in (None, state.round):
        return state, ()
    return evolve(state, loading_older=False), ()


# --- this client ----------------------------------------------------------------------------------


def _credentials_updated(state: LiveState, happened: CredentialsUpdated) -> Outcome:
    failed_ms = state.session.last_auth_failure_ms
    if state.phase != "live":
        state = evolve(state, forgiven_ms=EVER)
    elif failed_ms is not None:
        state = evolve(state, forgiven_ms=failed_ms)
    return _told(state, credentials_updated), ()


def _local_decision(state: LiveState, happened: LocalDecision) -> Outcome:
    decisions = state.decisions.put(happened.tool_call_id, True)
    state = _told(state, lambda session: register_decision(session, happened.tool_call_id))
    return evolve(state, decisions=decisions), ()


def _told(state: LiveState, tell: Callable[[Session], Session]) -> LiveState:
    """Tell the session, and the one kept until the stream passes a live tail."""
    session, lag = tell(state.session), state.lag
    if lag is not None:
        return evolve(state, session=session, lag=evolve(lag, session=tell(lag.session)))
    return state if session is state.session else evolve(state, session=session)


CASES: dict[type[Any], Case] = {
    Received: _received,
    ApprovalRequested: _approval_requested,
    TaskState: _task_state,
    ResyncRequired: _resync_required,
    HistoryLoaded: _history_loaded,
    HistoryFailed: _history_failed,
    RetryWanted: _retry_wanted,
    OlderWanted: _older_wanted,
    OlderLoaded: _older_loaded,
    OlderFailed: _older_failed,
    CredentialsUpdated: _credentials_updated,
    LocalDecision: _local_decision,
}
