"""Reading hook records: every field checked, nothing coerced."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from refold.json_values import JsonObject
from refold.sources.claude_hooks.hooks import Annotations, Hook, read_hook
from tests.sources.claude_hooks.strategies import EPOCH_MS, any_json, hook, hook_logs


def test_a_hook_record_is_an_envelope_with_a_payload() -> None:
    value = hook("Stop", at=1.5, session_id="s1", transcript_path="/p/s1.jsonl")
    assert read_hook(value, 7) == Hook(
        event="Stop",
        at_ms=EPOCH_MS + 1500,
        line=7,
        session_id="s1",
        transcript_path="/p/s1.jsonl",
        background=0,
    )


def test_a_bare_payload_is_a_hook_record_without_a_time() -> None:
    assert read_hook({"hook_event_name": "PreCompact"}) == Hook(event="PreCompact")


def test_a_field_of_the_wrong_type_is_absent() -> None:
    value = {
        "recorded_at": True,
        "payload": {
            "hook_event_name": "TaskCreated",
            "task_id": 3,
            "task_subject": ["x"],
            "session_id": "",
            "omnigent_claude_session_was_seen": "no",
            "omnigent_fork_detected": 1,
        },
    }
    assert read_hook(value) == Hook(event="TaskCreated")


@pytest.mark.parametrize("value", [None, 3, "Stop", [], {}, {"payload": {"hook_event_name": 4}}])
def test_what_names_no_event_is_no_hook(value: Any) -> None:
    assert read_hook(value) is None


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1e300, 10**400, 1e12])
def test_an_absurd_time_is_no_time(seconds: Any) -> None:
    found = read_hook({"recorded_at": seconds, "payload": {"hook_event_name": "Stop"}})
    assert found == Hook(event="Stop", background=0)


def test_unknown_background_tasks_count_as_live_and_ended_ones_do_not() -> None:
    ended = [{"status": each} for each in ("completed", "failed", "stopped", "killed")]
    live = [{"status": "running"}, {"status": "odd"}, {"status": ["completed"]}, {}, "shell", None]
    found = read_hook(hook("Stop", background_tasks=ended + live))
    assert found is not None and found.background == 6


@pytest.mark.parametrize("tasks", [None, {}, "x", 3])
def test_a_stop_without_a_list_of_tasks_counts_none(tasks: Any) -> None:
    found = read_hook(hook("Stop", background_tasks=tasks))
    assert found is not None and found.background == 0


def test_only_a_stop_counts_background_tasks() -> None:
    found = read_hook(hook("StopFailure", background_tasks=[{}]))
    assert found is not None and found.background is None


@pytest.mark.parametrize(
    "path", ["/p/s1/subagents/agent-a7.jsonl", "C:\\p\\subagents\\agent-a7.jsonl"]
)
def test_a_transcript_under_subagents_makes_a_hook_the_subagents(path: str) -> None:
    found = read_hook(hook("Stop", transcript_path=path))
    assert found is not None
    assert (found.agent, found.agent_id) == (True, "a7")


def test_a_folder_that_is_only_named_alike_does_not() -> None:
    found = read_hook(hook("Stop", transcript_path="/p/subagents-old/s1.jsonl"))
    assert found is not None and not found.agent


def test_a_subagent_stop_names_its_agent_itself_or_by_its_own_transcript() -> None:
    own = "/p/s1/subagents/agent-a7.jsonl"
    by_path = read_hook(
        hook("SubagentStop", transcript_path="/p/s1.jsonl", agent_transcript_path=own)
    )
    by_id = read_hook(hook("SubagentStop", transcript_path="/p/s1.jsonl", agent_id="b8"))
    assert by_path is not None and (by_path.agent, by_path.agent_id) == (True, "a7")
    assert by_id is not None and (by_id.agent, by_id.agent_id) == (True, "b8")


def test_the_todos_of_a_todo_write_are_its_objects_as_they_are() -> None:
    value = hook("PostToolUse", tool_name="TodoWrite", tool_input={"todos": [{"a": [1]}, 3, "x"]})
    found = read_hook(value)
    assert found is not None and found.todos == (JsonObject({"a": (1,)}),)


def test_a_todo_nested_without_end_is_cut() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5_000):
        deep = {"in": deep}
    found = read_hook(hook("PostToolUse", tool_name="TodoWrite", tool_input={"todos": [deep]}))
    assert found is not None and found.todos is not None and "…" in repr(found.todos)


def test_the_input_of_another_tool_says_nothing() -> None:
    todos = {"todos": [{}], "taskId": "1", "status": "done"}
    found = read_hook(hook("PostToolUse", tool_name="Bash", tool_input=todos))
    assert found == Hook(event="PostToolUse")


def test_the_wrappers_annotations_are_read() -> None:
    value = hook(
        "SessionStart",
        source="resume",
        omnigent_previous_claude_session_id="old",
        omnigent_claude_session_was_seen=False,
        omnigent_clear_rotated_to="h1",
        omnigent_fork_detected=True,
        omnigent_fork_rotated_to="h2",
    )
    found = read_hook(value)
    assert found is not None and found.annotations == Annotations(
        previous="old", was_seen=False, cleared_to="h1", fork_detected=True, forked_to="h2"
    )


@given(any_json | hook_logs())
def test_reading_any_json_never_raises(value: Any) -> None:
    found = read_hook(value, 1)
    assert found is None or found.event
