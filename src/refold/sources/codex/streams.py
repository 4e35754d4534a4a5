"""Threads as they are told while they run: ``codex exec --json`` and the app server.

Rules of this file (census.md X13):

- Both tell threads, turns and items; the app server in JSON-RPC, with deltas. One item of a kind is
  streamed at a time (stream-json-and-acp.md E4); another's deltas are kept, and said when it is whole.
- Deltas decide nothing: an item that is completed says what it is. One that never is, is said as it
  stands when its turn ends.
- ``exec`` gives items ids of its own, counted anew in every run; and no prompt: it has none to tell.
"""

from __future__ import annotations

from typing import Any

from refold.messages import PartialText, PartialThinking, PartialToolCallOutput, Payload
from refold.records import evolve
from refold.sources.codex.calls import answer_call
from refold.sources.codex.deeds import kind_of
from refold.sources.codex.items import take_begun, take_item
from refold.sources.codex.outputs import Output
from refold.sources.codex.talk import agent_says, agent_thinks
from refold.sources.codex.threads import Fragment, Thread, say
from refold.sources.fields import name, text
from refold.sources.logs.spots import Spot
from refold.texts import grow

__all__ = ["item_begun", "item_delta", "item_done", "left_open"]

_TEXT, _THINKING, _OUTPUT = "agent_message", "reasoning", "output"


def item_begun(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    """Take an item that was started, or changed since."""
    return take_begun(thread, item, spot)


def item_done(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    """Take a completed item: what was streamed of it stops, and it is said whole.

    Args:
        thread: the session.
        item: it.
        spot: where it was.
    """
    key = f"{_kind(item)} {text(item.get('id'))}"
    fragment = thread.fragments.get(key)
    if fragment is None:
        return take_item(thread, item, spot)
    thread = _stopped(thread, key, fragment, spot, None)
    return take_item(thread, item, spot, fragment.first)


def item_delta(thread: Thread, kind: str, params: dict[str, Any], spot: Spot) -> Thread:
    """Take a piece of an item.

    Args:
        thread: the session.
        kind: ``agent_message``, ``reasoning`` or ``output``.
        params: ``{itemId, delta, summaryIndex?}``.
        spot: where it was.
    """
    identity, piece = text(params.get("itemId")), text(params.get("delta"))
    key = f"{kind} {identity}"
    fragment = thread.fragments.get(key)
    if fragment is None:
        thread, fragment = _opened(thread, kind, key, spot)
    section = params.get("summaryIndex", fragment.section)
    section = section if type(section) is int else fragment.section
    if fragment.text and section != fragment.section:
        piece = "\n" + piece
    event = "delta" if fragment.pieces else "start"
    grown = evolve(
        fragment, text=grow(fragment.text, piece), section=section, pieces=fragment.pieces + 1
    )
    thread = evolve(thread, fragments=thread.fragments.put(key, grown))
    if not grown.shown:
        return thread
    return say(thread, _partial(kind, identity, event, piece), spot, id=name(identity))


def left_open(thread: Thread, spot: Spot, stop_reason: str) -> Thread:
    """Return the thread with what was being streamed said as it stands.

    Args:
        thread: the session.
        spot: where its turn ended.
        stop_reason: how.
    """
    for key, fragment in thread.fragments.items():
        kind, _, identity = key.partition(" ")
        thread = _stopped(thread, key, fragment, spot, stop_reason)
        said = str(fragment.text)
        if kind == _TEXT:
            thread = agent_says(
                thread, said, None, "item", spot, since=fragment.first, stop_reason=stop_reason
            )
        elif kind == _THINKING:
            thread = agent_thinks(thread, [said], "item", spot, since=fragment.first)
        else:
            output = Output(text=said, reason=stop_reason)
            thread = answer_call(thread, identity, output, "item", spot)
    return thread


def _kind(item: dict[str, Any]) -> str:
    kind = kind_of(item)
    return kind if kind in (_TEXT, _THINKING) else _OUTPUT


def _opened(thread: Thread, kind: str, key: str, spot: Spot) -> tuple[Thread, Fragment]:
    if kind == _OUTPUT:
        return thread, Fragment(first=spot)
    if kind in thread.streaming:
        return thread, Fragment(shown=False, first=spot)
    streaming = thread.streaming.put(kind, key)
    return evolve(thread, streaming=streaming), Fragment(first=spot)


def _stopped(
    thread: Thread, key: str, fragment: Fragment, spot: Spot, stop_reason: str | None
) -> Thread:
    kind, _, identity = key.partition(" ")
    streaming = thread.streaming
    if streaming.get(kind) == key:
        streaming = streaming.without(kind)
    thread = evolve(thread, fragments=thread.fragments.without(key), streaming=streaming)
    if not fragment.shown:
        return thread
    return say(thread, _partial(kind, identity, "stop", "", stop_reason), spot, id=name(identity))


def _partial(
    kind: str, identity: str, event: str, piece: str, stop_reason: str | None = None
) -> Payload:
    if kind == _THINKING:
        return PartialThinking(
            role="assistant", event_type=event, thinking=piece, stop_reason=stop_reason
        )
    if kind == _OUTPUT:
        return PartialToolCallOutput(
            role="user",
            event_type=event,
            output=piece,
            tool_call_id=identity,
            stop_reason=stop_reason,
        )
    return PartialText(role="assistant", event_type=event, text=piece, stop_reason=stop_reason)
