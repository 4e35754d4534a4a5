"""The events of the Responses API.

Rules of this file:

- A response is a request: it begins when it is created and ends as its status says. ``completed``
  and ``incomplete`` are ends of a request that went well; the second says why it is short.
- The last event repeats the items; those that had no ``done`` are shown from it.
- ``sequence_number`` decides nothing: it restarts, has gaps, or isn't there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.maps import EMPTY_MAP
from refold.messages import Notice
from refold.records import evolve
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import listing, mapping, moment, name, text
from refold.sources.openai_sse.addresses import index_by_id
from refold.sources.openai_sse.deltas import DELTA_EVENTS
from refold.sources.openai_sse.item_events import item_added, item_done, item_shown
from refold.sources.openai_sse.requests import begun, closed, cut, ended, failed, with_usage
from refold.sources.openai_sse.state import Event, State, Step

__all__ = ["RESPONSE_EVENTS", "whole_response"]

Case: TypeAlias = Callable[[State, Event, str | None], Step]

_SECOND_MS = 1000


def _created(state: State, event: Event, at: str | None) -> Step:
    state, over = cut(state, at)
    state, begin = _response_begun(state, event, at)
    return state, (*over, *begin)


def _in_progress(state: State, event: Event, at: str | None) -> Step:
    """Begin a response whose ``created`` was missed."""
    return (state, ()) if state.request is not None else _response_begun(state, event, at)


def _response_begun(state: State, event: Event, at: str | None) -> Step:
    response = mapping(event.get("response"))
    began = at or moment(response.get("created_at"), _SECOND_MS)
    ident, model = text(response.get("id")), name(response.get("model"))
    return begun(state, ident, model, began, api="responses")


def _completed(state: State, event: Event, at: str | None) -> Step:
    response = mapping(event.get("response"))
    at = at or moment(response.get("completed_at"), _SECOND_MS)
    state, drafts = _rest_shown(state, response, at)
    reason = text(response.get("status")) or "completed"
    state, open_ones = closed(state, at, "completed" if reason == "incomplete" else reason)
    state = _with_usage(state, response)
    state, end = ended(state, at)
    return state, (*drafts, *open_ones, *_why_incomplete(response, at), *end)


def _with_usage(state: State, response: dict[str, Any]) -> State:
    if state.request is None:
        return state
    return evolve(state, request=with_usage(state.request, response.get("usage")))


def _why_incomplete(response: dict[str, Any], at: str | None) -> Drafts:
    why = name(mapping(response.get("incomplete_details")).get("reason"))
    return () if why is None else (draft(Notice(name="incomplete", text=why), at),)


def _rest_shown(state: State, response: dict[str, Any], at: str | None) -> Step:
    drafts: Drafts = ()
    for index, item in enumerate(listing(response.get("output"))):
        if not _is_done(state, index, mapping(item)):
            state, more = item_shown(state, str(index), mapping(item), at)
            drafts += more
    return state, drafts


def _is_done(state: State, index: int, item: Event) -> bool:
    done = EMPTY_MAP if state.request is None else state.request.done
    return str(index) in done or index_by_id(text(item.get("id"))) in done


def _failed(state: State, event: Event, at: str | None) -> Step:
    response = mapping(event.get("response"))
    return failed(_with_usage(state, response), response.get("error"), at)


def _cancelled(state: State, event: Event, at: str | None) -> Step:
    response = mapping(event.get("response"))
    state, drafts = _rest_shown(state, response, at)
    state, over = cut(_with_usage(state, response), at)
    return state, (*drafts, *over)


def _error(state: State, event: Event, at: str | None) -> Step:
    problem = event.get("error")
    return failed(state, problem if isinstance(problem, dict) else event, at)


def whole_response(state: State, response: Event, at: str | None) -> Step:
    """Show a response that didn't stream, as if it had (laws.md, law 12).

    Args:
        state: the state.
        response: the response object.
        at: when it came, as a timestamp.
    """
    event = {"response": response}
    state, begin = _created(state, event, at)
    end = _FINAL.get(text(response.get("status")), _completed)
    state, drafts = end(state, event, at)
    return state, (*begin, *drafts)


def _silent(state: State, event: Event, at: str | None) -> Step:
    """What another event says in full."""
    return state, ()


_FINAL: dict[str, Case] = {
    "completed": _completed,
    "incomplete": _completed,
    "failed": _failed,
    "cancelled": _cancelled,
}

_SILENT = (
    "response.content_part.added",
    "response.content_part.done",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_part.done",
    "response.reasoning_summary_text.done",
    "response.reasoning_text.done",
    "response.refusal.delta",
    "response.refusal.done",
    "response.output_text.annotation.added",
    "response.code_interpreter_call.in_progress",
    "response.code_interpreter_call.interpreting",
    "response.code_interpreter_call.completed",
    "response.file_search_call.in_progress",
    "response.file_search_call.searching",
    "response.file_search_call.completed",
    "response.image_generation_call.in_progress",
    "response.image_generation_call.generating",
    "response.image_generation_call.completed",
    "response.web_search_call.in_progress",
    "response.web_search_call.searching",
    "response.web_search_call.completed",
    "response.mcp_call.in_progress",
    "response.mcp_call.completed",
    "response.mcp_call.failed",
    "response.mcp_list_tools.in_progress",
    "response.mcp_list_tools.completed",
    "response.mcp_list_tools.failed",
    "response.shell_call_output_content.delta",
    "response.shell_call_output_content.done",
    "response.compaction.compacting",
    "response.audio.delta",
    "response.audio.done",
    "response.audio.transcript.delta",
    "response.audio.transcript.done",
    "keepalive",
)

RESPONSE_EVENTS: dict[str, Case] = {
    **dict.fromkeys(_SILENT, _silent),
    **DELTA_EVENTS,
    "response.created": _created,
    "response.queued": _in_progress,
    "response.in_progress": _in_progress,
    "response.completed": _completed,
    "response.incomplete": _completed,
    "response.failed": _failed,
    "response.cancelled": _cancelled,
    "error": _error,
    "response.output_item.added": item_added,
    "response.output_item.done": item_done,
}
