"""A refold session for front ends that speak AG-UI (docs/reference/sources/ag-ui.md).

Begin with ``connect(session, thread_id)``, go on with ``advance(bridge, later_session)``, and send
the events of each.
"""

from refold.bridges.ag_ui.shared import OperationError, state_delta, state_snapshot
from refold.bridges.ag_ui.state import Bridge
from refold.bridges.ag_ui.step import advance, connect
from refold.bridges.ag_ui.whole import conversation

__all__ = [
    "Bridge",
    "OperationError",
    "advance",
    "connect",
    "conversation",
    "state_delta",
    "state_snapshot",
]
