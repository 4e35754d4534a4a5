"""One stream delivered in other ways: from the middle on, behind a history, twice, in windows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import attrs

from refold.folding import replay
from refold.laws.comparing import confirmed, timeless
from refold.live import HistoryLoaded, LiveTail, Received, connect, step
from refold.live.state import LiveState
from refold.messages import ImageUrl, Message, SessionMeta, Text
from refold.recording import record
from refold.session import Session
from refold.windows import close_window, prior_of, window
from tests.laws.folds import settled_json

__all__ = [
    "delivered",
    "fragments_at",
    "history_of",
    "is_unechoed",
    "known",
    "lagging",
    "once",
    "told",
    "windows_of",
]

Strand: TypeAlias = tuple[tuple[str, ...], str, str]

_BODIES = {
    "partial_text": "text",
    "partial_thinking": "thinking",
    "partial_tool_call": "arguments",
    "partial_tool_call_output": "output",
}


def once(messages: Iterable[Message]) -> list[Message]:
    """Leave out what comes twice, time included: law 6 says nothing of it."""
    return list(dict.fromkeys(messages))


def told(session: Session) -> dict[str, Any]:
    """Return what completes and events told, without when fragments began."""
    return timeless(confirmed(session))


def known(session: Session) -> dict[str, Any]:
    """Return all that is shown at rest, without when fragments began and who was heard last."""
    return _known(timeless(settled_json(session)))


def _known(view: dict[str, Any]) -> dict[str, Any]:
    nested = {
        name: _known(each) for name, each in view.get("subagents", {}).items() if "binding" in each
    }
    items = [each for each in view["items"] if each.get("session_id", "") in ("", *nested)]
    rest = {name: each for name, each in view.items() if name != "last_activity_ts_ms"}
    return {**rest, "items": items, "subagents": nested}


def history_of(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return what a trace of a stream holds."""
    return tuple(record(messages))


def delivered(
    stream: Iterable[tuple[int, Message]],
    history: HistoryLoaded,
    *,
    behind: int,
    ids: bool,
) -> LiveState:
    """Return a live session that got a stream, and a history in the middle of it.

    Args:
        stream: messages with their places in the stream.
        history: what the load answered.
        behind: how many messages came before it.
        ids: whether the messages have event ids.
    """
    state, _ = step(connect(), history) if behind == 0 else (connect(), ())
    for count, (place, message) in enumerate(stream, 1):
        event_id = f"e-{place}" if ids else None
        state, _ = step(state, Received(message=message, event_id=event_id, now_ms=place))
        if count == behind:
            state, _ = step(state, history)
    return state if state.phase == "live" else step(state, history)[0]


def is_unechoed(message: Message) -> bool:
    """Tell whether a history may hold a message that the stream never brought (law 6)."""
    payload = message.payload
    return isinstance(payload, SessionMeta | ImageUrl) or (
        type(payload) is Text and payload.role == "user"
    )


def lagging(messages: Sequence[Message], pick: Callable[[Sequence[Any]], Any]) -> list[int]:
    """Return the order of a stream that keeps each session's order and no other."""
    lanes: dict[tuple[str, ...], list[int]] = {}
    for index, message in enumerate(messages):
        lanes.setdefault(message.origin, []).append(index)
    order: list[int] = []
    while lanes:
        lane = pick(list(lanes))
        count = pick((1, 2, 3))
        order += lanes[lane][:count]
        lanes[lane] = lanes[lane][count:]
        if not lanes[lane]:
            del lanes[lane]
    return order


def fragments_at(messages: Iterable[Message]) -> tuple[Message, ...] | None:
    """Return what streams at the end of some messages; None if something waits for its complete."""
    streaming: dict[Strand, Message] = {}
    pending: set[Strand] = set()
    for message in messages:
        payload: Any = message.payload
        kind = payload.kind.removeprefix("partial_")
        strand = (message.origin, kind, getattr(payload, "tool_call_id", ""))
        if payload.kind not in _BODIES:
            pending.discard(strand)
        elif payload.event_type == "start":
            streaming[strand] = message
        else:
            streaming[strand] = _grown(streaming[strand], payload)
            if payload.event_type == "stop":
                del streaming[strand]
                pending.add(strand)
    return None if pending else tuple(streaming.values())


def _grown(fragment: Message, piece: Any) -> Message:
    body = _BODIES[piece.kind]
    before: Any = fragment.payload
    changes = {body: getattr(before, body) + getattr(piece, body)}
    if getattr(piece, "images", None) is not None:
        changes["images"] = piece.images
    return attrs.evolve(fragment, payload=attrs.evolve(before, **changes))


def live_tail(messages: Sequence[Message], cursor: int) -> LiveTail | None:
    """Return the tail a server sends when the stream has come to a place; None if it can't say."""
    fragments = fragments_at(messages[:cursor])
    if fragments is None:
        return None
    return LiveTail(cursor=f"e-{cursor - 1}", fragments=fragments)


def windows_of(trace: Sequence[Message], limits: Sequence[int]) -> list[Session]:
    """Return the sessions of a trace cut into windows, oldest first, each with its prior.

    Args:
        trace: a history.
        limits: the least size of each window, newest first; the last counts for all older ones.
    """
    starts = [len(trace)]
    while starts[0] > 0:
        limit = limits[min(len(starts), len(limits)) - 1]
        starts.insert(0, window(trace[: starts[0]], limit).start)
    return [_window(trace, begin, end) for begin, end in pairwise(starts)]


def _window(trace: Sequence[Message], begin: int, end: int) -> Session:
    prior = prior_of(close_window(replay(trace[:begin], now_ms=0))) if begin else None
    session = replay(trace[begin:end], now_ms=0, session=prior)
    return session if end == len(trace) else close_window(session)
