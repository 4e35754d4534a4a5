"""What two views are compared by where something can't be told from both.

Rules of this file (laws.md laws 4-6):

- Only what a law leaves out is left out, by name.
"""

from __future__ import annotations

from typing import Any

from refold.folding import finalize
from refold.session import Session
from refold.views import settled, to_json

__all__ = ["confirmed", "timeless"]

_UNCONFIRMED = {
    "tool_call": ("images",),
    "compaction": ("summary_text",),
}
_OF_CALL = (
    "name",
    "arguments_text",
    "call_streaming",
    "call_stop_reason",
    "arg_started_at_ms",
    "call_started_at_ms",
    "duration_ms",
)
_OF_OUTPUT = ("output", "output_streaming", "output_stop_reason", "duration_ms")


def confirmed(session: Session) -> dict[str, Any]:
    """Return what completes and events have placed of a settled view (law 4, without a premise)."""
    return _confirmed(finalize(session), to_json(settled(session)))


def _confirmed(session: Session, view: dict[str, Any]) -> dict[str, Any]:
    unplaced = _unplaced(session)
    items = [_confirmed_item(each) for each in view["items"] if each["key"] not in unplaced]
    dropped = ("items", "subagents", "last_activity_ts_ms")
    kept = {name: value for name, value in view.items() if name not in dropped}
    nested = {
        name: _confirmed(each, view["subagents"][name])
        for name, each in session.subagents.items()
        if each.binding is not None
    }
    return {**kept, "items": items, **({"subagents": nested} if nested else {})}


def _unplaced(session: Session) -> set[str]:
    """Return the keys of what floats or stands: no complete and no event has placed it."""
    placed, standing = session.placed, session.standing
    stand = [placed.at(slot) for slot in range(placed.slots) if standing >> slot & 1]
    return {item.key for item in (*session.floating, *stand)}


def _confirmed_item(item: dict[str, Any]) -> dict[str, Any]:
    dropped = set(_UNCONFIRMED.get(item["kind"], ()))
    if item["kind"] == "tool_call":
        dropped |= set() if item["call_complete"] else set(_OF_CALL)
        dropped |= set() if _is_output_confirmed(item) else set(_OF_OUTPUT)
    return {name: value for name, value in item.items() if name not in dropped}


def _is_output_confirmed(item: dict[str, Any]) -> bool:
    """Tell whether a complete output gave what is shown; a closing leaves what streamed."""
    return bool(item["output_complete"]) and item.get("output_stop_reason") == "completed"


def timeless(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view's JSON without when fragments began: lost or timeless pieces can't tell."""
    kept = {**view, "items": [_timeless_item(each) for each in view["items"]]}
    if "subagents" in view:
        kept["subagents"] = {name: timeless(each) for name, each in view["subagents"].items()}
    return kept


def _timeless_item(item: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in item.items()
        if name not in ("started_at_ms", "arg_started_at_ms", "duration_ms")
    }
