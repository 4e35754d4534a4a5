"""What changed between two sessions.

Rules of this file (laws.md law 10):

- ``patch(to_json(a), diff(a, b)) == to_json(b)``, for any two versions of any two sessions.
- Parts that two versions share are passed by at once.
"""

from __future__ import annotations

from typing import Any

from refold.patches.documents import diff_documents
from refold.patches.operations import Operation, add, escaped, remove
from refold.patches.sequences import diff_sequences
from refold.session import Session
from refold.views import View, frame_json, to_json

__all__ = ["diff"]


def diff(before: Any, after: Any, *, pure: bool = False) -> list[Operation]:
    """Return the operations that turn one view into another, as JSON values.

    Args:
        before: a session, a view, or its JSON.
        after: a later one. Between two sessions a diff costs what changed; between views and JSON
            documents it reads both.
        pure: RFC 6902 only; without it, growing text is one ``append``.
    """
    if isinstance(before, Session) and isinstance(after, Session):
        return _diff_sessions(before, after, "", pure)
    return diff_documents(_document(before), _document(after), "", pure)


def _document(value: Any) -> Any:
    return to_json(value) if isinstance(value, Session | View) else value


def _diff_sessions(before: Session, after: Session, path: str, pure: bool) -> list[Operation]:
    if before is after:
        return []
    operations = diff_sequences(before, after, f"{path}/items", pure)
    if before.subagents is not after.subagents:
        operations += _diff_nested(before, after, f"{path}/subagents", pure)
    if _frames_differ(before, after):
        operations += diff_documents(frame_json(before), frame_json(after), path, pure)
    return operations


def _diff_nested(before: Session, after: Session, path: str, pure: bool) -> list[Operation]:
    if not after.subagents:
        return [remove(path)] if before.subagents else []
    if not before.subagents:
        return [add(path, {name: to_json(each) for name, each in after.subagents.items()})]
    operations: list[Operation] = []
    for name in after.subagents.changed_names(before.subagents):
        at = f"{path}/{escaped(name)}"
        old, new = before.subagents.get(name), after.subagents.get(name)
        if new is None:
            operations.append(remove(at))
        elif old is None:
            operations.append(add(at, to_json(new)))
        else:
            operations += _diff_sessions(old, new, at, pure)
    return operations


def _frames_differ(before: Session, after: Session) -> bool:
    """Tell whether anything but items and nested sessions may look different."""
    return not (
        before.totals is after.totals
        and before.task is after.task
        and before.seen_ms == after.seen_ms
        and before.marks is after.marks
        and before.nest is after.nest
    )
