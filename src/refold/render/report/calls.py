"""A tool card: folded to a line that says what was called and how it went.

Rules of this file:

- How it went is said in words; colour and sign only repeat them.
- A nested session stands behind the card it belongs to, in a fold of its own.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from refold.items import ToolCallItem
from refold.markers import is_blank
from refold.render.commands import command_text
from refold.render.numbers import duration_text
from refold.render.report.bodies import first_line, images, json_body, text_body
from refold.render.report.html import Content, Html, element, joined
from refold.render.report.scenes import Scene

__all__ = ["call_card"]

Outcome: TypeAlias = Literal["good", "bad", "open"]

_SIGNS: Final[dict[Outcome, str]] = {"good": "●", "bad": "✕", "open": "○"}
_DECISIONS: Final = {"allow": "allowed", "deny": "denied", "forbidden": "forbidden"}
_RAN: Final = (None, "completed")


def call_card(card: ToolCallItem, scene: Scene, nested: Html | None) -> Html:
    """Return a tool card.

    Args:
        card: the card.
        scene: where it stands.
        nested: the session it started, if it did.
    """
    outcome = _outcome(card)
    summary = element(
        "summary",
        {},
        element("span", {"class": "sign", "aria-hidden": "true"}, _SIGNS[outcome]),
        element("code", {"class": "name"}, card.name or "(no name)"),
        element("span", {"class": "brief"}, _brief(card)),
        element("span", {"class": "remarks"}, " · ".join(_remarks(card))),
    )
    return element(
        "article",
        {"class": f"item call {outcome}", "id": scene.id_of(card.key)},
        element("details", {}, summary, element("div", {"class": "inside"}, *_inside(card, scene))),
        scene.time_of(card.key, card.call_started_at_ms or card.arg_started_at_ms),
        *([] if nested is None else [nested]),
    )


def _outcome(card: ToolCallItem) -> Outcome:
    if card.decision in ("deny", "forbidden"):
        return "bad"
    if card.call_stop_reason not in _RAN or card.output_stop_reason not in _RAN:
        return "bad"
    return "good" if card.output_complete else "open"


def _brief(card: ToolCallItem) -> str:
    arguments = card.parsed_arguments
    values = arguments.values() if isinstance(arguments, dict) else ()
    told = next(filter(None, map(_told, values)), "")
    return first_line(told or card.arguments_text)


def _told(value: Any) -> str:
    """Return a text, or a list of texts as the command line it mostly is; empty for other data."""
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return command_text(value)
    return value.strip() if isinstance(value, str) else ""


def _remarks(card: ToolCallItem) -> list[str]:
    said: list[str] = []
    if card.decision is not None:
        said.append(_DECISIONS.get(card.decision, card.decision))
    reasons = dict.fromkeys((card.call_stop_reason, card.output_stop_reason))
    said += [reason for reason in reasons if reason is not None and reason not in _RAN]
    if not card.output_complete:
        said.append("no output")
    if card.duration_ms is not None:
        said.append(duration_text(card.duration_ms))
    return said


def _inside(card: ToolCallItem, scene: Scene) -> list[Content]:
    arguments = card.parsed_arguments
    called = (
        json_body(arguments, scene.longest)
        if isinstance(arguments, dict)
        else text_body(card.arguments_text, scene.longest)
    )
    shown = joined([_output(card, scene), images(card.images, f"from {card.name or 'a tool'}")])
    return [
        _part("Arguments", called if card.arguments_text.strip() else _nothing("no arguments")),
        _part("Output", shown),
        element("p", {"class": "note"}, f"call {card.tool_call_id}"),
    ]


def _output(card: ToolCallItem, scene: Scene) -> Html:
    if not is_blank(card.output):
        return text_body(card.output, scene.longest)
    return (
        _nothing("empty" if card.output_complete else "none yet") if not card.images else Html("")
    )


def _nothing(words: str) -> Html:
    return element("p", {"class": "note"}, f"({words})")


def _part(title: str, body: Html) -> Html:
    return element("div", {"class": "part"}, element("div", {"class": "by"}, title), body)
