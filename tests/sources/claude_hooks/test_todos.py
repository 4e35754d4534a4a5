"""The todo list, as hooks tell of it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from refold.json_values import JsonObject
from refold.sources.claude_hooks import todos as ledgers
from refold.sources.claude_hooks.hooks import Hook, read_hook
from refold.sources.claude_hooks.todos import MOST_TASKS, Todos, visible
from tests.sources.claude_hooks.strategies import hook_logs


def created(task_id: str, subject: str | None = None) -> Hook:
    return Hook(event="TaskCreated", task_id=task_id, task_subject=subject)


def completed(task_id: str) -> Hook:
    return Hook(event="TaskCompleted", task_id=task_id)


def updated(task_id: str, status: str) -> Hook:
    return Hook(event="PostToolUse", task_id=task_id, task_status=status)


def run(*hooks: Hook) -> list[list[tuple[Any, Any]]]:
    """Return each list that was told, as content and status."""
    state, told = Todos(), []
    for each in hooks:
        state, lists = ledgers.step(state, each)
        told += [[(entry["content"], entry["status"]) for entry in one] for one in lists]
    return told


def test_a_created_task_is_pending_and_its_active_form_is_its_content() -> None:
    _, lists = ledgers.step(Todos(), created("1", "Write tests"))
    entry = {"content": "Write tests", "status": "pending", "activeForm": "Write tests"}
    assert lists == ((JsonObject(entry),),)


def test_each_event_that_changes_the_list_tells_all_of_it_in_order_of_creation() -> None:
    assert run(created("1", "Fix"), created("2"), completed("1"), updated("2", "in_progress")) == [
        [("Fix", "pending")],
        [("Fix", "pending"), ("2", "pending")],
        [("Fix", "completed"), ("2", "pending")],
        [("Fix", "completed"), ("2", "in_progress")],
    ]


def test_a_todo_write_passes_untouched_and_touches_no_task() -> None:
    entries = (JsonObject({"content": "a", "odd": 1}),)
    state, _ = ledgers.step(Todos(), created("1"))
    assert ledgers.step(state, Hook(event="PostToolUse", todos=entries)) == (state, (entries,))


def test_a_task_created_again_is_pending_again_and_renamed() -> None:
    assert run(created("1", "old"), completed("1"), created("1", "new"))[-1] == [("new", "pending")]
    assert run(created("1", "old"), completed("1"), created("1"))[-1] == [("old", "pending")]


def test_a_task_that_was_never_created_is_not_listed() -> None:
    assert run(completed("1"), updated("2", "x"), created("3")) == [[("3", "pending")]]


def test_an_event_that_changes_nothing_tells_nothing_and_returns_the_same_state() -> None:
    state, _ = ledgers.step(Todos(), created("1"))
    for hook in (created("1"), Hook(event="TaskCreated"), Hook(event="Stop", task_id="1")):
        assert ledgers.step(state, hook) == (state, ())
        assert ledgers.step(state, hook)[0] is state


def test_a_subagents_tasks_are_not_the_sessions() -> None:
    child = Hook(event="TaskCreated", task_id="1", agent=True)
    assert ledgers.step(Todos(), child) == (Todos(), ())


def test_a_client_shows_entries_in_words_with_a_status_it_knows() -> None:
    good = {"content": "a", "status": "pending", "activeForm": "a"}
    entries = [
        good,
        {**good, "status": "deleted"},
        {**good, "content": 3},
        {**good, "activeForm": None},
    ]
    assert visible(tuple(JsonObject(each) for each in entries)) == (JsonObject(good),)


def test_the_list_is_bounded() -> None:
    state = Todos()
    for number in range(MOST_TASKS + 10):
        state, _ = ledgers.step(state, created(str(number)))
    assert len(state.tasks) == MOST_TASKS


@given(st.lists(hook_logs(), max_size=10))
def test_a_hook_read_twice_in_a_row_changes_nothing_the_second_time(logs: list[Any]) -> None:
    state = Todos()
    for each in logs:
        hook = read_hook(each)
        if hook is not None:
            state, _ = ledgers.step(state, hook)
            assert ledgers.step(state, hook)[0] is state
