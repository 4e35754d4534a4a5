"""What a front end was told of one session.

Rules of this file:

- Told items are numbered; an item that comes to rest behind one with a larger number stands in
  another order than it was told in, and that can't be said as a continuation.
"""

from __future__ import annotations

from typing import TypeAlias

from refold.bridges.ag_ui.words import Event, Place
from refold.items import Item
from refold.maps import EMPTY_MAP, Map
from refold.records import evolve, record

__all__ = ["Events", "Lane", "OpenItem", "Told", "at_rest", "has_open", "kept", "numbered"]


@record
class OpenItem:
    """An item that was begun and not ended, or that floats.

    Args:
        number: which told item of its session it is.
        item: the version told last.
        cut: its end was told because its run ended, yet it goes on; nothing more of it is told
            until it comes to rest, and then the whole conversation is.
    """

    number: int
    item: Item
    cut: bool = False


@record
class Lane:
    """What a front end was told of one session.

    Args:
        place: the session, as an origin chain.
        open: what it may still be told more of, by key.
        last: the number of the item told last.
        rested: the largest number of an item that came to rest.
        running: for a nested session: its start was told and its end wasn't.
    """

    place: Place = ()
    open: Map[OpenItem] = EMPTY_MAP
    last: int = 0
    rested: int = 0
    running: bool = False


Events: TypeAlias = tuple[Event, ...]
Told: TypeAlias = tuple[Lane, Events] | None


def has_open(lane: Lane) -> bool:
    """Tell whether something was begun whose end is still to be told."""
    return any(not each.cut for each in lane.open.values())


def numbered(lane: Lane, item: Item, *, is_open: bool, floats: bool) -> Lane:
    """Number an item that was told.

    Args:
        lane: what was told before.
        item: the item.
        is_open: it may still be told more of.
        floats: it streams behind all that is at rest. A card that is open and doesn't float stands
            somewhere before, so it is numbered in front of all: once its call has ended, the whole
            conversation is told.
    """
    number = lane.last + 1
    if not (is_open or floats):
        return evolve(lane, last=number, rested=number)
    opened = OpenItem(number=number if floats else 0, item=item)
    return evolve(lane, last=number, open=lane.open.put(item.key, opened))


def kept(lane: Lane, item: Item) -> Lane:
    """Remember the version of an open item that was told last."""
    found = lane.open.get(item.key)
    if found is None:
        return lane
    return evolve(lane, open=lane.open.put(item.key, evolve(found, item=item)))


def at_rest(lane: Lane, item: Item, events: Events) -> Told:
    """Close an open item that came to rest, or None if it stands in another order than told.

    Args:
        lane: what was told before.
        item: the item, which is open.
        events: what tells its rest.
    """
    found = lane.open[item.key]
    if found.cut or found.number < lane.rested:
        return None
    return evolve(lane, open=lane.open.without(item.key), rested=found.number), events
