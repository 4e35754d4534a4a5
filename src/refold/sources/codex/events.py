"""Events of a rollout: what was shown on the screen while the model's items were made.

Rules of this file (census.md X0-X4, X7, X10):

- One table from an event's type to what takes it; what only says again what an item says, or
  concerns no view, is in it and says nothing. A type that isn't in it is counted.
- A begin of something done is the model's item again; its end is in ``deed_events``.
"""

from __future__ import annotations

from typing import Any

from refold.records import evolve
from refold.sources.codex.deed_events import DEED_EVENTS, Event
from refold.sources.codex.items import take_item
from refold.sources.codex.knowledge import compacted, learn, note
from refold.sources.codex.response_items import Taker
from refold.sources.codex.talk import agent_says, thought_section, user_says
from refold.sources.codex.threads import Thread
from refold.sources.codex.tokens import token_counts
from refold.sources.codex.turns import turn_aborted, turn_begun, turn_done, turn_failed
from refold.sources.fields import frozen, listing, mapping, name, text
from refold.sources.logs.clocks import absolute
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import compact, first_text, number

__all__ = ["EVENTS", "take_event"]


def take_event(thread: Thread, event: Event, spot: Spot) -> Thread:
    """Take an event.

    Args:
        thread: the session.
        event: it, of any shape.
        spot: where it was.
    """
    kind = text(event.get("type"))
    taker = EVENTS.get(kind)
    if taker is None:
        return evolve(
            thread, oddities=(*thread.oddities, f"unknown event: {kind or 'without a type'}")
        )
    return taker(thread, event, spot)


# --- something said -------------------------------------------------------------------------


def _user(thread: Thread, event: Event, spot: Spot) -> Thread:
    if event.get("kind") not in (None, "plain") and text(event.get("message")).startswith("<"):
        return thread
    images = [each for each in listing(event.get("images")) if name(each)]
    return user_says(thread, text(event.get("message")), images, "event", spot)


def _agent(thread: Thread, event: Event, spot: Spot) -> Thread:
    phase = first_text(event, "phase")
    return agent_says(thread, text(event.get("message")), phase, "event", spot)


def _thought(thread: Thread, event: Event, spot: Spot) -> Thread:
    return thought_section(thread, text(event.get("text")), spot)


def _item(thread: Thread, event: Event, spot: Spot) -> Thread:
    begun = absolute(event.get("started_at_ms"))
    since = None if begun is None else Spot(timestamp=begun, line=spot.line)
    return take_item(thread, mapping(event.get("item")), spot, since)


# --- what happens to the thread -------------------------------------------------------------


def _tokens(thread: Thread, event: Event, spot: Spot) -> Thread:
    info = mapping(event.get("info"))
    thread = _window(thread, info, spot)
    if event.get("rate_limits"):
        thread = learn(thread, "rate_limits", frozen(event["rate_limits"]), spot)
    return token_counts(thread, info.get("total_token_usage"), info.get("last_token_usage"), spot)


def _window(thread: Thread, fields: dict[str, Any], spot: Spot) -> Thread:
    window = number(fields.get("model_context_window"))
    return learn(thread, "context_window", window, spot) if window else thread


def _begun(thread: Thread, event: Event, spot: Spot) -> Thread:
    return _window(turn_begun(thread), event, spot)


def _done(thread: Thread, event: Event, spot: Spot) -> Thread:
    error = mapping(event.get("error"))
    fault = first_text(error, "message") or (compact(error) if error else None)
    return turn_done(thread, fault, spot)


def _aborted(thread: Thread, event: Event, spot: Spot) -> Thread:
    return turn_aborted(thread, name(event.get("reason")), spot)


def _error(thread: Thread, event: Event, spot: Spot) -> Thread:
    return turn_failed(thread, text(event.get("message")) or "error", spot)


def _noted(notice: str, *fields: str) -> Taker:
    def take(thread: Thread, event: Event, spot: Spot) -> Thread:
        return note(thread, notice, first_text(event, *fields), spot)

    return take


def _reviewed(thread: Thread, event: Event, spot: Spot) -> Thread:
    review = mapping(event.get("review_output"))
    said = first_text(review, "overall_explanation", "overall_correctness")
    return note(thread, "review_finished", said, spot, frozen(review.get("findings")))


def _compacted(thread: Thread, event: Event, spot: Spot) -> Thread:
    return compacted(thread, "event", "", spot)


def _fact(fact: str, field: str) -> Taker:
    def take(thread: Thread, event: Event, spot: Spot) -> Thread:
        return learn(thread, fact, frozen(event.get(field)), spot)

    return take


def _settings(thread: Thread, event: Event, spot: Spot) -> Thread:
    model = first_text(mapping(event.get("thread_settings")), "model")
    return thread if model is None else learn(thread, "model", model, spot)


def _silent(thread: Thread, event: Event, spot: Spot) -> Thread:
    return thread


EVENTS: dict[str, Taker] = {
    **DEED_EVENTS,
    "user_message": _user,
    "agent_message": _agent,
    "agent_reasoning": _thought,
    "agent_reasoning_raw_content": _silent,
    "agent_reasoning_section_break": _silent,
    "item_completed": _item,
    "item_started": _silent,
    "exec_command_begin": _silent,
    "patch_apply_begin": _silent,
    "mcp_tool_call_begin": _silent,
    "dynamic_tool_call_request": _silent,
    "web_search_begin": _silent,
    "image_generation_begin": _silent,
    "collab_agent_spawn_begin": _silent,
    "collab_agent_interaction_begin": _silent,
    "collab_waiting_begin": _silent,
    "collab_resume_begin": _silent,
    "collab_close_begin": _silent,
    "token_count": _tokens,
    "task_started": _begun,
    "turn_started": _begun,
    "task_complete": _done,
    "turn_complete": _done,
    "turn_aborted": _aborted,
    "error": _error,
    "stream_error": _noted("reconnecting", "message"),
    "warning": _noted("warning", "message"),
    "background_event": _silent,
    "undo_started": _silent,
    "undo_completed": _noted("undo", "message"),
    "entered_review_mode": _noted("review_started", "user_facing_hint"),
    "exited_review_mode": _reviewed,
    "context_compacted": _compacted,
    "thread_name_updated": _fact("title", "thread_name"),
    "thread_goal_updated": _fact("goal", "goal"),
    "thread_rolled_back": _noted("rolled_back"),
    "thread_settings_applied": _settings,
    "plan_update": _fact("plan", "plan"),
    "turn_diff": _silent,
    "session_configured": _silent,
    "shutdown_complete": _silent,
}
