"""What decides is the kind of the option chosen; anything else denies."""

from __future__ import annotations

from typing import Any

import pytest

from refold.sources.acp import SOURCE
from tests.sources.acp.wire import asks, call, change, chooses, prompt, request, result
from tests.sources.readings import items, kinds, view_of

ASKED = asks(7, {"toolCallId": "t", "title": "rm -r", "rawInput": {"cmd": "rm"}})


def decision(answer: dict[str, Any], question: dict[str, Any] = ASKED) -> str | None:
    (card,) = items(view_of(SOURCE, [prompt("go"), question, answer]), "tool_call")
    found: str | None = card.get("decision")
    return found


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (chooses(7, "y"), "allow"),
        (chooses(7, "n"), "deny"),
        (chooses(7, "other"), "deny"),
        (result(7, outcome={"outcome": "selected"}), "deny"),
        (result(7, outcome={"outcome": "new"}), "deny"),
        (result(7, outcome={"outcome": "cancelled"}), None),
        ({"jsonrpc": "2.0", "id": 7, "error": {"code": 1, "message": "x"}}, "deny"),
        ({**chooses(7, "y"), "error": {"code": 1}}, "deny"),
        (chooses("7", "y"), None),
    ],
)
def test_the_kind_of_the_option_decides(answer: dict[str, Any], expected: str | None) -> None:
    assert decision(answer) == expected


def test_a_question_makes_the_card_before_the_answer() -> None:
    (card,) = items(view_of(SOURCE, [ASKED]), "tool_call")
    assert (card["name"], card["arguments_text"]) == ("rm -r", '{"cmd":"rm"}')


def test_a_question_about_a_known_call_adds_no_card() -> None:
    records = [call(status="pending", title="rm"), ASKED, chooses(7, "y")]
    assert kinds(view_of(SOURCE, [*records, change(status="completed")])) == ["tool_call"]


def test_in_version_2_the_call_stands_under_the_subject() -> None:
    tool = {"toolCallId": "t", "title": "rm"}
    options = [{"optionId": "y", "kind": "allow_always"}]
    for subject in ({"type": "tool_call", "toolCall": tool}, {"type": "command", **tool}):
        question = request(
            7, "session/request_permission", sessionId="ses", subject=subject, options=options
        )
        assert decision(chooses(7, "y"), question) == "allow"


def test_the_verdict_of_a_reviewing_agent_is_a_decision() -> None:
    reviewed = {"targetItemId": "command-1", "review": {"status": "approved"}}
    records = [
        call("command-1", status="pending", title="ls", rawInput={"cmd": "ls"}),
        change("guardian:1", title="Review", status="completed", rawOutput=reviewed),
    ]
    cards = items(view_of(SOURCE, records), "tool_call")
    assert [each.get("decision") for each in cards] == ["allow", None]
