"""What changed between two sessions.

Rules of this file (laws.md law 10):

- ``patch(to_json(a), diff(a, b)) == to_json(b)``, for any two versions of any two sessions.
- Parts that two versions share are passed by at once.
- Operations are put into one list on the way: what is compared is a tree, and most of it is equal.
"""

from __future__ import annotations

from typing import Any

from refold.patches.documents import diff_documents
from refold.patches.frames import diff_frames
from refold.patches.operations import Operation, add, escaped, remove
from refold.patches.sequences import diff_sequences
from refold.session import Session
from refold.views import View, to_json

__all__ = ["diff"]


def diff(before: Any, after: Any, *, pure: bool = False) -> list[Operation]:
    """Return the operations that turn one view into another, as JSON values.

    Args:
        before: a session, a view, or its JSON.
        after: a later one. Between two sessions a diff costs what changed; between views and JSON
            documents it reads both.
        pure: RFC 6902 only; without it, growing text is one ``append``.
    """
    if type(before) is not Session or type(after) is not Session:
        return diff_documents(_document(before), _document(after), "", pure)
    operations: list[Operation] = []
    _diff_sessions(before, after, "", pure, operations)
    return operations


def _document(value: Any) -> Any:
    return to_json(value) if isinstance(value, Session | View) else value


def _diff_sessions(
    before: Session, after: Session, path: str, pure: bool, into: list[Operation]
) -> None:
    diff_sequences(before, after, path, pure, into)
    if before.subagents is not after.subagents:
        _diff_nested(before, after, f"{path}/subagents", pure, into)
    diff_frames(before, after, path, pure, into)


def _diff_nested(
    before: Session, after: Session, path: str, pure: bool, into: list[Operation]
) -> None:
    if before.subagents and after.subagents:
        for name, new, old in after.subagents.changed(before.subagents):
            _diff_one(old, new, f"{path}/{escaped(name)}", pure, into)
    elif after.subagents:
        into.append(add(path, {name: to_json(each) for name, each in after.subagents.items()}))
    elif before.subagents:
        into.append(remove(path))


def _diff_one(
    old: Session | None, new: Session | None, path: str, pure: bool, into: list[Operation]
) -> None:
    """Put operations for one nested session."""
    if new is None:
        into.append(remove(path))
    elif old is None:
        into.append(add(path, to_json(new)))
    else:
        _diff_sessions(old, new, path, pure, into)
