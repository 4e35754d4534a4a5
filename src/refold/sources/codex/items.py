"""The thread's own items: what a person sees happen.

Rules of this file (census.md X13):

- ``codex exec --json``, the app server and, lately, the rollout tell a thread in items. They differ
  in how they spell names; here a name is in lower case with underscores, whatever the spelling.
- An item is read twice: when it is started (what can be shown of it then) and when it is completed.
  What is completed alone decides (laws.md, law 12).
- One table from an item's type to what takes it. A type that isn't in it is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.messages import ApprovalDecision
from refold.records import evolve
from refold.sources.codex.calls import deed_begun, deed_done, nameless_deed
from refold.sources.codex.deeds import Item, deed_of, found_text, kind_of
from refold.sources.codex.knowledge import compacted, learn, note
from refold.sources.codex.outputs import Output
from refold.sources.codex.talk import agent_says, agent_thinks, user_says
from refold.sources.codex.threads import Thread, say
from refold.sources.fields import frozen, mapping, name, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import compact, first, first_text, objects

__all__ = ["ITEMS", "take_begun", "take_item"]

Taker: TypeAlias = Callable[[Thread, Item, Spot, Spot | None], Thread]


def take_item(thread: Thread, item: Item, spot: Spot, since: Spot | None = None) -> Thread:
    """Take a completed item.

    Args:
        thread: the session.
        item: it, of any shape.
        spot: where it was.
        since: where it began to stream, if it did.
    """
    kind = kind_of(item)
    deed = deed_of(item)
    if deed is not None:
        tool, arguments, output = deed
        identity = name(item.get("id"))
        thread = deed_done(thread, identity, tool, arguments, output, "item", spot)
        return _declined(thread, item, spot)
    taker = ITEMS.get(kind)
    if taker is None:
        return evolve(
            thread, oddities=(*thread.oddities, f"unknown item: {kind or 'without a type'}")
        )
    return taker(thread, item, spot, since)


def take_begun(thread: Thread, item: Item, spot: Spot) -> Thread:
    """Take an item that was started, or changed since.

    Args:
        thread: the session.
        item: it, of any shape.
        spot: where it was.
    """
    deed = deed_of(item)
    if deed is not None:
        thread, _ = deed_begun(thread, name(item.get("id")), deed[0], deed[1], spot)
        return thread
    return _todos(thread, item, spot, None) if kind_of(item) == "todo_list" else thread


# --- something said -------------------------------------------------------------------------


def _user(thread: Thread, item: Item, spot: Spot, since: Spot | None) -> Thread:
    parts = objects(item.get("content"))
    said = [text(each.get("text")) for each in parts]
    images = [url for each in parts if (url := first_text(each, "url", "image_url", "imageUrl"))]
    return user_says(thread, "\n".join([each for each in said if each]), images, "item", spot)


def _agent(thread: Thread, item: Item, spot: Spot, since: Spot | None) -> Thread:
    parts = "\n".join([text(each.get("text")) for each in objects(item.get("content"))])
    said, phase = text(item.get("text")) or parts, first_text(item, "phase")
    identity = name(item.get("id"))
    return agent_says(thread, said, phase, "item", spot, id=identity, since=since)


def _reasoning(thread: Thread, item: Item, spot: Spot, since: Spot | None) -> Thread:
    summary = first(item, "summary", "summary_text", "text")
    raw = first(item, "content", "raw_content")
    told = _sections(summary) or _sections(raw)
    return agent_thinks(thread, told, "item", spot, id=name(item.get("id")), since=since)


def _sections(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    sections = value if isinstance(value, list) else []
    said = (each if isinstance(each, str) else text(mapping(each).get("text")) for each in sections)
    return [each for each in said if each]


def _todos(thread: Thread, item: Item, spot: Spot, since: Spot | None) -> Thread:
    return learn(thread, "plan", frozen(item.get("items")), spot)


def _noted(notice: str, *fields: str) -> Taker:
    def take(thread: Thread, item: Item, spot: Spot, since: Spot | None) -> Thread:
        return note(thread, notice, first_text(item, *fields), spot)

    return take


def _compaction(thread: Thread, item: Item, spot: Spot, since: Spot | None) -> Thread:
    return compacted(thread, "item", "", spot)


def _searched(thread: Thread, item: Item, spot: Spot, since: Spot | None) -> Thread:
    words = compact(mapping(item.get("action")) or {"query": text(item.get("query"))})
    output = Output(text=found_text(item.get("results")))
    identity = name(item.get("id"))
    return nameless_deed(thread, identity, "web_search", words, output, "item", spot)


def _silent(thread: Thread, item: Item, spot: Spot, since: Spot | None) -> Thread:
    return thread


def _declined(thread: Thread, item: Item, spot: Spot) -> Thread:
    identity = name(item.get("id"))
    if item.get("status") != "declined" or identity is None:
        return thread
    return say(thread, ApprovalDecision(decision="deny", tool_call_id=identity), spot, id=identity)


ITEMS: dict[str, Taker] = {
    "user_message": _user,
    "agent_message": _agent,
    "reasoning": _reasoning,
    "todo_list": _todos,
    "plan": _noted("plan", "text"),
    "error": _noted("error", "message"),
    "entered_review_mode": _noted("review_started", "review"),
    "exited_review_mode": _noted("review_finished", "review"),
    "context_compaction": _compaction,
    "extension": _searched,
    "web_search": _searched,
    "hook_prompt": _silent,
    "sub_agent_activity": _silent,
}
