"""Nested sessions: whose message it is, and which card started it.

Rules of this file (reducer.md rules 1-3):

- A nested session is reduced by the same reducer; the parent takes usage and times, no more.
- Until its first complete, event or session_meta its ``subagent`` item floats; then it is bound,
  once: to the card it names, else to the latest card that may have started it, else to none.
- Only a session's own message names its call; one that it passes on names a call inside it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.items import Item, SubagentItem, ToolCallItem
from refold.messages import Message, SessionMeta, TokenUsage, UnknownPayload
from refold.records import evolver
from refold.reduce.cards import card_item, put_card
from refold.reduce.places import drop_floating, drop_placed, float_item, place, put_placed
from refold.reduce.tasks import see
from refold.reduce.usage import nested_usage
from refold.session import freeze_session, thaw_session
from refold.state import Aside, Binding, Draft, Meta, Nest

__all__ = [
    "Role",
    "bind",
    "born",
    "heard",
    "let_float",
    "named_call",
    "note_parent",
    "take_awaited",
    "tell_meta",
]

Role: TypeAlias = Literal["complete", "event", "partial", "session_meta", "unknown"]

_bound = evolver(Nest, "binding", "slot")
_floating = evolver(Nest, "slot")
_with_meta = evolver(Nest, "meta")
_heard = evolver(
    Nest, "first_ts_ms", "last_activity_ts_ms", "certain_ts_ms", "last_activity_local_ms"
)
_spawned = evolver(ToolCallItem, "subagent_session_id")


def born(now_ms: int) -> Draft:
    """Return a nested session before its first message."""
    nest = Nest(first_seen_local_ms=now_ms, last_activity_local_ms=now_ms)
    return Draft(aside=Aside(nest=nest))


def heard(nest: Nest, role: Role, at_ms: int | None, now_ms: int) -> Nest:
    """Return a nested session's times behind a message of its subtree (rule 3).

    Args:
        nest: before it.
        role: what the message is.
        at_ms: its time in Unix ms, if known.
        now_ms: the caller's clock.
    """
    first, last, certain = nest.first_ts_ms, nest.last_activity_ts_ms, nest.certain_ts_ms
    if at_ms is not None and role != "partial":
        first = at_ms if first is None and role != "unknown" else first
        certain = at_ms if certain is None else max(certain, at_ms)
    if role in ("complete", "event"):
        last = certain
    elif at_ms is not None:
        last = at_ms if last is None else max(last, at_ms)
    return _heard(nest, first, last, certain, now_ms)


def tell_meta(nest: Nest, payload: SessionMeta) -> Nest:
    """Return a nested session that said what it is (rule 3)."""
    meta = Meta(
        agent_id=_agent_id(payload.agent_state),
        provider=payload.provider,
        model_id=payload.model_id,
        source=payload.source,
    )
    return _with_meta(nest, meta)


def note_parent(draft: Draft, message: Message, role: Role, at_ms: int | None) -> None:
    """Let the parent take what it takes of a nested session's message (rule 1)."""
    if type(message.payload) is TokenUsage:
        nested_usage(draft, message.payload.request)
    if role in ("complete", "event") and draft.compacting is None:
        see(draft, at_ms)


def let_float(draft: Draft, session_id: str, child: Draft) -> None:
    """Let a session that isn't bound yet float."""
    assert child.nest is not None
    child.nest = _floating(child.nest, float_item(draft, _subagent(session_id)))


def bind(draft: Draft, session_id: str, child: Draft, name: str | None) -> None:
    """Bind a session to the card it names, to the one it may come from, or to none (rule 2).

    Args:
        draft: the parent.
        session_id: the nested session's.
        child: the nested session.
        name: the id of the call it names, if it does.
    """
    if name is not None:
        _bind_named(draft, session_id, child, name)
    elif draft.calls.spawning:
        item = draft.placed.at(draft.calls.spawning.bit_length() - 1)
        assert type(item) is ToolCallItem
        _attach(draft, session_id, child, item.tool_call_id, "inferred")
    else:
        _stand_alone(draft, session_id, child)


def take_awaited(draft: Draft, tool_call_id: str) -> None:
    """Let a card that was just placed take the session that named it before."""
    session_id = draft.awaiting.get(tool_call_id)
    if session_id is None:
        return
    draft.awaiting = draft.awaiting.without(tool_call_id)
    child = thaw_session(draft.subagents[session_id])
    _attach(draft, session_id, child, tool_call_id, "explicit")
    draft.subagents = draft.subagents.put(session_id, freeze_session(child))


def named_call(message: Message) -> str | None:
    """Return the id of the parent's call that a nested session's own message names, if any."""
    payload = message.payload
    if isinstance(payload, SessionMeta):
        return payload.parent_tool_call_id
    if isinstance(payload, UnknownPayload):
        return None
    name = payload.extra.get("parent_tool_call_id")
    return name if isinstance(name, str) else None


def _bind_named(draft: Draft, session_id: str, child: Draft, name: str) -> None:
    card = draft.calls.cards.get(name)
    if card is None or card.where != "placed":
        _stand_alone(draft, session_id, child)
        if name not in draft.awaiting:
            draft.awaiting = draft.awaiting.put(name, session_id)
    elif card_item(draft, card).subagent_session_id in (None, session_id):
        _attach(draft, session_id, child, name, "explicit")
    else:
        _stand_alone(draft, session_id, child)


def _attach(
    draft: Draft, session_id: str, child: Draft, tool_call_id: str, binding: Binding
) -> None:
    _leave(draft, child)
    card = draft.calls.cards[tool_call_id]
    put_card(draft, tool_call_id, card, _spawned(card_item(draft, card), session_id))
    child.nest = _bound(child.nest, binding, card.slot)


def _stand_alone(draft: Draft, session_id: str, child: Draft) -> None:
    assert child.nest is not None
    if child.nest.binding == "none":
        return
    slot = child.nest.slot if child.nest.binding is None else None
    item = _subagent(session_id) if slot is None else draft.floating.at(slot)
    _leave(draft, child)
    child.nest = _bound(child.nest, "none", place(draft, item))


def _subagent(session_id: str) -> Item:
    return SubagentItem(key=f"subagent:{session_id}", session_id=session_id)


def _leave(draft: Draft, child: Draft) -> None:
    """Take a session away from where it stood or hung so far."""
    nest = child.nest
    assert nest is not None
    if nest.slot is None:
        return
    if nest.binding is None:
        drop_floating(draft, nest.slot)
    elif nest.binding == "none":
        drop_placed(draft, nest.slot)
    else:
        _detach(draft, nest.slot)


def _detach(draft: Draft, slot: int) -> None:
    item = draft.placed.at(slot)
    assert type(item) is ToolCallItem
    card = draft.calls.cards.get(item.tool_call_id)
    if card is not None and card.where == "placed" and card.slot == slot:
        put_card(draft, item.tool_call_id, card, _spawned(card_item(draft, card), None))
    else:
        put_placed(draft, slot, _spawned(item, None))


def _agent_id(agent_state: str) -> str | None:
    """Return the name of the directory that holds an agent's state."""
    parts = agent_state.replace("\\", "/").rstrip("/").split("/")
    return (parts[-2] or None) if len(parts) > 1 else None
