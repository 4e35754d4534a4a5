"""Reading the bridge's events as a front end does: their shapes, their order, and what they show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ag_ui.core import Event as PublishedEvent
from pydantic import TypeAdapter

from refold import Session, apply, finalize, replay
from refold.bridges.ag_ui import advance, connect, conversation
from refold.bridges.ag_ui.words import Place, call_id, message_id
from refold.items import (
    AssistantTextItem,
    Item,
    ThinkingItem,
    ToolCallItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.messages import Message
from refold.sources.ag_ui import SOURCE
from refold.sources.source import Record

Event = dict[str, Any]

_ADAPTER: TypeAdapter[Any] = TypeAdapter(PublishedEvent)


def told(
    messages: Iterable[Message], *, since: Session | None = None
) -> tuple[Session, list[Event]]:
    """Return the finalized session of messages, and what a front end was told message by message.

    Args:
        messages: the messages.
        since: the session that the front end connects to; the empty one if it was there first.
    """
    session = Session() if since is None else since
    bridge, begun = connect(session, "thread")
    events = list(begun)
    for message in messages:
        session = apply(session, message, now_ms=0)
        bridge, more = advance(bridge, session)
        events += more
    session = finalize(session)
    bridge, more = advance(bridge, session)
    return session, [*events, *more]


def read_back(events: Iterable[Event]) -> Session:
    """Return the session that refold's own AG-UI source makes of events."""
    state = SOURCE.start()
    messages: list[Message] = []
    for event in events:
        state, more = SOURCE.step(state, Record(value=event), None)
        messages += more
    return finalize(replay([*messages, *SOURCE.finish(state)], now_ms=0))


def contents(session: Session, place: Place | None = ()) -> Any:
    """Return the texts, images, thinkings and calls of a session and those below it, in order.

    A nested session that isn't bound yet isn't shown (reducer.md rule 2).

    Args:
        session: the session.
        place: where it is, its calls named as the bridge names them; None for what was read back.
    """
    shown = [each for item in session.items for each in _content(item, place)]
    nested = {
        name: contents(each, None if place is None else (*place, name))
        for name, each in session.subagents.items()
        if each.binding is not None
    }
    return shown, nested


def _content(item: Item, place: Place | None) -> list[tuple[Any, ...]]:  # noqa: PLR0911
    match item:
        case UserTextItem():
            return [("user", item.text)]
        case UserSteeringItem():
            return [("user", item.text), *[("image", each) for each in item.images or ()]]
        case UserImageItem():
            return [("image", item.image_url)]
        case AssistantTextItem():
            return [("assistant", item.text)]
        case ThinkingItem():
            return [("thinking", item.thinking)]
        case ToolCallItem():
            ident = item.tool_call_id if place is None else call_id(place, item)
            called = (ident, item.name, item.arguments_text)
            return [("call", *called, item.output, item.images, item.output_complete)]
        case _:
            return []


def check_shapes(events: Iterable[Event]) -> None:
    """Raise unless the protocol's published types take every event."""
    for event in events:
        _ADAPTER.validate_python(event)


def check_order(events: Iterable[Event]) -> None:
    """Raise unless events stand where AG-UI allows them (its sequence rules, written anew here).

    Everything is inside a run; a message, a thinking or a call is begun before it grows or ends,
    and ended once; a run ends with nothing open.
    """
    opened: set[tuple[str, str]] = set()
    agents: set[str] = set()
    running = False
    for event in events:
        kind = event["type"]
        if kind == "RUN_STARTED":
            assert not running, "a run inside a run"
            running = True
            continue
        assert running, f"{kind} outside a run"
        if kind == "RUN_FINISHED":
            assert not opened, f"a run ended with {opened} open"
            assert not agents, f"a run ended with {agents} running"
            running = False
        elif kind in ("SUBAGENT_STARTED", "SUBAGENT_FINISHED"):
            _check_agent(event, agents)
        else:
            assert kind == "MESSAGES_SNAPSHOT" or event.get("subagentRunId", "") in {"", *agents}
            _check_lifecycle(event, opened)


def _check_agent(event: Event, agents: set[str]) -> None:
    ident = event["subagentRunId"]
    if event["type"] == "SUBAGENT_STARTED":
        assert ident not in agents, f"{ident} started twice"
        agents.add(ident)
    else:
        agents.remove(ident)


def _check_lifecycle(event: Event, opened: set[tuple[str, str]]) -> None:
    medium, _, phase = event["type"].rpartition("_")
    if phase not in ("START", "CONTENT", "ARGS", "END"):
        return
    key = (medium, event["toolCallId"] if "toolCallId" in event else event["messageId"])
    if phase == "START":
        assert key not in opened, f"{key} begun twice"
        opened.add(key)
    else:
        assert key in opened, f"{key} {phase} without a start"
    if phase == "END":
        opened.remove(key)


# --- a front end ----------------------------------------------------------------------------


def shown_by_a_front_end(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return the messages that a front end has: it appends, and takes a snapshot as the whole."""
    messages: list[dict[str, Any]] = []
    for event in events:
        if event["type"] == "MESSAGES_SNAPSHOT":
            messages = json.loads(json.dumps(event["messages"]))
        elif event["type"] in _APPLIED:
            _APPLIED[event["type"]](messages, event)
    return messages


def _message(
    messages: list[dict[str, Any]], ident: str, event: Event, **fields: Any
) -> dict[str, Any]:
    for each in messages:
        if each["id"] == ident:
            return each
    of = {name: event[name] for name in ("subagentRunId",) if name in event}
    messages.append({"id": ident, **fields, **of})
    return messages[-1]


def _started(messages: list[dict[str, Any]], event: Event) -> None:
    _message(messages, event["messageId"], event, role=event["role"], content="")


def _appended(messages: list[dict[str, Any]], event: Event) -> None:
    _message(messages, event["messageId"], event)["content"] += event["delta"]


def _called(messages: list[dict[str, Any]], event: Event) -> None:
    function = {"name": event["toolCallName"], "arguments": ""}
    call = {"id": event["toolCallId"], "type": "function", "function": function}
    _message(messages, event["parentMessageId"], event, role="assistant", toolCalls=[call])


def _argued(messages: list[dict[str, Any]], event: Event) -> None:
    calls = [call for each in messages for call in each.get("toolCalls", [])]
    (call,) = [each for each in calls if each["id"] == event["toolCallId"]]
    call["function"]["arguments"] += event["delta"]


def _answered(messages: list[dict[str, Any]], event: Event) -> None:
    ident, called = event["messageId"], event["toolCallId"]
    message = _message(messages, ident, event, role="tool", toolCallId=called)
    message["content"] = event["content"]


def _acted(messages: list[dict[str, Any]], event: Event) -> None:
    kind = event["activityType"]
    message = _message(messages, event["messageId"], event, role="activity", activityType=kind)
    message["content"] = event["content"]


_APPLIED = {
    "TEXT_MESSAGE_START": _started,
    "TEXT_MESSAGE_CONTENT": _appended,
    "REASONING_MESSAGE_START": _started,
    "REASONING_MESSAGE_CONTENT": _appended,
    "TOOL_CALL_START": _called,
    "TOOL_CALL_ARGS": _argued,
    "TOOL_CALL_RESULT": _answered,
    "ACTIVITY_SNAPSHOT": _acted,
}


def assert_shows(events: Iterable[Event], session: Session) -> None:
    """Raise unless a front end that got the events shows the session.

    What still streams may stand elsewhere until it comes to rest; a result finds its call, wherever
    it stands.
    """
    shown, expected = shown_by_a_front_end(events), conversation(session)
    streaming = set(_streaming((), session))
    assert _said(shown, streaming) == _said(expected, streaming)
    for roles in ({"tool"}, {"activity"}, {"user", "assistant", "reasoning"}):
        assert _by_id(shown, roles) == _by_id(expected, roles)


def _streaming(place: Place, session: Session) -> Iterator[str]:
    front = len(session.items) - len(session.floating)
    for index, item in enumerate(session.items):
        if index >= front or (isinstance(item, ToolCallItem) and item.call_streaming):
            yield message_id(place, item)
    for name, nested in session.subagents.items():
        yield from _streaming((*place, name), nested)


def _said(
    messages: Iterable[dict[str, Any]], streaming: set[str]
) -> dict[str | None, list[dict[str, Any]]]:
    """Return what was said and called per session, in order."""
    sorted_out: dict[str | None, list[dict[str, Any]]] = {}
    for each in messages:
        if each["role"] not in ("activity", "tool") and each["id"] not in streaming:
            sorted_out.setdefault(each.get("subagentRunId"), []).append(each)
    return sorted_out


def _by_id(messages: Iterable[dict[str, Any]], roles: set[str]) -> dict[str, Any]:
    kept = [each for each in messages if each["role"] in roles]
    return {each["id"]: each.get("content", each.get("toolCalls")) for each in kept}
