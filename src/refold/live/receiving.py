"""One message from the stream into a session whose history is in.

Rules of this file (live.md rules 1 and 6):

- What the history holds is absorbed, and takes with it what streamed for it.
- What a live tail's fragments hold already is dropped; what comes before them goes in before them.
- A request for approval whose card is missing brings the card; the equal call that follows is
  absorbed. A decision, absorbed or not, ends the request.
"""

from __future__ import annotations

from refold.folding import absorb, apply
from refold.live.inputs import ApprovalRequested
from refold.live.pending import approval_key, find_card
from refold.live.state import Buffered, LiveState
from refold.live.tails import is_covered, is_piece_of, with_fragments
from refold.messages import ApprovalDecision, Message, ToolCall
from refold.overlap import absorbed
from refold.records import evolve, evolver

__all__ = ["decide", "receive", "receive_behind_load", "request"]

_grown = evolver(LiveState, "overlap", "session")


def receive(state: LiveState, each: Buffered, *, behind_load: bool) -> LiveState:
    """Return the state behind something the stream brought.

    Args:
        state: a live session whose history is in.
        each: a message, or a request for approval.
        behind_load: it came after the history did.
    """
    if type(each) is ApprovalRequested:
        return _show_card(state, each)
    message = each.message
    if state.ahead and message in state.ahead:
        return evolve(
            state,
            ahead=state.ahead - {message},
            session=absorb(state.session, message, behind_load=behind_load),
        )
    overlap, is_absorbed = absorbed(state.overlap, message)
    if is_absorbed:
        session = absorb(state.session, message, behind_load=behind_load)
    else:
        session = apply(state.session, message, now_ms=each.now_ms)
    return _grown(state, overlap, session)


def receive_behind_load(state: LiveState, each: Buffered) -> LiveState:
    """Return the state behind something that came live; it may still belong before a live tail.

    Args:
        state: a live session.
        each: a message, or a request for approval.
    """
    lag = state.lag
    if lag is None or not is_covered(each, lag.cursor):
        state = state if lag is None else evolve(state, lag=None)
        return receive(state, each, behind_load=True)
    if is_piece_of(each, lag.fragments):
        return state
    state = receive(evolve(state, session=lag.session), each, behind_load=True)
    lag = evolve(lag, session=state.session)
    return evolve(state, session=with_fragments(lag.session, lag), lag=lag)


def request(state: LiveState, requested: ApprovalRequested) -> LiveState:
    """Return the state with an approval pending (rule 6)."""
    payload = requested.message.payload
    if type(payload) is not ToolCall:
        return state
    key = approval_key(requested.message.origin, payload.tool_call_id)
    return evolve(state, pending=state.pending.put(key, requested.message))


def decide(state: LiveState, message: Message) -> LiveState:
    """Return the state without the request that a decision answers."""
    payload = message.payload
    if type(payload) is not ApprovalDecision or not state.pending:
        return state
    key = approval_key(message.origin, payload.tool_call_id)
    if key not in state.pending:
        return state
    return evolve(state, pending=state.pending.without(key))


def _show_card(state: LiveState, requested: ApprovalRequested) -> LiveState:
    message = requested.message
    payload = message.payload
    if type(payload) is not ToolCall:
        return state
    card = find_card(state.session, message.origin, payload.tool_call_id)
    if card is not None and card.call_complete:
        return state
    return evolve(
        state,
        ahead=state.ahead | {message},
        session=apply(state.session, message, now_ms=requested.now_ms),
    )
