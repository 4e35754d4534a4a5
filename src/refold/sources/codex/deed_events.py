"""Events of things done: their calls' outputs for a person.

Rules of this file (census.md X0):

- An event of something done carries the id of its call. What it says came out is that call's output;
  a call that nothing announced is made of it.
- Threads that a thread starts are pointed at; a verdict about a call is a decision.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from refold.messages import ApprovalDecision, Subagent
from refold.sources.codex.calls import deed_done, nameless_deed
from refold.sources.codex.deeds import deed_of, kind_of
from refold.sources.codex.items import take_item
from refold.sources.codex.outputs import Output, as_url, output_of, result_of, status_reason
from refold.sources.codex.response_items import Taker, tool_name
from refold.sources.codex.threads import Thread, say
from refold.sources.fields import mapping, name, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import compact, first, first_text

__all__ = ["DEED_EVENTS", "Event"]

Event: TypeAlias = dict[str, Any]


def _deed(kind: str, **renamed: str) -> Taker:
    """Return what takes an event that is an item under another name."""

    def take(thread: Thread, event: Event, spot: Spot) -> Thread:
        fields = {**event, **{new: event.get(old) for new, old in renamed.items()}, "type": kind}
        deed = deed_of(fields)
        assert deed is not None, kind_of(fields)
        tool, arguments, output = deed
        return deed_done(thread, _call_id(event), tool, arguments, output, "event", spot)

    return take


def _call_id(event: Event) -> str | None:
    return first_text(event, "call_id", "callId", "id")


def _patch(thread: Thread, event: Event, spot: Spot) -> Thread:
    status = event.get("status") or ("failed" if event.get("success") is False else "completed")
    return _deed("file_change")(thread, {**event, "status": status}, spot)


def _mcp(thread: Thread, event: Event, spot: Spot) -> Thread:
    called = mapping(event.get("invocation"))
    tool = f"mcp__{text(called.get('server'))}__{text(called.get('tool'))}"
    words = compact(called.get("arguments") or {})
    output = result_of(event.get("result"))
    return deed_done(thread, _call_id(event), tool, words, output, "event", spot)


def _dynamic(thread: Thread, event: Event, spot: Spot) -> Thread:
    output = output_of(first(event, "content_items", "contentItems"))
    said = output.text or text(event.get("error"))
    reason = "failed" if event.get("success") is False else "completed"
    tool = tool_name(event.get("namespace"), event.get("tool"))
    made = Output(text=said, images=output.images, reason=reason)
    words = compact(event.get("arguments") or {})
    return deed_done(thread, _call_id(event), tool, words, made, "event", spot)


def _web_search(thread: Thread, event: Event, spot: Spot) -> Thread:
    return take_item(thread, {**event, "type": "web_search", "id": _call_id(event)}, spot)


def _picture(thread: Thread, event: Event, spot: Spot) -> Thread:
    words = compact({"prompt": text(event.get("revised_prompt"))})
    url = as_url(event.get("result"), None)
    reason = status_reason(event.get("status")) or "completed"
    output = Output(
        text=text(event.get("saved_path")), reason=reason, images=() if url is None else (url,)
    )
    return nameless_deed(thread, _call_id(event), "image_generation", words, output, "event", spot)


def _collab(tool: str) -> Taker:
    """Return what takes the end of something done with other threads."""

    def take(thread: Thread, event: Event, spot: Spot) -> Thread:
        told = {
            each: event[each]
            for each in ("prompt", "new_thread_id", "receiver_thread_id", "model")
            if name(event.get(each))
        }
        states = first(event, "agent_statuses", "statuses", "status")
        said = states if isinstance(states, str) else compact(states) if states else ""
        call, output = _call_id(event), Output(text=said)
        thread = deed_done(thread, call, tool, compact(told), output, "event", spot)
        started = name(event.get("new_thread_id"))
        return (
            thread if started is None else say(thread, Subagent(session_id=started), spot, id=call)
        )

    return take


def _subagent(thread: Thread, event: Event, spot: Spot) -> Thread:
    started = name(event.get("agent_thread_id"))
    return thread if started is None else say(thread, Subagent(session_id=started), spot)


def _review(thread: Thread, event: Event, spot: Spot) -> Thread:
    verdict = {"approved": "allow", "denied": "deny"}.get(text(event.get("status")))
    call = name(event.get("target_item_id"))
    if verdict is None or call is None:
        return thread
    return say(thread, ApprovalDecision(decision=verdict, tool_call_id=call), spot, id=call)


DEED_EVENTS: dict[str, Taker] = {
    "exec_command_end": _deed("command_execution"),
    "patch_apply_end": _patch,
    "mcp_tool_call_end": _mcp,
    "dynamic_tool_call_response": _dynamic,
    "web_search_end": _web_search,
    "image_generation_end": _picture,
    "view_image_tool_call": _deed("image_view"),
    "collab_agent_spawn_end": _collab("spawn_agent"),
    "collab_agent_interaction_end": _collab("send_input"),
    "collab_waiting_end": _collab("wait"),
    "collab_resume_end": _collab("resume_agent"),
    "collab_close_end": _collab("close_agent"),
    "sub_agent_activity": _subagent,
    "guardian_assessment": _review,
}
