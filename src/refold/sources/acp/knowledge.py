"""What is known of a session besides its conversation: facts and notices.

Rules of this file (sources/README.md, census.md A11, A14):

- A fact is said when it changes and not again: agents repeat lists of commands every turn.
- Of commands and options what a front end shows is kept, not every agent's own additions.
- A notice takes a place among the items: what is being chunked or held is out first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refold.json_values import Json, JsonObject
from refold.messages import Fact, Notice
from refold.records import evolve
from refold.sources.acp.cards import make_room
from refold.sources.acp.content import blocks_text
from refold.sources.acp.lanes import Lane, say
from refold.sources.fields import frozen, mapping, name, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import first, first_text, number, objects

__all__ = ["KNOWLEDGE", "configured", "learn", "note"]

_OPTION_FACTS = {"mode": "mode", "model": "model"}


def learn(lane: Lane, fact: str, value: Json, spot: Spot) -> Lane:
    """Return the lane with a fact said, if it is news.

    Args:
        lane: the session.
        fact: its name.
        value: what it is now.
        spot: where that was said.
    """
    if fact in lane.facts and lane.facts[fact] == value:
        return lane
    lane = evolve(lane, facts=lane.facts.put(fact, value))
    return say(lane, Fact(name=fact, value=value), spot)


def note(lane: Lane, notice: str, words: str | None, spot: Spot, value: Json = None) -> Lane:
    """Return the lane with a notice said.

    Args:
        lane: the session.
        notice: its name.
        words: what it says.
        spot: where it was.
        value: what else it holds.
    """
    lane = evolve(make_room(lane), spoken=True)
    return say(lane, Notice(name=notice, text=words, data=value), spot)


def configured(lane: Lane, setup: dict[str, Any], spot: Spot) -> Lane:
    """Take modes, models and options as a new or loaded session's response says them.

    Args:
        lane: the session.
        setup: the response's result.
        spot: where it was.
    """
    for fact, group, current in (
        ("mode", "modes", "currentModeId"),
        ("model", "models", "currentModelId"),
    ):
        value = name(mapping(setup.get(group)).get(current))
        lane = lane if value is None else learn(lane, fact, value, spot)
    return _options(lane, setup, spot) if "configOptions" in setup else lane


def _plan(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    return learn(lane, "plan", frozen(update.get("entries")), spot)


def _named_plan(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    plan = mapping(update.get("plan"))
    kept = {each: plan[each] for each in ("entries", "content", "uri") if each in plan}
    return _with_plan(lane, text(plan.get("planId")), frozen(kept), spot)


def _plan_removed(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    return _with_plan(lane, text(update.get("planId")), None, spot)


def _with_plan(lane: Lane, identity: str, plan: Json, spot: Spot) -> Lane:
    before = lane.facts.get("plans")
    plans = dict(before) if isinstance(before, JsonObject) else {}
    plans.pop(identity, None)
    if plan is not None:
        plans[identity] = plan
    return learn(lane, "plans", JsonObject(plans), spot)


def _commands(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    kept = [
        {each: command[each] for each in ("name", "description") if command.get(each)}
        for command in objects(update.get("availableCommands"))
    ]
    return learn(lane, "commands", frozen(kept), spot)


def _mode(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    return learn(lane, "mode", first_text(update, "currentModeId", "modeId"), spot)


def _options(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    kept: dict[str, Json] = {}
    for option in objects(update.get("configOptions")):
        identity = first_text(option, "id", "configId") or ""
        kept[identity] = frozen(first(option, "currentValue", "value"))
        fact = _OPTION_FACTS.get(text(option.get("category"))) or _OPTION_FACTS.get(identity)
        if fact is not None:
            lane = learn(lane, fact, kept[identity], spot)
    return learn(lane, "options", JsonObject(kept), spot)


def _title(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    if "title" in update:
        lane = learn(lane, "title", name(update.get("title")), spot)
    meta = mapping(update.get("_meta"))
    status = name(mapping(mapping(meta.get("codex")).get("threadStatus")).get("type"))
    lane = lane if status is None else learn(lane, "status", status, spot)
    goal = meta.get("goal")
    return lane if goal is None else learn(lane, "goal", frozen(goal), spot)


def _context(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    for fact, field in (("context_tokens", "used"), ("context_window", "size")):
        value = number(update.get(field))
        lane = lane if value is None else learn(lane, fact, value, spot)
    cost = mapping(update.get("cost"))
    if cost.get("currency") == "USD":
        return learn(lane, "cost_usd", frozen(cost.get("amount")), spot)
    return learn(lane, "cost", frozen(cost), spot) if cost else lane


def _notice(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    said = [text(update.get("title")), text(update.get("description"))]
    words = "\n".join([each for each in said if each])
    return note(lane, first_text(update, "severity") or "notice", words, spot)


def _message_between(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    between = {
        each: update[each]
        for each in ("senderSessionId", "recipientSessionId")
        if update.get(each) is not None
    }
    words = blocks_text(update.get("content"))
    return note(lane, "session_message", words, spot, frozen(between))


KNOWLEDGE: dict[str, Callable[[Lane, dict[str, Any], Spot], Lane]] = {
    "plan": _plan,
    "plan_update": _named_plan,
    "plan_removed": _plan_removed,
    "available_commands_update": _commands,
    "current_mode_update": _mode,
    "config_option_update": _options,
    "session_info_update": _title,
    "usage_update": _context,
    "notice": _notice,
    "session_message": _message_between,
}
