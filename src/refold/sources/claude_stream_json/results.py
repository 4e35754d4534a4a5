"""Results: how a turn ended, what it cost, what was denied in it.

Rules of this file (sources/stream-json-and-acp.md 2.4, 2.5, 7.2; census S3, S4, S11):

- A result ends the turn wherever it stands; what comes behind it belongs to no turn.
- ``is_error`` alone says nothing: a subtype that is an error is one, and a success that calls itself
  an error is an API failure. An error behind an interrupt is the interrupt.
- Its tokens are the turn's last word; its cost is a running total of the run.
- Its text is shown only where the turn said nothing, as in a run that wrote nothing but its result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from refold.markers import is_blank
from refold.messages import Abort, RequestEnd, Text
from refold.records import evolve
from refold.sources.anthropic_blocks import count
from refold.sources.claude_stream_json.calls import decided
from refold.sources.claude_stream_json.compactions import broken_off
from refold.sources.claude_stream_json.knowledge import learn
from refold.sources.claude_stream_json.lanes import said, with_lane
from refold.sources.claude_stream_json.requests import charge, ended, left_message
from refold.sources.claude_stream_json.state import MAIN, Entry, Run, State, Step
from refold.sources.claude_stream_json.tokens import Usage, model_usage_of, usage_of
from refold.sources.claude_stream_json.usage import settled
from refold.sources.claude_stream_json.users import INTERRUPTED
from refold.sources.drafts import Draft
from refold.sources.fields import frozen, listing, mapping, name, text

__all__ = ["result"]

Ending: TypeAlias = Literal["completed", "aborted", "stopped", "failed"]

_FACTS = (
    ("total_cost_usd", "cost_usd"),
    ("modelUsage", "model_usage"),
    ("structured_output", "structured_output"),
)
_TURN = ("subtype", "terminal_reason", "stop_reason", "num_turns", "duration_ms", "duration_api_ms")


def result(state: State, entry: Entry) -> Step:
    """Take a record of type ``result``."""
    ending = _ending(state, entry.value)
    drafts: list[Draft] = []
    for part in _PARTS:
        state, more = part(state, entry, ending)
        drafts.extend(more)
    main = evolve(state.main, active=False)
    return with_lane(evolve(state, run=Run(unechoed=state.run.unechoed)), main), tuple(drafts)


def _ending(state: State, value: dict[str, Any]) -> Ending:
    subtype, reason = text(value.get("subtype")), text(value.get("terminal_reason"))
    if reason.startswith("aborted"):
        return "aborted"
    if subtype == "error_during_execution":
        return "aborted" if state.run.interrupted or state.run.aborted else "stopped"
    if subtype.startswith("error"):
        return "stopped"
    return "failed" if value.get("is_error") is True else "completed"


def _broken_off(state: State, entry: Entry, ending: Ending) -> Step:
    return broken_off(state, entry)


def _denials(state: State, entry: Entry, ending: Ending) -> Step:
    drafts: list[Draft] = []
    for denial in listing(entry.value.get("permission_denials")):
        call_id = name(mapping(denial).get("tool_use_id"))
        if call_id is not None:
            state, more = decided(state, entry, call_id, "deny")
            drafts.extend(more)
    return state, tuple(drafts)


def _words(state: State, entry: Entry, ending: Ending) -> Step:
    words = text(entry.value.get("result"))
    if ending != "completed" or state.run.spoke or is_blank(words):
        return state, ()
    said_so = Text(role="assistant", text=words, stop_reason="completed")
    return state, said(entry, state.main, said_so)


def _tokens(state: State, entry: Entry, ending: Ending) -> Step:
    total = usage_of(entry.value.get("usage"))
    models = model_usage_of(entry.value.get("modelUsage"))
    ledger, parts = settled(state.ledger, total, models, _last_request(entry.value))
    return charge(evolve(state, ledger=ledger), MAIN, parts)


def _last_request(value: dict[str, Any]) -> Usage | None:
    iterations = listing(mapping(value.get("usage")).get("iterations"))
    return usage_of(iterations[-1]) if iterations else None


def _request_end(state: State, entry: Entry, ending: Ending) -> Step:
    message = name(entry.value.get("result")) if ending == "failed" else None
    end = RequestEnd(status=_STATUS[ending], error_message=message)
    state, over = ended(state, MAIN, end)
    state, left = left_message(state, MAIN)
    return state, (*over, *left)


def _facts(state: State, entry: Entry, ending: Ending) -> Step:
    drafts: list[Draft] = []
    told = {each: entry.value[each] for each in _TURN if each in entry.value}
    values = {fact: entry.value.get(field) for field, fact in _FACTS}
    window = _context_window(state, entry.value)
    for fact, value in {"turn": told, **values, "context_window": window}.items():
        if value is not None:
            state, more = learn(state, entry, fact, frozen(value))
            drafts.extend(more)
    return state, tuple(drafts)


def _context_window(state: State, value: dict[str, Any]) -> int | None:
    models = mapping(value.get("modelUsage"))
    model = state.facts.get("model")
    told = mapping(models.get(model)) if isinstance(model, str) else {}
    return count(told.get("contextWindow")) or None


def _abort(state: State, entry: Entry, ending: Ending) -> Step:
    if ending == "completed" or state.run.aborted:
        return state, ()
    reason = INTERRUPTED if ending == "aborted" else _reason(entry.value, ending)
    return state, said(entry, state.main, Abort(reason=reason))


def _reason(value: dict[str, Any], ending: Ending) -> str:
    subtype = text(value.get("subtype"))
    if ending == "failed":
        return text(value.get("result")) or "error"
    errors = [each for each in listing(value.get("errors")) if isinstance(each, str) and each]
    return f"{subtype}: {'; '.join(errors)}" if errors else subtype


_STATUS: dict[Ending, str] = {
    "completed": "completed",
    "stopped": "completed",
    "aborted": "aborted",
    "failed": "failed",
}
_PARTS: tuple[Callable[[State, Entry, Ending], Step], ...] = (
    _broken_off,
    _denials,
    _words,
    _tokens,
    _request_end,
    _facts,
    _abort,
)
