"""AG-UI's runs, steps and subagent invocations.

Rules of this file:

- A run is what the format accounts by, so it stands as one request: its usage, its end, its
  failure. Which model calls it was made of, the stream doesn't say.
- A run's end completes what it left open: a text or a thinking as it stands, a call as aborted,
  because nobody said that its arguments were whole.
- A request begins in the view behind what a snapshot shows at the run's start (``State.owed``), so
  that the user's message starts the task that the request belongs to.
- A subagent invocation is a nested session, bound to the call that started it where the event
  names it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.json_values import JsonObject
from refold.messages import (
    Abort,
    Fact,
    Notice,
    Payload,
    RequestBegin,
    RequestEnd,
    SessionMeta,
    TokenCounts,
)
from refold.records import evolve
from refold.sources.ag_ui.snapshots import conversation_shown
from refold.sources.ag_ui.state import (
    Event,
    State,
    Step,
    all_closed,
    count,
    lane_closed,
    lane_of,
    origin_of,
    placed,
)
from refold.sources.anthropic_blocks import count as tokens
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import frozen, frozen_object, listing, mapping, name, text
from refold.sources.token_ledger import NO_TOKENS, charged, counts_of

__all__ = ["RUN_EVENTS", "begun", "run_input_shown"]

Case: TypeAlias = Callable[[State, Event, str | None], Step]

_DEEPEST_ORIGIN = 64


def begun(state: State) -> Step:
    """Begin the request of a run that has started, if that is owed."""
    if state.owed is None:
        return state, ()
    (at,) = state.owed
    return evolve(state, owed=None), (draft(RequestBegin(), at),)


def run_input_shown(state: State, request: Any, at: str | None) -> Step:
    """Show what a run was asked: the conversation of a ``RunAgentInput``.

    Args:
        state: the state.
        request: the input, of any JSON type.
        at: when it was sent, as a timestamp.
    """
    return conversation_shown(state, mapping(request).get("messages"), at)


# --- runs -----------------------------------------------------------------------------------


def _run_started(state: State, event: Event, at: str | None) -> Step:
    state, unfinished = _run_cut(state, at)
    state, named = _thread_named(state, text(event.get("threadId")), at)
    state, asked = run_input_shown(state, event.get("input"), at)
    state = evolve(state, running=True, owed=(at,))
    return state, (*unfinished, *named, *asked)


def _run_cut(state: State, at: str | None) -> Step:
    """End what another run's start shows to have been cut."""
    state, closed = all_closed(state, at, "aborted")
    if not state.running:
        return state, closed
    state, begin = begun(state)
    end = draft(RequestEnd(status="aborted"), at)
    return evolve(state, running=False), (*closed, *begin, end)


def _thread_named(state: State, thread: str, at: str | None) -> Step:
    if not thread or thread == state.thread:
        return state, ()
    return evolve(state, thread=thread), (draft(_meta(thread), at),)


def _run_finished(state: State, event: Event, at: str | None) -> Step:
    outcome = mapping(event.get("outcome"))
    cancelled = outcome.get("type") == "cancelled"
    state, closed = all_closed(state, at, "aborted" if cancelled else None)
    state, used = _charged(state, event.get("usage"), at)
    status = "aborted" if cancelled else "completed"
    ends = (draft(RequestEnd(status=status), at),) if state.running else ()
    told = tuple([draft(each, at) for each in _outcome_payloads(event, outcome)])
    return evolve(state, running=False), (*closed, *used, *ends, *told)


def _outcome_payloads(event: Event, outcome: dict[str, Any]) -> tuple[Payload, ...]:
    payloads: list[Payload] = []
    if event.get("result") is not None:
        payloads.append(Fact(name="result", value=frozen(event["result"])))
    if outcome.get("type") == "cancelled":
        payloads.append(Abort(reason="cancelled"))
    if outcome.get("type") == "interrupt":
        payloads += [_interrupt(mapping(each)) for each in listing(outcome.get("interrupts"))]
    return tuple(payloads)


def _interrupt(interrupt: dict[str, Any]) -> Notice:
    said = name(interrupt.get("message")) or name(interrupt.get("reason"))
    return Notice(name="interrupt", text=said, data=frozen_object(interrupt))


def _run_error(state: State, event: Event, at: str | None) -> Step:
    said = text(event.get("message"))
    state, closed = all_closed(state, at, "failed")
    state, used = _charged(state, event.get("usage"), at)
    end = draft(RequestEnd(status="failed", error_message=said), at)
    notice = draft(_failure("run_error", event), at)
    return evolve(state, running=False), (*closed, *used, end, notice)


def _failure(kind: str, event: Event) -> Notice:
    code = name(event.get("code"))
    data = None if code is None else JsonObject({"code": code})
    return Notice(name=kind, text=text(event.get("message")), data=data)


def _charged(state: State, usage: Any, at: str | None) -> Step:
    """Count a run's usage: the entries per provider and model, summed."""
    entries = [_counts(mapping(each)) for each in listing(usage)]
    counts = NO_TOKENS
    for each in entries:
        counts = charged(counts, each).session if each is not None else counts
    if counts == NO_TOKENS:
        return state, ()
    spent = charged(state.session, _with_input(counts, entries))
    return evolve(state, session=spent.session), (draft(spent, at),)


def _counts(entry: dict[str, Any]) -> TokenCounts | None:
    return counts_of(
        input_tokens=tokens(entry.get("inputTokens")),
        cache_read=tokens(entry.get("cachedInputTokens")),
        cache_write=tokens(entry.get("cacheWriteInputTokens")),
        output=tokens(entry.get("outputTokens")),
    )


def _with_input(counts: TokenCounts, entries: list[TokenCounts | None]) -> TokenCounts:
    fresh = sum(tokens(each.extra.get("input")) for each in entries if each is not None)
    return evolve(counts, extra=JsonObject({"input": fresh})) if fresh else counts


# --- steps ----------------------------------------------------------------------------------


def _step_started(state: State, event: Event, at: str | None) -> Step:
    return _told(state, event, at, Fact(name="step", value=text(event.get("stepName"))))


def _step_finished(state: State, event: Event, at: str | None) -> Step:
    return _told(state, event, at, Fact(name="step", value=None))


# --- subagents ------------------------------------------------------------------------------


def _subagent_started(state: State, event: Event, at: str | None) -> Step:
    lane = lane_of(event)
    if not lane:
        return count(state, "subagent without an id"), ()
    if lane in state.origins:
        return _told(state, event, at, RequestBegin())
    origin = _origin_below(state, lane, text(event.get("parentSubagentRunId")))
    state = evolve(state, origins=state.origins.put(lane, origin))
    meta = _meta(
        lane,
        system_prompt=text(event.get("description")),
        source="subagent",
        parent_tool_call_id=name(event.get("parentToolCallId")),
    )
    title = Fact(name="title", value=text(event.get("name")))
    return _told(state, event, at, meta, title, RequestBegin())


def _origin_below(state: State, lane: str, parent: str) -> tuple[str, ...]:
    above = origin_of(state, parent)
    if lane in above or len(above) >= _DEEPEST_ORIGIN:
        return (lane,)
    return (*above, lane)


def _subagent_finished(state: State, event: Event, at: str | None) -> Step:
    state, closed = lane_closed(state, lane_of(event), at)
    suspended = mapping(event.get("outcome")).get("type") == "suspended"
    payloads: list[Payload] = [RequestEnd(status="completed")]
    payloads.append(Fact(name="status", value="suspended" if suspended else "finished"))
    if event.get("result") is not None:
        payloads.append(Fact(name="result", value=frozen(event["result"])))
    state, told = _told(state, event, at, *payloads)
    return state, (*closed, *told)


def _subagent_error(state: State, event: Event, at: str | None) -> Step:
    state, closed = lane_closed(state, lane_of(event), at, failure="failed")
    end = RequestEnd(status="failed", error_message=text(event.get("message")))
    state, told = _told(state, event, at, end, _failure("subagent_error", event))
    return state, (*closed, *told)


def _told(state: State, event: Event, at: str | None, *payloads: Payload) -> Step:
    drafts: Drafts = tuple([draft(each, at) for each in payloads])
    return state, placed(drafts, origin_of(state, lane_of(event)))


def _meta(
    session_id: str,
    *,
    system_prompt: str = "",
    source: str | None = None,
    parent_tool_call_id: str | None = None,
) -> SessionMeta:
    """Describe a session as far as the format does: neither model nor window are in it."""
    return SessionMeta(
        session_id=session_id,
        provider="",
        model_id="",
        model_context_window=0,
        system_prompt=system_prompt,
        agent_state="",
        workspace="",
        source=source,
        parent_tool_call_id=parent_tool_call_id,
    )


RUN_EVENTS: dict[str, Case] = {
    "RUN_STARTED": _run_started,
    "RUN_FINISHED": _run_finished,
    "RUN_ERROR": _run_error,
    "STEP_STARTED": _step_started,
    "STEP_FINISHED": _step_finished,
    "SUBAGENT_STARTED": _subagent_started,
    "SUBAGENT_FINISHED": _subagent_finished,
    "SUBAGENT_ERROR": _subagent_error,
}
