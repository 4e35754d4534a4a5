"""The model's items: what was sent to it and what it answered.

Rules of this file:

- One table from an item's type to what takes it. The same items stand bare in the files of 2025 and
  in ``response_item`` since. A type that isn't in it is counted.
- A message of the role ``developer`` or ``system`` is between Codex and the model.
- Thinking that is only there encrypted can't be shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from refold.records import evolve
from refold.sources.codex.calls import answer_call, call_made, nameless_deed
from refold.sources.codex.injected import notice_of, typed_texts
from refold.sources.codex.knowledge import learn, note
from refold.sources.codex.outputs import Output, as_url, output_of, status_reason
from refold.sources.codex.talk import agent_says, agent_thinks, user_says
from refold.sources.codex.threads import Thread
from refold.sources.fields import frozen, frozen_object, mapping, name, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import compact, first_text, objects

__all__ = ["RESPONSE_ITEMS", "Taker", "message_texts", "take_response_item", "tool_name"]

Taker: TypeAlias = Callable[[Thread, dict[str, Any], Spot], Thread]


def take_response_item(
    thread: Thread, item: dict[str, Any], spot: Spot, metadata: dict[str, Any]
) -> Thread:
    """Take an item.

    Args:
        thread: the session.
        item: it, of any shape.
        spot: where it was.
        metadata: what the record says about it.
    """
    if metadata.get("compaction_output") is True:
        return evolve(thread, summary="\n".join(message_texts(item)))
    kind = text(item.get("type"))
    taker = RESPONSE_ITEMS.get(kind)
    if taker is None:
        return evolve(
            thread, oddities=(*thread.oddities, f"unknown item: {kind or 'without a type'}")
        )
    return taker(thread, item, spot)


def message_texts(item: dict[str, Any]) -> list[str]:
    """Return the texts of a message's parts."""
    if isinstance(item.get("content"), str):
        return [item["content"]]
    said = (first_text(each, "text", "refusal") for each in objects(item.get("content")))
    return [each for each in said if each is not None]


def tool_name(namespace: Any, tool: Any) -> str:
    """Return a tool's name with its namespace in front, as the model is told it."""
    space = text(namespace)
    if not space:
        return text(tool)
    return f"{space}{'' if space.endswith(('_', '.')) else '.'}{text(tool)}"


def _message(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    role = item.get("role")
    if role == "assistant":
        said = "\n".join(message_texts(item))
        phase = first_text(item, "phase")
        return agent_says(thread, said, phase, "response", spot, id=name(item.get("id")))
    return _user(thread, item, spot) if role == "user" else thread


def _user(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    if isinstance(item.get("content"), str):
        item = {**item, "content": [{"type": "input_text", "text": item["content"]}]}
    images = [
        each["image_url"] for each in objects(item.get("content")) if name(each.get("image_url"))
    ]
    typed = typed_texts(item)
    noticed = notice_of(item)
    if noticed is not None and not typed:
        return note(thread, noticed[0], noticed[1], spot)
    return user_says(thread, "\n".join(typed), images, "response", spot)


def _reasoning(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    sections = [text(each.get("text")) for each in objects(item.get("summary"))]
    raw = [text(each.get("text")) for each in objects(item.get("content"))]
    told = sections if any(sections) else raw
    return agent_thinks(thread, told, "response", spot, id=name(item.get("id")))


def _function_call(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    arguments = item.get("arguments")
    words = arguments if isinstance(arguments, str) else compact(arguments or {})
    tool = tool_name(item.get("namespace"), item.get("name"))
    thread, _ = call_made(thread, first_text(item, "call_id", "id"), tool, words, spot)
    return _planned(thread, words, spot) if tool == "update_plan" else thread


def _custom_call(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    tool = tool_name(item.get("namespace"), item.get("name"))
    thread, _ = call_made(
        thread, first_text(item, "call_id", "id"), tool, text(item.get("input")), spot
    )
    return thread


def _shell_call(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    words = compact(item.get("action"))
    thread, _ = call_made(thread, first_text(item, "call_id", "id"), "local_shell", words, spot)
    return thread


def _search_call(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    words = compact(item.get("arguments"))
    thread, _ = call_made(thread, first_text(item, "call_id", "id"), "tool_search", words, spot)
    return thread


def _output(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    output = output_of(item.get("output"))
    return answer_call(thread, text(item.get("call_id")), output, "response", spot)


def _search_output(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    found = [text(each.get("name")) for each in objects(item.get("tools"))]
    reason = status_reason(item.get("status")) or "completed"
    output = Output(text="\n".join(found), reason=reason)
    return answer_call(thread, text(item.get("call_id")), output, "response", spot)


def _web_search(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    words, identity = compact(mapping(item.get("action"))), name(item.get("id"))
    output = Output(reason=status_reason(item.get("status")) or "completed")
    return nameless_deed(thread, identity, "web_search", words, output, "response", spot)


def _image(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    words = compact({"prompt": text(item.get("revised_prompt"))})
    url = as_url(item.get("result"), None)
    reason = status_reason(item.get("status")) or "completed"
    output = Output(reason=reason, images=() if url is None else (url,))
    identity = name(item.get("id"))
    return nameless_deed(thread, identity, "image_generation", words, output, "response", spot)


def _between(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    said = "\n".join(message_texts(item))
    between = {each: item[each] for each in ("author", "recipient") if each in item}
    return note(thread, "agent_message", said, spot, frozen(between))


def _planned(thread: Thread, words: str, spot: Spot) -> Thread:
    plan = frozen_object(_parsed(words)).get("plan")
    return thread if plan is None else learn(thread, "plan", plan, spot)


def _parsed(words: str) -> Any:
    try:
        return json.loads(words)
    except (ValueError, RecursionError):
        return None


def _silent(thread: Thread, item: dict[str, Any], spot: Spot) -> Thread:
    return thread


RESPONSE_ITEMS: dict[str, Taker] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _function_call,
    "function_call_output": _output,
    "custom_tool_call": _custom_call,
    "custom_tool_call_output": _output,
    "local_shell_call": _shell_call,
    "local_shell_call_output": _output,
    "mcp_tool_call_output": _output,
    "tool_search_call": _search_call,
    "tool_search_output": _search_output,
    "web_search_call": _web_search,
    "image_generation_call": _image,
    "agent_message": _between,
    "ghost_snapshot": _silent,
    "compaction": _silent,
    "compaction_summary": _silent,
    "compaction_trigger": _silent,
    "context_compaction": _silent,
    "other": _silent,
}
