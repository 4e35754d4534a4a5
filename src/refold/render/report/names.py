"""What tasks and sessions are called, and how many there are of what."""

from __future__ import annotations

from refold.analysis.findings import SessionFigures
from refold.analysis.task_figures import TaskFigures

__all__ = ["count_words", "session_name", "task_name"]


def task_name(task: TaskFigures) -> str:
    """Return what a task is called: by its place and how the user's text begins."""
    if task.compaction is not None:
        return f"compaction, {task.compaction.reason}: {task.compaction.status or 'running'}"
    if task.index is None:
        return "outside any task"
    return f"task {task.index + 1}: {task.label or '(no text)'}"


def session_name(session: SessionFigures) -> str:
    """Return what a session is called: by its agent, if it has one, and its id."""
    name = session.session_id or "(no name)"
    return f"{session.agent_id} · {name}" if session.agent_id else name


def count_words(number: int, one: str, many: str | None = None) -> str:
    """Return how many there are of something: ``1 call``, ``4,533 calls``.

    Args:
        number: how many.
        one: what one is called.
        many: what several are called, if not that with an s.
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
