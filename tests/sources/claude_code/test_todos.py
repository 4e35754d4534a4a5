"""The todo list is what the results of its tools say."""

from __future__ import annotations

from typing import Any

import pytest

from refold.json_values import thaw
from tests.sources.claude_code.transcripts import Raw, assistant, call, facts_of, result


def todos(*records: Raw) -> Any:
    return thaw(facts_of(*records).get("todos"))


def done(name: str, given: Raw, told: Any, id: str = "t", **fields: Any) -> list[Raw]:
    used = {"type": "tool_use", "id": id, "name": name, "input": given}
    return [
        assistant(used, uuid=f"a{id}", id=f"m{id}"),
        result(id, uuid=f"r{id}", toolUseResult=told, **fields),
    ]


def entry(content: str, status: str) -> Raw:
    return {"content": content, "status": status, "activeForm": content}


ONE = [{"content": "a", "status": "pending", "activeForm": "doing a"}]
TWO = [{"content": "a", "status": "completed", "activeForm": "doing a"}]


def test_the_result_of_a_write_tells_the_whole_list() -> None:
    assert todos(*done("TodoWrite", {"todos": ONE}, {"newTodos": TWO})) == TWO


def test_without_it_the_call_does() -> None:
    assert todos(*done("TodoWrite", {"todos": ONE}, "ok")) == ONE


def test_what_was_refused_or_failed_changes_nothing() -> None:
    assert todos(*done("TodoWrite", {"todos": ONE}, {"newTodos": ONE}, is_error=True)) is None


def test_tasks_are_listed_in_order_of_creation() -> None:
    records = [
        *done("TaskCreate", {"subject": "one"}, {"task": {"id": "1", "subject": "one"}}, "c1"),
        *done("TaskCreate", {"subject": "two"}, {"task": {"id": "2"}}, "c2"),
        *done(
            "TaskUpdate",
            {"taskId": "1", "status": "in_progress"},
            {"taskId": "1", "statusChange": {"from": "pending", "to": "in_progress"}},
            "u1",
        ),
    ]
    assert todos(*records) == [entry("one", "in_progress"), entry("two", "pending")]
    renamed = done("TaskUpdate", {"taskId": "2", "subject": "three"}, {}, "u2")
    assert todos(*records, *renamed) == [entry("one", "in_progress"), entry("three", "pending")]
    deleted = done("TaskUpdate", {"taskId": "1", "status": "deleted"}, {}, "u3")
    assert todos(*records, *deleted) == [entry("two", "pending")]
    again = done("TaskCreate", {}, {"task": {"id": "1", "subject": "anew"}}, "c3")
    assert todos(*records, *again) == [entry("anew", "pending"), entry("two", "pending")]


def test_an_update_of_a_task_nobody_created_lists_nothing() -> None:
    assert todos(*done("TaskUpdate", {"taskId": "9", "status": "completed"}, {})) is None


@pytest.mark.parametrize("told", [None, "x", 7, [], {}, {"task": 1}, {"newTodos": {}}])
@pytest.mark.parametrize("name", ["TodoWrite", "TaskCreate", "TaskUpdate"])
def test_odd_results_say_nothing(name: str, told: Any) -> None:
    assert todos(*done(name, {}, told)) is None


def test_a_long_list_is_bounded() -> None:
    records = [
        record
        for each in range(300)
        for record in done("TaskCreate", {}, {"task": {"id": str(each)}}, f"c{each}")
    ]
    assert len(todos(*records)) == 200


def test_a_call_whose_input_is_odd_is_still_a_call() -> None:
    used = call("t", "TodoWrite")
    used["input"] = "todos"
    assert todos(assistant(used), result("t")) is None
