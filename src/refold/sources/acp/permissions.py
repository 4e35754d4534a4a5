"""Questions for permission and their answers.

Rules of this file (stream-json-and-acp.md 4.3):

- What decides is the kind of the option that was chosen. An option that wasn't offered, an error,
  an answer of another shape: all deny. Cancelled decides nothing, the turn is being stopped.
- The question says what the call is, so its card is there before the answer.
"""

from __future__ import annotations

from typing import Any

from refold.sources.acp.card_outputs import decide
from refold.sources.acp.cards import ask
from refold.sources.acp.lanes import Lane
from refold.sources.acp.requests import Request
from refold.sources.fields import mapping, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import objects

__all__ = ["answer_permission", "ask_permission", "options_of", "subject_of"]

_CALL = "tool call"


def subject_of(params: dict[str, Any]) -> dict[str, Any]:
    """Return the call a question is about, wherever its version puts it."""
    subject = mapping(params.get("subject"))
    for place in (params.get("toolCall"), subject.get("toolCall"), subject):
        if "toolCallId" in mapping(place):
            return mapping(place)
    return {}


def options_of(params: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return what an answer needs: the call, and the kind of each option offered."""
    call = (_CALL, text(subject_of(params).get("toolCallId")))
    offered = [
        (f"option {text(each.get('optionId'))}", text(each.get("kind")))
        for each in objects(params.get("options"))
    ]
    return (call, *offered)


def ask_permission(lane: Lane, params: dict[str, Any], spot: Spot) -> Lane:
    """Take a question.

    Args:
        lane: the session.
        params: the request's.
        spot: where it was.
    """
    subject = subject_of(params)
    return ask(lane, subject, spot) if subject else lane


def answer_permission(lane: Lane, request: Request, message: dict[str, Any], spot: Spot) -> Lane:
    """Take an answer.

    Args:
        lane: the session.
        request: the question.
        message: the response.
        spot: where it was.
    """
    outcome = mapping(mapping(message.get("result")).get("outcome"))
    call = request.param(_CALL)
    if outcome.get("outcome") == "cancelled" or not call:
        return lane
    chosen = request.param(f"option {text(outcome.get('optionId'))}")
    allowed = outcome.get("outcome") == "selected" and chosen.startswith("allow")
    allowed = allowed and message.get("error") is None
    return decide(lane, call, "allow" if allowed else "deny", spot)
