"""One lane's deliveries in order, between its cursor and the host.

Rules of this file (sources/claude-code.md 4.6, 6.3, G2):

- What a read gave waits as one window. Its items go one by one; one that isn't due blocks those
  behind it.
- An item that is done, in whatever way, is handled: it isn't sent again if the window is read again.
- The cursor moves only when all of its window is handled. So a crash reads the window again, and
  only what is still to do is done.
- Giving up is loud: a dead letter where that matters, and a failure that names the item's turn.
"""

from __future__ import annotations

from typing import TypeAlias

from refold.json_values import Json
from refold.policies import cursors
from refold.policies.cursors import Cursor
from refold.policies.delivery import (
    ITEM,
    Attempts,
    DeadLetter,
    Delivered,
    Dropped,
    Outcome,
    Retry,
    Rules,
    Skipped,
    decided,
    is_due,
)
from refold.records import evolve, record

__all__ = ["Effect", "GaveUp", "Item", "Outbox", "Window", "offered", "ready", "settled"]


@record
class Item:
    """Something to deliver.

    Args:
        id: its stable id: the same whenever its record is read.
        session_id: the host session it is for.
        event_type: what kind of thing it is.
        payload: the thing.
        turn: the turn it belongs to, if known.
    """

    id: str
    session_id: str
    event_type: str
    payload: Json
    turn: str | None = None


@record
class Window:
    """What one read of the file gave.

    Args:
        items: in order.
        behind: the cursor behind it, without what was handled since.
    """

    items: tuple[Item, ...]
    behind: Cursor


@record
class GaveUp:
    """An item was given up: its session has failed.

    Args:
        session_id: the host session.
        reason: why, in words.
        turn: the turn that ends with it.
    """

    session_id: str
    reason: str
    turn: str | None = None


Effect: TypeAlias = DeadLetter | GaveUp


@record
class Outbox:
    """A lane's cursor and what waits in front of it.

    Args:
        cursor: behind the last window that is wholly handled; its handled ids are up to date.
        window: the one being delivered, if any.
        at: which of its items is next.
        attempts: what was tried for that item.
        rules: how this lane's deliveries are treated.
    """

    cursor: Cursor
    window: Window | None = None
    at: int = 0
    attempts: Attempts = Attempts()
    rules: Rules = ITEM


def offered(outbox: Outbox, window: Window) -> Outbox:
    """Return the outbox with what a read gave.

    Args:
        outbox: one with nothing waiting; else the window is ignored, for it is read again.
        window: from the outbox's cursor on.
    """
    if outbox.window is not None:
        return outbox
    by_id = {each.id: each for each in reversed(window.items)}
    items = tuple(by_id[each] for each in cursors.fresh(outbox.cursor, map(_id, window.items)))
    return _emptied(evolve(outbox, window=evolve(window, items=items), at=0))


def ready(outbox: Outbox, now_ms: int) -> Item | None:
    """Return the item to send now, or None if nothing waits or nothing is due.

    Args:
        outbox: the outbox.
        now_ms: the caller's clock, in Unix ms.
    """
    if outbox.window is None or not is_due(outbox.attempts, now_ms):
        return None
    return outbox.window.items[outbox.at]


def settled(
    outbox: Outbox,
    outcome: Outcome,
    *,
    now_ms: int,
    status: int | None = None,
    retry_after_ms: int | None = None,
) -> tuple[Outbox, tuple[Effect, ...]]:
    """Take the outcome of sending the item that was ready; return what the host must do.

    Args:
        outbox: the outbox that gave the item.
        outcome: how it went (``delivery.classified``).
        now_ms: the caller's clock, in Unix ms.
        status: the answer's HTTP status, for the dead letter.
        retry_after_ms: how long the host asked to wait, in ms.
    """
    if outbox.window is None:
        return outbox, ()
    item = outbox.window.items[outbox.at]
    attempts, decision = decided(
        outbox.attempts, outcome, outbox.rules, now_ms=now_ms, retry_after_ms=retry_after_ms
    )
    after = evolve(outbox, attempts=attempts)
    match decision:
        case Retry():
            return after, ()
        case Dropped():
            return _done(after, item), _given_up(item, decision, now_ms, status)
        case Delivered() | Skipped():
            return _done(after, item), ()


def _id(item: Item) -> str:
    return item.id


def _done(outbox: Outbox, item: Item) -> Outbox:
    # A window keeps all its ids, however long it is: read again, its head must not be sent again.
    most = cursors.MOST_HANDLED + outbox.at + 1
    cursor = evolve(outbox.cursor, handled=(*outbox.cursor.handled, item.id)[-most:])
    return _emptied(evolve(outbox, cursor=cursor, at=outbox.at + 1))


def _emptied(outbox: Outbox) -> Outbox:
    window = outbox.window
    if window is None or outbox.at < len(window.items):
        return outbox
    cursor = evolve(window.behind, handled=outbox.cursor.handled[-cursors.MOST_HANDLED :])
    return evolve(outbox, cursor=cursor, window=None, at=0)


def _given_up(item: Item, decision: Dropped, now_ms: int, status: int | None) -> tuple[Effect, ...]:
    gave_up = GaveUp(
        session_id=item.session_id, reason=f"{item.id}: {decision.reason}", turn=item.turn
    )
    if not decision.dead_letter:
        return (gave_up,)
    letter = DeadLetter(
        at_ms=now_ms,
        session_id=item.session_id,
        event_type=item.event_type,
        payload=item.payload,
        reason=decision.reason,
        status=status,
    )
    return letter, gave_up
