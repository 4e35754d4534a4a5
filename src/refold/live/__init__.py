"""The live session: a history and a stream, one view (live.md).

``connect()`` gives the first state; ``step(state, input)`` gives the next and the effects that the
caller must carry out. Nothing here reads a clock, opens a connection or waits.
"""

from refold.live.effects import (
    Effect,
    LoadHistory,
    LoadOlder,
    PendingChanged,
    RunningChanged,
    ViewChanged,
)
from refold.live.inputs import (
    ApprovalRequested,
    CredentialsUpdated,
    HistoryFailed,
    HistoryLoaded,
    Input,
    LiveTail,
    LocalDecision,
    OlderFailed,
    OlderLoaded,
    OlderWanted,
    Page,
    Received,
    ResyncRequired,
    RetryWanted,
    TaskState,
)
from refold.live.machine import connect, step
from refold.live.pending import approval_key, find_card, is_auth_dead, is_pending_below
from refold.live.state import LiveState

__all__ = [
    "ApprovalRequested",
    "CredentialsUpdated",
    "Effect",
    "HistoryFailed",
    "HistoryLoaded",
    "Input",
    "LiveState",
    "LiveTail",
    "LoadHistory",
    "LoadOlder",
    "LocalDecision",
    "OlderFailed",
    "OlderLoaded",
    "OlderWanted",
    "Page",
    "PendingChanged",
    "Received",
    "ResyncRequired",
    "RetryWanted",
    "RunningChanged",
    "TaskState",
    "ViewChanged",
    "approval_key",
    "connect",
    "find_card",
    "is_auth_dead",
    "is_pending_below",
    "step",
]
