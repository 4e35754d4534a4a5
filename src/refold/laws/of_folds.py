"""The laws of one fold: 1-5, 8 and 9.

Rules of this file (laws.md):

- A check reads any list of messages and never raises because of them.
- On long lists versions are kept and compared at a few dozen places, not at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from refold.checkpoints import dumps, loads
from refold.folding import apply, replay
from refold.items import Item
from refold.laws.broken import first_difference
from refold.laws.comparing import confirmed, timeless
from refold.laws.streaming import rechunked, streamed
from refold.maps import EMPTY_MAP
from refold.messages import Message
from refold.recording import record
from refold.records import evolve
from refold.reduce.cases import reduce_as_nested
from refold.reduce.nesting import born
from refold.session import Session, freeze_session
from refold.views import settled, to_json

__all__ = [
    "checkpoints_carry_everything",
    "chunks_dont_matter",
    "is_deterministic",
    "is_total",
    "live_is_replay",
    "nesting_is_the_same_fold",
    "versions_share",
]

_PLACES = 24
_PIECE = 7


def is_deterministic(messages: Sequence[Message]) -> str | None:
    """Law 1: folding twice gives equal sessions and byte-equal JSON."""
    one, other = _fold(messages), _fold(messages)
    if one != other:
        return (
            first_difference(to_json(one), to_json(other)) or "sessions differ in what they carry"
        )
    return None if _text(one) == _text(other) else "the same session gives two JSON texts"


def versions_share(messages: Sequence[Message]) -> str | None:
    """Law 2: older versions stay as they were, and unchanged items are the same objects."""
    kept: list[tuple[int, Session, str]] = []
    session = Session()
    for index, message in enumerate(messages):
        if _is_place(index, len(messages)):
            kept.append((index, session, _text(session)))
        after = apply(session, message, now_ms=index)
        if _is_place(index, len(messages)):
            copied = _copied(session, after)
            if len(copied) > 1:
                return f"message {index} copied items {copied}, and it concerns one at most"
        session = after
    for index, version, text in kept:
        if _text(version) != text:
            return f"the version in front of message {index} changed afterwards"
    return None


def is_total(messages: Sequence[Message]) -> str | None:
    """Law 3: no sequence of messages makes ``apply`` raise."""
    session = Session()
    for index, message in enumerate(messages):
        try:
            session = apply(session, message, now_ms=index)
        except Exception as error:  # noqa: BLE001 - the law is that there is none
            return f"message {index} raised {error!r}"
    keys = [item.key for item in session.items]
    return None if len(keys) == len(set(keys)) else "two items have one key"


def live_is_replay(messages: Sequence[Message]) -> str | None:
    """Law 4: a live stream and its recorded trace settle in the same view.

    What no complete or event has confirmed is left out: it is not in a trace.
    """
    trace = replay(record(messages), now_ms=0)
    return first_difference(confirmed(_fold(messages)), confirmed(trace))


def chunks_dont_matter(messages: Sequence[Message]) -> str | None:
    """Law 5: how a text is cut into deltas changes nothing once it stops."""
    trace = list(record(messages))
    plain = to_json(settled(replay(trace, now_ms=0)))
    for size in (1, _PIECE, 1 << 30):
        live = _fold(streamed(trace, size))
        found = first_difference(timeless(plain), timeless(to_json(settled(live))))
        if found:
            return f"streamed in pieces of {size}: {found}"
    whole = to_json(settled(_fold(messages)))
    return first_difference(whole, to_json(settled(_fold(rechunked(messages, 1)))))


def nesting_is_the_same_fold(messages: Sequence[Message]) -> str | None:
    """Law 8: a nested session is the fold of its own messages."""
    session = _fold(messages)
    for name, nested in session.subagents.items():
        child = None
        for index, message in enumerate(messages):
            if message.origin[:1] == (name,):
                child = born(index) if child is None else child
                stripped = evolve(message, origin=message.origin[1:])
                reduce_as_nested(child, stripped, index, EMPTY_MAP, 0)
        assert child is not None
        alone, inside = to_json(freeze_session(child)), to_json(nested)
        inside.pop("binding", None)
        found = first_difference(inside, alone)
        if found:
            return f"session {name}: {found}"
    return None


def checkpoints_carry_everything(messages: Sequence[Message]) -> str | None:
    """Law 9: a session loaded from its checkpoint is equal, and goes on as it would."""
    whole = _fold(messages)
    session = Session()
    for index, message in enumerate(messages):
        if _is_place(index, len(messages)):
            loaded = loads(dumps(session))
            if loaded != session:
                return f"in front of message {index}: the loaded session isn't equal"
            session = loaded
        session = apply(session, message, now_ms=index)
    return None if session == whole else "a session that went on from a checkpoint isn't equal"


# --- what is compared -----------------------------------------------------------------------------


def _fold(messages: Iterable[Message]) -> Session:
    session = Session()
    for index, message in enumerate(messages):
        session = apply(session, message, now_ms=index)
    return session


def _text(session: Session) -> str:
    return json.dumps(to_json(session))


def _is_place(index: int, length: int) -> bool:
    return index % max(1, length // _PLACES) == 0 or index == length - 1


def _copied(before: Session, after: Session) -> list[str]:
    """Return the keys of items that two versions hold equal but not as one object."""
    old: dict[str, Item] = {item.key: item for item in before.items}
    return [
        item.key
        for item in after.items
        if item is not old.get(item.key) and item == old.get(item.key)
    ]
