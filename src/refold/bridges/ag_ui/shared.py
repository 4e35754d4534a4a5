"""A session's view as AG-UI's shared state.

Rules of this file:

- A snapshot is the view's JSON; a delta carries the RFC 6902 operations of a diff between two
  views' JSON. The diff is made elsewhere and given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refold.bridges.ag_ui.words import Event
from refold.errors import RefoldError, shorten
from refold.session import Session
from refold.views import View, to_json

__all__ = ["OperationError", "state_delta", "state_snapshot"]

_OPERATIONS = ("add", "remove", "replace", "move", "copy", "test")


class OperationError(RefoldError):
    """A patch operation that AG-UI's state deltas can't carry."""


def state_snapshot(session: Session | View) -> Event:
    """Return a session's view as shared state.

    Args:
        session: a session or a view.
    """
    return {"type": "STATE_SNAPSHOT", "snapshot": to_json(session)}


def state_delta(operations: Sequence[dict[str, Any]]) -> Event:
    """Return a change of the view as a change of shared state.

    Args:
        operations: the pure RFC 6902 form of a diff between two views' JSON.

    Raises:
        OperationError: an operation is none of RFC 6902's, such as ``append``.
    """
    for index, each in enumerate(operations):
        kind = each.get("op")
        if kind not in _OPERATIONS:
            raise OperationError(
                f"expected an operation of RFC 6902 at $[{index}].op, got {shorten(kind)}; "
                "make the diff with pure=True"
            )
    return {"type": "STATE_DELTA", "delta": list(operations)}
