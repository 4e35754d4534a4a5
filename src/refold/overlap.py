"""Which live messages a history holds already.

Rules of this file (reducer.md rules 38 and 40):

- Identity is a message's envelope without transport extras: two equal messages are one identity.
- The index is a multiset per session (origin chain): a history message absorbs one live one at most,
  the first equal one behind the last absorbed, else, if its time is known, an earlier one.
- At the first complete, event or session_meta of a session that isn't absorbed, its overlap is over.
- Partials are never duplicates.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from refold.maps import EMPTY_MAP, Map
from refold.messages import Message
from refold.records import evolver, record
from refold.reduce.cases import role_of
from refold.times import parse_ms

__all__ = ["EMPTY_OVERLAP", "Overlap", "absorbed", "is_duplicate", "overlap_of"]


@record
class Overlap:
    """The history's messages that may still come live.

    Args:
        positions: where the history holds a message, ascending; never changed.
        taken: a bit for each position that has absorbed a live message.
        last: the position absorbed last, by session.
        over: sessions whose overlap is over.
    """

    positions: Mapping[Message, tuple[int, ...]]
    taken: int = 0
    last: Map[int] = EMPTY_MAP
    over: Map[bool] = EMPTY_MAP


EMPTY_OVERLAP = Overlap(positions=MappingProxyType({}))

_taken = evolver(Overlap, "taken", "last")
_over = evolver(Overlap, "over")


def overlap_of(history: Iterable[Message], last: int | None = None) -> Overlap:
    """Return the index of a history.

    Args:
        history: its messages, in order.
        last: how many from the end to index; all if left out.
    """
    positions: dict[Message, list[int]] = {}
    for position, message in enumerate(deque(history, last)):
        if role_of(message.payload) != "partial":
            positions.setdefault(message, []).append(position)
    frozen = {message: tuple(each) for message, each in positions.items()}
    return Overlap(positions=MappingProxyType(frozen))


def is_duplicate(overlap: Overlap, message: Message) -> bool:
    """Tell whether the history holds an equal message that has absorbed none yet."""
    return _position(overlap, message) is not None


def absorbed(overlap: Overlap, message: Message) -> tuple[Overlap, bool]:
    """Return the index behind a live message, and whether the history absorbs it.

    Args:
        overlap: the index in front of it.
        message: a live message.
    """
    role = role_of(message.payload)
    if role == "partial" or not overlap.positions:
        return overlap, False
    session = _session(message)
    if session in overlap.over:
        return overlap, False
    position = _position(overlap, message)
    if position is not None:
        last = overlap.last.put(session, position)
        return _taken(overlap, overlap.taken | 1 << position, last), True
    if role == "unknown":
        return overlap, False
    return _over(overlap, overlap.over.put(session, True)), False


def _session(message: Message) -> str:
    """Return a name that no other session has: each id with its length in front."""
    return "".join([f"{len(each)}:{each}" for each in message.origin])


def _position(overlap: Overlap, message: Message) -> int | None:
    positions = overlap.positions.get(message)
    if positions is None:
        return None
    behind = positions[bisect_right(positions, overlap.last.get(_session(message), -1)) :]
    for position in behind:
        if not overlap.taken >> position & 1:
            return position
    if parse_ms(message.timestamp) is None:
        return None
    return next((each for each in positions if not overlap.taken >> each & 1), None)
