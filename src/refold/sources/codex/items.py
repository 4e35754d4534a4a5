"""The thread's own items: what a person sees happen.

Rules of this file (census.md X13):

- ``codex exec --json``, the app server and, lately, the rollout tell a thread in items. They differ
  in how they spell names; here a name is in lower case with underscores, whatever the spelling.
- An item is read twice: when it is started (what can be shown of it then) and when it is completed.
  What is completed alone decides (laws.md, law 12).
- One table from an item's type to what takes it. A type that isn't in it is counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from refold.messages import ApprovalDecision
from refold.records import evolve
from refold.sources.codex.calls import deed_begun, deed_done, nameless_deed
from refold.sources.codex.knowledge import compacted, learn, note
from refold.sources.codex.outputs import Output, as_url, output_of, result_of, status_reason
from refold.sources.codex.talk import agent_says, agent_thinks, user_says
from refold.sources.codex.threads import Thread, say
from refold.sources.fields import frozen, mapping, name, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import compact, first, first_text, objects

__all__ = ["ITEMS", "Deed", "deed_of", "kind_of", "take_begun", "take_item"]

Item: TypeAlias = dict[str, Any]
Taker: TypeAlias = Callable[[Thread, Item, Spot, Spot | None], Thread]
Deed: TypeAlias = tuple[str, str, Output]

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def kind_of(item: Item) -> str:
    """Return an item's type in lower case with underscores."""
    return _WORD.sub("_", text(item.get("type"))).lower()


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


def deed_of(item: Item) -> Deed | None:
    """Return the tool, the arguments and the output of an item that is something done, or None."""
    reader = _DEEDS.get(kind_of(item))
    return None if reader is None else reader(item)


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
    output = Output(text=_found(item.get("results")))
    identity = name(item.get("id"))
    return nameless_deed(thread, identity, "web_search", words, output, "item", spot)


def _found(results: Any) -> str:
    lines = [
        " ".join([each for each in (text(one.get("title")), text(one.get("url"))) if each])
        for one in objects(results)
    ]
    return "\n".join([each for each in lines if each])


def _silent(thread: Thread, item: Item, spot: Spot, since: Spot | None) -> Thread:
    return thread


def _declined(thread: Thread, item: Item, spot: Spot) -> Thread:
    identity = name(item.get("id"))
    if item.get("status") != "declined" or identity is None:
        return thread
    return say(thread, ApprovalDecision(decision="deny", tool_call_id=identity), spot, id=identity)


# --- something done -------------------------------------------------------------------------


def _command(item: Item) -> Deed:
    exit_code = first(item, "exit_code", "exitCode")
    reason = status_reason(item.get("status"), exit_code) or "completed"
    put_out = first_text(item, "aggregated_output", "aggregatedOutput", "formatted_output")
    said = put_out or text(item.get("stdout")) + text(item.get("stderr"))
    told = {"cmd": item.get("command"), "workdir": item.get("cwd")}
    words = compact({each: value for each, value in told.items() if value is not None})
    return "exec_command", words, Output(text=said, reason=reason)


def _file_change(item: Item) -> Deed:
    changes = item.get("changes")
    reason = status_reason(item.get("status")) or "completed"
    said = text(item.get("stdout")) + text(item.get("stderr"))
    return "apply_patch", compact({"changes": _kinds(changes)}), Output(text=said, reason=reason)


def _kinds(changes: Any) -> Any:
    """Return what happened to each file; the texts themselves are long, and in the patch."""
    if isinstance(changes, list):
        return [{"path": text(each.get("path")), "kind": _kind(each)} for each in objects(changes)]
    return [
        {"path": path, "kind": _kind(mapping(change))} for path, change in mapping(changes).items()
    ]


def _kind(change: dict[str, Any]) -> str:
    kind = first(change, "kind", "type")
    return kind if isinstance(kind, str) else text(mapping(kind).get("type"))


def _mcp(item: Item) -> Deed:
    error = item.get("error")
    fault = error if isinstance(error, str) else text(mapping(error).get("message"))
    result = result_of(item.get("result"))
    reason = "failed" if fault else status_reason(item.get("status")) or result.reason
    output = Output(text=result.text or fault, images=result.images, reason=reason)
    tool = f"mcp__{text(item.get('server'))}__{text(item.get('tool'))}"
    return tool, compact(first(item, "arguments") or {}), output


def _dynamic(item: Item) -> Deed:
    output = output_of(first(item, "contentItems", "content_items"))
    failed = item.get("success") is False
    reason = "failed" if failed else status_reason(item.get("status")) or "completed"
    said = Output(text=output.text, images=output.images, reason=reason)
    return text(item.get("tool")), compact(first(item, "arguments") or {}), said


def _collab(item: Item) -> Deed:
    told = {
        each: item[each]
        for each in ("prompt", "receiverThreadIds", "receiver_thread_ids", "model")
        if item.get(each) is not None
    }
    states = first(item, "agentsStates", "agents_states")
    reason = status_reason(item.get("status")) or "completed"
    said = "" if not states else compact(states)
    return text(item.get("tool")) or "collab", compact(told), Output(text=said, reason=reason)


def _view(item: Item) -> Deed:
    return "view_image", compact({"path": text(item.get("path"))}), Output()


def _picture(item: Item) -> Deed:
    url = as_url(item.get("result"), None)
    words = compact({"prompt": first_text(item, "revisedPrompt", "revised_prompt") or ""})
    reason = status_reason(item.get("status")) or "completed"
    return "image_generation", words, Output(reason=reason, images=() if url is None else (url,))


_DEEDS: dict[str, Callable[[Item], Deed]] = {
    "command_execution": _command,
    "file_change": _file_change,
    "mcp_tool_call": _mcp,
    "dynamic_tool_call": _dynamic,
    "collab_tool_call": _collab,
    "collab_agent_tool_call": _collab,
    "image_view": _view,
    "image_generation": _picture,
}

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
