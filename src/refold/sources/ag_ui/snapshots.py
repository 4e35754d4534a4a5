"""AG-UI's whole conversations: ``MESSAGES_SNAPSHOT`` and the messages a run was started with.

Rules of this file:

- A message that the view has (by role and id) is not shown again, since a run's last snapshot
  repeats what streamed. What it says now counts where the view can still take it: in what is open,
  and in a tool's result.
- What is new behind everything known is shown as if it had streamed (laws.md, law 12).
- What is new in front of something known came too late for its place. A text of it becomes a
  notice, because a user's text there would start a task that is long over; calls and results find
  their cards by id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.json_values import JsonObject
from refold.markers import is_blank
from refold.messages import Fact, Notice, Payload, Text, Thinking, ToolCall
from refold.records import evolve
from refold.sources.ag_ui.content import fidelity_of, text_of, tool_output, user_payloads
from refold.sources.ag_ui.state import (
    Activity,
    State,
    Step,
    count,
    mark_shown,
    origin_of,
    placed,
    with_lane,
    with_result,
)
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import frozen_object, listing, mapping, name, text
from refold.sources.fragments import rewritten
from refold.sources.json_patch import Patched

__all__ = ["activity_shown", "conversation_shown"]

Message: TypeAlias = dict[str, Any]
Payloads: TypeAlias = tuple[Payload, ...]

_LATE = "earlier_message"


def conversation_shown(state: State, messages: Any, at: str | None) -> Step:
    """Show what the view doesn't have of a conversation.

    Args:
        state: the state.
        messages: AG-UI messages, of any JSON type.
        at: when the snapshot was taken, as a timestamp.
    """
    known = [_is_known(state, mapping(each)) for each in listing(messages)]
    last = max((index for index, each in enumerate(known) if each), default=-1)
    drafts: Drafts = ()
    for index, each in enumerate(listing(messages)):
        state, more = _shown(state, mapping(each), at, late=index < last)
        drafts += more
    return state, drafts


def activity_shown(state: State, ident: str, activity: Activity, at: str | None) -> Step:
    """Show an activity: a notice where it began, its latest content as a fact.

    Args:
        state: the state.
        ident: the activity message's id.
        activity: what it is now.
        at: when, as a timestamp.
    """
    value = JsonObject({"activityType": activity.kind, "content": activity.content.document})
    latest = draft(Fact(name=f"activity:{ident}", value=value), at)
    first = f"activity {ident}" not in state.shown
    notice = Notice(name="activity", text=activity.kind, data=JsonObject({"messageId": ident}))
    state = mark_shown(state, "activity", ident)
    state = evolve(state, activities=state.activities.put(ident, activity))
    return state, ((draft(notice, at), latest) if first else (latest,))


def _shown(state: State, message: Message, at: str | None, *, late: bool) -> Step:
    role = text(message.get("role"))
    case = _ROLES.get(role)
    if case is None:
        return count(state, f"unknown message role: {role}"), ()
    state, drafts = case(_corrected(state, message), message, at)
    if late:
        drafts = tuple([draft(_late(each.payload, message), at) for each in drafts])
    lane = text(message.get("subagentRunId"))
    return state, placed(drafts, origin_of(state, lane))


def _corrected(state: State, message: Message) -> State:
    """Return the state with open fragments reading as a snapshot has them."""
    lane, ident = text(message.get("subagentRunId")), text(message.get("id"))
    before = state.lanes.get(lane)
    if before is None:
        return state
    medium = "reasoning" if message.get("role") == "reasoning" else "text"
    fragments = before
    if message.get("content"):
        fragments = rewritten(before, f"{medium} {ident}", text_of(message["content"]))
    for each in listing(message.get("toolCalls")):
        arguments = text(mapping(mapping(each).get("function")).get("arguments"))
        fragments = rewritten(fragments, f"call {_call_id(each)}", arguments)
    return with_lane(state, lane, fragments)


def _late(payload: Payload, message: Message) -> Payload:
    if not isinstance(payload, Text | Thinking):
        return payload
    said = payload.text if isinstance(payload, Text) else payload.thinking
    data = {"id": text(message.get("id")), "role": text(message.get("role"))}
    return Notice(name=_LATE, text=said, data=JsonObject(data))


def _is_known(state: State, message: Message) -> bool:
    role, ident = text(message.get("role")), text(message.get("id"))
    if role == "tool":
        return text(message.get("toolCallId")) in state.results
    calls = [f"call {_call_id(each)}" for each in listing(message.get("toolCalls"))]
    return f"{role} {ident}" in state.shown or any(each in state.shown for each in calls)


def _once(state: State, role: str, ident: str, payloads: Payloads, at: str | None) -> Step:
    if ident and f"{role} {ident}" in state.shown:
        return state, ()
    return mark_shown(state, role, ident), tuple([draft(each, at) for each in payloads])


def _user(state: State, message: Message, at: str | None) -> Step:
    payloads = user_payloads(message.get("content"))
    return _once(state, "user", text(message.get("id")), payloads, at)


def _assistant(state: State, message: Message, at: str | None) -> Step:
    said, ident = text_of(message.get("content")), text(message.get("id"))
    drafts: Drafts = ()
    if said:
        spoken = Text(
            role="assistant", text=said, stop_reason="completed", fidelity=fidelity_of(message)
        )
        state, drafts = _once(state, "assistant", ident, (spoken,), at)
    for each in listing(message.get("toolCalls")):
        state, more = _once(state, "call", _call_id(each), (_call(mapping(each)),), at)
        drafts += more
    return state, drafts


def _reasoning(state: State, message: Message, at: str | None) -> Step:
    thought = Thinking(
        role="assistant",
        thinking=text_of(message.get("content")),
        stop_reason="completed",
        fidelity=fidelity_of(message),
    )
    return _once(state, "reasoning", text(message.get("id")), (thought,), at)


def _tool(state: State, message: Message, at: str | None) -> Step:
    output = tool_output(message)
    if state.results.get(output.tool_call_id) == output:
        return state, ()
    return with_result(state, output), (draft(output, at),)


def _activity(state: State, message: Message, at: str | None) -> Step:
    ident = text(message.get("id"))
    content = Patched(document=frozen_object(message.get("content")))
    activity = Activity(kind=text(message.get("activityType")), content=content)
    if state.activities.get(ident) == activity:
        return state, ()
    return activity_shown(state, ident, activity, at)


def _instruction(role: str) -> Callable[[State, Message, str | None], Step]:
    def case(state: State, message: Message, at: str | None) -> Step:
        said = text_of(message.get("content"))
        notices = () if is_blank(said) else (Notice(name=f"{role}_message", text=said),)
        return _once(state, role, text(message.get("id")), notices, at)

    return case


def _call(call: Message) -> ToolCall:
    function = mapping(call.get("function"))
    return ToolCall(
        role="assistant",
        name=name(function.get("name")) or "",
        arguments=text(function.get("arguments")),
        tool_call_id=text(call.get("id")),
        stop_reason="completed",
        fidelity=fidelity_of(call),
    )


def _call_id(call: Any) -> str:
    return text(mapping(call).get("id"))


_ROLES: dict[str, Callable[[State, Message, str | None], Step]] = {
    "user": _user,
    "assistant": _assistant,
    "reasoning": _reasoning,
    "tool": _tool,
    "activity": _activity,
    "system": _instruction("system"),
    "developer": _instruction("developer"),
}
