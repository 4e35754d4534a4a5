"""The todo list, read off the results of the tools that change it.

Rules of this file (sources/claude-code.md 4.7, 8.5):

- A result tells the list better than the call: what was refused or failed changes nothing.
- ``TodoWrite`` gives the whole list; ``TaskCreate`` and ``TaskUpdate`` give one entry, and the
  list comes out in order of creation, an entry's active form being its content.
- At most 200 entries are kept, the newest; a list a person reads is shorter.
"""

from __future__ import annotations

from typing import Any

from refold.json_values import Json, freeze
from refold.records import evolve
from refold.sources.claude_code.fields import dict_at, string, strings_at
from refold.sources.claude_code.readings import Result
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.values import TaskEntry, Watched
from refold.sources.depth import clipped

__all__ = ["LIST_TOOLS", "todos_after"]

LIST_TOOLS = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate"})
_MOST = 200


def todos_after(lane: LaneDraft, call: Watched, result: Result) -> Json:
    """Return the todo list behind the result of a call, or None if it didn't change.

    Args:
        lane: the lane the call was made in.
        call: the call of one of ``LIST_TOOLS``.
        result: its result, completed.
    """
    told = result.structured if type(result.structured) is dict else {}
    given = call.input if type(call.input) is dict else {}
    if call.name == "TodoWrite":
        return _written(told, given)
    change = _updated if call.name == "TaskUpdate" else _created
    tasks = change(lane.tasks, told, given)
    if tasks == lane.tasks:
        return None
    lane.tasks = tasks
    return _listed(tasks)


def _written(told: dict[str, Any], given: dict[str, Any]) -> Json:
    todos = told.get("newTodos")
    todos = todos if type(todos) is list else given.get("todos")
    if type(todos) is not list:
        return None
    return freeze(clipped([each for each in todos[-_MOST:] if type(each) is dict]))


def _created(
    tasks: tuple[TaskEntry, ...], told: dict[str, Any], given: dict[str, Any]
) -> tuple[TaskEntry, ...]:
    name = strings_at(told, "task", "id")
    if name is None:
        return tasks
    subject = strings_at(told, "task", "subject") or string(given, "subject") or name
    entry = TaskEntry(id=name, subject=subject, status="pending")
    if any(each.id == name for each in tasks):
        return tuple([entry if each.id == name else each for each in tasks])
    return (*tasks, entry)[-_MOST:]


def _updated(
    tasks: tuple[TaskEntry, ...], told: dict[str, Any], given: dict[str, Any]
) -> tuple[TaskEntry, ...]:
    name = string(told, "taskId") or string(given, "taskId")
    status = string(dict_at(told, "statusChange"), "to") or string(given, "status")
    subject = string(given, "subject")
    if status == "deleted":
        return tuple([each for each in tasks if each.id != name])
    return tuple(
        [
            evolve(each, status=status or each.status, subject=subject or each.subject)
            if each.id == name
            else each
            for each in tasks
        ]
    )


def _listed(tasks: tuple[TaskEntry, ...]) -> Json:
    return freeze(
        [
            {"content": each.subject, "status": each.status, "activeForm": each.subject}
            for each in tasks
        ]
    )
