"""The todo list, as hooks tell of it.

Rules of this file (sources/claude-code.md 4.7):

- Task events build a list in the order of creation; each that changes it gives the whole list. A
  task created again is renamed and pending again; one that was never created isn't listed.
- A ``TodoWrite`` gives its own entries as they are, and touches no task.
- The transcript holds the same and is read by its own source; this list is only earlier.
"""

from __future__ import annotations

from collections.abc import Callable

from refold.json_values import Json, JsonObject
from refold.records import evolve, record
from refold.sequels import EMPTY_SEQUEL, Sequel
from refold.sources.claude_hooks.hooks import Hook

__all__ = ["MOST_TASKS", "Task", "Todos", "step", "visible"]

MOST_TASKS = 500
_SHOWN = ("pending", "in_progress", "completed")


@record
class Task:
    """A task of the list.

    Args:
        subject: what it is; None if no event said.
        status: as the last event gave it, any text.
    """

    subject: str | None = None
    status: str = "pending"


@record
class Todos:
    """The tasks of a session, by id, in order of creation."""

    tasks: Sequel[Task] = EMPTY_SEQUEL


def step(todos: Todos, hook: Hook) -> tuple[Todos, tuple[tuple[JsonObject, ...], ...]]:
    """Take a hook; return the whole list if the hook changes it.

    Args:
        todos: the state before.
        hook: in the order of the log; one of a subagent changes nothing.
    """
    if hook.agent:
        return todos, ()
    if hook.todos is not None:
        return todos, (hook.todos,)
    change = _CHANGES.get(hook.event)
    tasks = todos.tasks if change is None or hook.task_id is None else change(todos.tasks, hook)
    if tasks is todos.tasks:
        return todos, ()
    after = evolve(todos, tasks=tasks)
    return after, (tuple(_entry(task_id, task) for task_id, task in tasks.items()),)


def visible(entries: tuple[JsonObject, ...]) -> tuple[JsonObject, ...]:
    """Return the entries a client shows: those in words, with a status it knows.

    Args:
        entries: a list that ``step`` gave. A deleted task, say, is not shown.
    """
    return tuple(
        each
        for each in entries
        if isinstance(each.get("content"), str)
        and isinstance(each.get("activeForm"), str)
        and each.get("status") in _SHOWN
    )


def _entry(task_id: str, task: Task) -> JsonObject:
    content = task.subject or task_id
    entry: dict[str, Json] = {"content": content, "status": task.status, "activeForm": content}
    return JsonObject(entry)


def _created(tasks: Sequel[Task], hook: Hook) -> Sequel[Task]:
    task_id = hook.task_id or ""
    before = tasks.get(task_id)
    if before is None and len(tasks) >= MOST_TASKS:
        return tasks
    subject = hook.task_subject or (before.subject if before else None)
    return _put(tasks, task_id, Task(subject=subject))


def _completed(tasks: Sequel[Task], hook: Hook) -> Sequel[Task]:
    return _moved(tasks, hook.task_id or "", "completed")


def _updated(tasks: Sequel[Task], hook: Hook) -> Sequel[Task]:
    return (
        tasks if hook.task_status is None else _moved(tasks, hook.task_id or "", hook.task_status)
    )


def _moved(tasks: Sequel[Task], task_id: str, status: str) -> Sequel[Task]:
    before = tasks.get(task_id)
    return tasks if before is None else _put(tasks, task_id, evolve(before, status=status))


def _put(tasks: Sequel[Task], task_id: str, task: Task) -> Sequel[Task]:
    return tasks if tasks.get(task_id) == task else tasks.put(task_id, task)


_CHANGES: dict[str, Callable[[Sequel[Task], Hook], Sequel[Task]]] = {
    "TaskCreated": _created,
    "TaskCompleted": _completed,
    "PostToolUse": _updated,
}
