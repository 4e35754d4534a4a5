from __future__ import annotations

from typing import Any

import pytest

from refold.messages import ApprovalDecision
from tests.sources.claude_stream_json.strategies import (
    assistant,
    fold,
    messages_of,
    payloads_of,
    result,
    run,
    tool_result,
    tool_use,
)

CALL = assistant("m", tool_use("t", command="ls"))


def ask(request_id: Any = "cr-7", **fields: Any) -> dict[str, Any]:
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}, **fields}
    return {"type": "control_request", "request_id": request_id, "request": request}


def answer(behaviour: Any, request_id: str = "cr-7", subtype: str = "success") -> dict[str, Any]:
    response = {"request_id": request_id, "subtype": subtype, "response": {"behavior": behaviour}}
    return {"type": "control_response", "response": response}


def decisions(values: list[Any]) -> list[Any]:
    return [each for each in payloads_of(values) if isinstance(each, ApprovalDecision)]


@pytest.mark.parametrize("behaviour", ["allow", "deny"])
def test_the_answer_to_a_permission_request_is_the_decision_on_its_call(behaviour: str) -> None:
    values = [CALL, ask(tool_use_id="t"), answer(behaviour), tool_result("t")]

    assert decisions(values) == [ApprovalDecision(decision=behaviour, tool_call_id="t")]
    assert fold(values).items[0].decision == behaviour


def test_a_question_says_nothing_until_it_is_answered() -> None:
    assert payloads_of([ask(tool_use_id="t")]) == []


def test_a_question_that_names_no_call_means_the_newest_open_one_like_it() -> None:
    values = [
        assistant("m", tool_use("t1", command="ls"), tool_use("t2", command="ls")),
        assistant("m", tool_use("t3", command="pwd"), tool_use("t4", command="ls")),
        tool_result("t4"),
        ask(),
        answer("allow"),
    ]

    assert decisions(values) == [ApprovalDecision(decision="allow", tool_call_id="t2")]


def test_a_question_about_no_known_call_decides_nothing() -> None:
    assert decisions([CALL, ask(tool_name="Write"), answer("allow")]) == []


def test_a_question_that_was_withdrawn_has_no_answer() -> None:
    withdrawal = {"type": "control_cancel_request", "request_id": "cr-7"}

    assert decisions([CALL, ask(tool_use_id="t"), withdrawal, answer("allow")]) == []


def test_a_call_is_decided_once() -> None:
    values = [
        CALL,
        ask(tool_use_id="t"),
        answer("deny"),
        answer("allow"),
        result(permission_denials=[{"tool_use_id": "t"}]),
    ]

    assert decisions(values) == [ApprovalDecision(decision="deny", tool_call_id="t")]


def test_an_answer_that_is_an_error_denies() -> None:
    assert decisions([CALL, ask(tool_use_id="t"), answer(None, subtype="error")]) == [
        ApprovalDecision(decision="deny", tool_call_id="t")
    ]


def test_a_decision_in_front_of_its_card_is_kept() -> None:
    values = [ask(tool_use_id="t"), answer("allow"), CALL]

    assert fold(values).items[0].decision == "allow"


def test_a_decision_belongs_to_the_session_of_its_call() -> None:
    values = [
        assistant("m", tool_use("a", "Agent")),
        assistant("n", tool_use("t"), parent_tool_use_id="a"),
        ask(tool_use_id="t"),
        answer("deny"),
    ]

    assert messages_of(values)[-1].origin == ("a",)


@pytest.mark.parametrize(
    "value",
    [
        answer("allow", "nobody-asked"),
        answer("perhaps"),
        ask(7),
        {"type": "control_request"},
        {"type": "control_response"},
        {"type": "control_cancel_request"},
        {"type": "control_request", "request_id": "x", "request": {"subtype": "hook_callback"}},
    ],
)
def test_whatever_else_is_exchanged_says_nothing(value: dict[str, Any]) -> None:
    assert run([value]) == ([], {})
