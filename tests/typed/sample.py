"""What a typed program says of the public names; never run, only checked.

Every line is one that a checker accepts, and every line marked as wrong one that it must refuse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never, assert_type

import refold
from refold import Message, Session, View, Window
from refold.items import (
    AbortItem,
    AssistantTextItem,
    CompactionItem,
    Item,
    McpConnectItem,
    NoticeItem,
    ReconnectItem,
    SubagentItem,
    TaskStatsItem,
    ThinkingItem,
    ToolCallItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.live import Effect, HistoryLoaded, LiveState, Received, connect, step


def fold(message: Message, raw: dict[str, Any]) -> Session:
    session = refold.apply(Session(), message, now_ms=0)
    session = refold.apply(session, raw, now_ms=0)
    session = refold.replay([message, raw], now_ms=0, server_now_ms=None, session=session)
    session = refold.idle(refold.finalize(refold.discard(session, message)))
    return refold.register_decision(refold.credentials_updated(session), "call")


def read(session: Session) -> None:
    assert_type(session.items[0], Item)
    assert_type(session.items[1:], tuple[Item, ...])
    as_sequence: Sequence[Item] = session.items
    assert_type(session.stats.session_total, int)
    assert_type(session.task_open, bool)
    assert_type(session.last_auth_failure_ms, int | None)
    assert_type(refold.settled(session), View)
    nested: Mapping[str, View] = refold.settled(session).subagents
    assert_type(refold.digest(session), str)
    document: dict[str, Any] = refold.to_json(session)
    operations: list[dict[str, Any]] = refold.diff(session, session, pure=True)
    assert_type(refold.dumps(session), str)
    assert_type(refold.loads("…"), Session)
    recorded: Iterator[Message] = refold.record([])
    assert_type(refold.window([], 1), Window)
    del as_sequence, nested, document, operations, recorded


def text_of(item: Item) -> str:  # noqa: PLR0911 - one answer a kind
    """Match every kind of item; a checker says if one is missing."""
    match item:
        case UserTextItem() | UserSteeringItem() | AssistantTextItem():
            return item.text
        case ThinkingItem():
            return item.thinking
        case ToolCallItem():
            return item.output
        case UserImageItem():
            return item.image_url
        case TaskStatsItem():
            return item.assistant_text
        case SubagentItem():
            return item.session_id
        case AbortItem() | ReconnectItem() | CompactionItem() | McpConnectItem() | NoticeItem():
            return item.kind
        case _:
            assert_never(item)


def listen(message: Message) -> tuple[LiveState, tuple[Effect, ...]]:
    state, _ = step(connect(), Received(message=message, event_id="e-1"))
    return step(state, HistoryLoaded(messages=(message,)))


def wrong(session: Session, message: Message) -> None:
    refold.apply(session, message)  # type: ignore[call-arg]
    refold.apply(session, "text", now_ms=0)  # type: ignore[arg-type]
    session.items[0].kind = "thinking"  # type: ignore[misc]
    str(session.nothing)  # type: ignore[attr-defined]
    Message("text")  # type: ignore[call-arg, arg-type]
    text: int = session.items[0].key  # type: ignore[assignment]
    del text
