"""AG-UI's runs and steps.

Rules of this file:

- A run ends a request, as its end, status and usage are the task's; it begins none: which model
  calls it was made of the stream doesn't say, and a rate over tools and waits would be none.
- A run's end completes what it left open: a text or a thinking as it stands, a call as aborted,
  because nobody said that its arguments were whole.
- Nobody retries a run by itself, so one that failed is over: ``abort``, with the reason.
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
    RequestEnd,
    TokenCounts,
)
from refold.records import evolve
from refold.sources.ag_ui.remarks import failure, meta, told
from refold.sources.ag_ui.snapshots import conversation_shown
from refold.sources.ag_ui.state import (
    Event,
    State,
    Step,
    all_closed,
)
from refold.sources.anthropic_blocks import count as tokens
from refold.sources.drafts import draft
from refold.sources.fields import frozen, frozen_object, listing, mapping, name, text
from refold.sources.token_ledger import NO_TOKENS, charged, counts_of

__all__ = ["RUN_EVENTS", "run_input_shown"]

Case: TypeAlias = Callable[[State, Event, str | None], Step]


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
    return evolve(state, running=True), (*unfinished, *named, *asked)


def _run_cut(state: State, at: str | None) -> Step:
    """End what another run's start shows to have been cut."""
    state, closed = all_closed(state, at, "aborted")
    if not state.running:
        return state, closed
    end = draft(RequestEnd(status="aborted"), at)
    return evolve(state, running=False), (*closed, end)


def _thread_named(state: State, thread: str, at: str | None) -> Step:
    if not thread or thread == state.thread:
        return state, ()
    return evolve(state, thread=thread), (draft(meta(thread), at),)


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
    state, closed = all_closed(state, at, "failed")
    state, used = _charged(state, event.get("usage"), at)
    ends = tuple([draft(each, at) for each in failure(event)])
    return evolve(state, running=False), (*closed, *used, *ends)


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
    return told(state, event, at, Fact(name="step", value=text(event.get("stepName"))))


def _step_finished(state: State, event: Event, at: str | None) -> Step:
    return told(state, event, at, Fact(name="step", value=None))


RUN_EVENTS: dict[str, Case] = {
    "RUN_STARTED": _run_started,
    "RUN_FINISHED": _run_finished,
    "RUN_ERROR": _run_error,
    "STEP_STARTED": _step_started,
    "STEP_FINISHED": _step_finished,
}
