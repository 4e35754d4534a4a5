"""Folding streams in the ways the laws speak of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from refold.boundaries import PLAIN, advance, starts_task
from refold.folding import apply, idle
from refold.markers import steering_text
from refold.messages import CompactionBegin, McpConnectBegin, Message, RequestBegin, Text
from refold.session import Session
from refold.views import settled, to_json

__all__ = ["fold", "idle_places", "settled_json", "text_of", "untimed"]


def fold(
    messages: Iterable[Message],
    *,
    idles: Iterable[int] = (),
    session: Session | None = None,
    first_ms: int = 0,
) -> Session:
    """Apply messages one by one, the clock going on by 1 ms each.

    Args:
        messages: a stream.
        idles: indices of messages behind which the stream said that the task ended.
        session: where to go on from.
        first_ms: the clock at the first message.
    """
    resting = set(idles)
    session = Session() if session is None else session
    for index, message in enumerate(messages):
        session = apply(session, message, now_ms=first_ms + index)
        if index in resting:
            session = idle(session)
    return session


def settled_json(session: Session) -> dict[str, Any]:
    """Return the settled view as JSON."""
    return to_json(settled(session))


def text_of(session: Session) -> str:
    """Return the view as a JSON text."""
    return json.dumps(to_json(session))


def untimed(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return a view's JSON without what a trace without ``started_at`` can't tell (law 4)."""
    lost = ("started_at_ms", "arg_started_at_ms", "duration_ms")
    items = [
        {name: value for name, value in item.items() if name not in lost or _is_certain(item)}
        for item in view["items"]
    ]
    nested = {name: untimed(each) for name, each in view.get("subagents", {}).items()}
    return {**view, "items": items, **({"subagents": nested} if nested else {})}


def _is_certain(item: Mapping[str, Any]) -> bool:
    return item["kind"] not in ("thinking", "tool_call")


def idle_places(messages: Sequence[Message]) -> list[int]:
    """Return the indices behind which an idle changes nothing in the end (law 4)."""
    forbidden = _not_at_rest(messages)
    places, allowed = [], True
    for index in reversed(range(len(messages))):
        if allowed:
            places.append(index)
        if index in forbidden:
            allowed = forbidden[index]
    return places


def _not_at_rest(messages: Sequence[Message]) -> dict[int, bool]:
    """Return what decides over the stretch in front of it: True a task's start, False a begin."""
    decisive: dict[int, bool] = {}
    session, boundary = Session(), PLAIN
    for index, message in enumerate(messages):
        before, session = session, apply(session, message, now_ms=0)
        if message.origin:
            continue
        payload = message.payload
        if starts_task(boundary, payload) or _steers(before, payload):
            decisive[index] = True
        elif (
            isinstance(payload, RequestBegin | McpConnectBegin) and before.compacting is None
        ) or (isinstance(payload, CompactionBegin) and before.compacting is None and session.task):
            decisive[index] = False
        boundary = advance(boundary, payload)
    return decisive


def _steers(before: Session, payload: Any) -> bool:
    return (
        type(payload) is Text
        and payload.role == "user"
        and before.compacting is None
        and steering_text(payload.text) is not None
    )
