from __future__ import annotations

from typing import Any

import pytest

from refold.json_values import freeze
from refold.messages import ApprovalDecision, ToolCallOutput
from tests.sources.claude_stream_json.strategies import (
    assistant,
    fold,
    messages_of,
    payloads_of,
    result,
    text,
    tool_result,
    tool_use,
    user,
)

REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected."


def outputs(values: list[dict[str, Any]]) -> list[ToolCallOutput]:
    return [each for each in payloads_of(values) if isinstance(each, ToolCallOutput)]


@pytest.mark.parametrize("told", ["Error: x", {"stdout": "y"}, None, [], 7])
def test_the_clients_own_form_of_a_result_may_be_anything(told: Any) -> None:
    assert outputs([tool_result("t", "ok", tool_use_result=told)]) == [
        ToolCallOutput(role="user", output="ok", tool_call_id="t", stop_reason="completed")
    ]


def test_an_error_has_failed_and_an_interrupted_tool_is_aborted() -> None:
    failed = outputs([tool_result("t", "no", is_error=True)])
    aborted = outputs([tool_result("t", "", tool_use_result={"interrupted": True})])

    assert (failed[0].stop_reason, aborted[0].stop_reason) == ("failed", "aborted")


def test_a_refusal_is_a_decision_in_front_of_an_aborted_result() -> None:
    values = [assistant("m", tool_use("t")), tool_result("t", REFUSED, is_error=True)]

    assert payloads_of(values)[-2:] == [
        ApprovalDecision(decision="deny", tool_call_id="t"),
        ToolCallOutput(role="user", output=REFUSED, tool_call_id="t", stop_reason="aborted"),
    ]


def test_the_result_of_an_unknown_call_is_kept() -> None:
    session = fold([tool_result("t99", "late"), assistant("m", text("ok"))])

    assert [(each.kind, getattr(each, "output", "")) for each in session.items] == [
        ("tool_call", "late"),
        ("assistant_text", ""),
    ]


def test_a_result_belongs_to_the_lane_that_made_the_call() -> None:
    values = [
        assistant("m", tool_use("t1", "Agent")),
        assistant("n", tool_use("t2"), parent_tool_use_id="t1"),
        tool_result("t2", "inner"),
    ]

    last = messages_of(values)[-1]
    assert (last.origin, type(last.payload)) == (("t1",), ToolCallOutput)
    assert fold(values).subagents["t1"].items[0].output == "inner"


def test_results_between_the_records_of_a_message_end_nothing() -> None:
    values = [
        assistant("m", tool_use("t1")),
        tool_result("t1", "one"),
        assistant("m", tool_use("t2")),
        tool_result("t2", "two"),
    ]

    kinds = [each.kind for each in payloads_of([*values, result()])]
    assert kinds.count("request_begin") == kinds.count("request_end") == 1
    assert [each.output for each in fold(values).items] == ["one", "two"]


def test_parts_of_a_result_are_joined_and_unknown_parts_kept() -> None:
    parts = [
        {"type": "tool_reference", "tool_name": "Write"},
        text("and"),
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
    ]
    output = outputs([tool_result("t", parts)])[0]

    assert output.output == '{"type": "tool_reference", "tool_name": "Write"}\nand'
    assert output.images == ("data:image/png;base64,aGk=",)


def test_a_todo_list_is_a_fact() -> None:
    todos = [{"content": "Read", "status": "in_progress"}]
    values = [
        assistant("m", tool_use("t", "TodoWrite")),
        tool_result("t", "done", tool_use_result={"oldTodos": [], "newTodos": todos}),
    ]

    assert fold(values).facts["todos"] == freeze(todos)


def test_one_record_may_hold_several_results() -> None:
    blocks = [{"type": "tool_result", "tool_use_id": each, "content": each} for each in ("a", "b")]
    found = outputs([user(blocks, tool_use_result={"interrupted": True})])

    assert [(each.tool_call_id, each.stop_reason) for each in found] == [
        ("a", "completed"),
        ("b", "completed"),
    ]
