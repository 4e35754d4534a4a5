"""Approvals that wait for somebody, at any depth, and other questions about a tree of sessions.

Rules of this file (reducer.md rule 40):

- A pending approval's key is its origin chain, a space, and the call's id.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.items import ToolCallItem
from refold.reduce.cards import card_item
from refold.session import Session

__all__ = ["approval_key", "find_card", "is_auth_dead", "is_pending_below"]


def approval_key(origin: Iterable[str], tool_call_id: str) -> str:
    """Return the key of a pending approval.

    Args:
        origin: the ids of the sessions the call came through, outer to inner.
        tool_call_id: the call's id.
    """
    return f"{'/'.join(origin)} {tool_call_id}"


def is_pending_below(pending: Iterable[str], origin: Iterable[str]) -> bool:
    """Tell whether an approval waits in the session at an origin, or below it.

    Args:
        pending: keys of pending approvals.
        origin: the session's chain; empty for the main session.
    """
    chain = "/".join(origin)
    below = (f"{chain} ", f"{chain}/")
    return any(not chain or key.startswith(below) for key in pending)


def find_card(session: Session, origin: Iterable[str], tool_call_id: str) -> ToolCallItem | None:
    """Return the latest card of an id in the session at an origin, if there is one."""
    for session_id in origin:
        nested = session.subagents.get(session_id)
        if nested is None:
            return None
        session = nested
    card = session.calls.cards.get(tool_call_id)
    if card is None:
        return None
    return card_item(session, card)


def is_auth_dead(session: Session) -> bool:
    """Tell whether the model's credential failed, and none worked or was renewed since."""
    return session.last_auth_failure_ms is not None
