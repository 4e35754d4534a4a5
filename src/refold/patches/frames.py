"""What changed between two versions of a session beside its items and nested sessions.

Rules of this file:

- What a version shows is derived from its parts (``refold.session``). Here the parts are compared,
  and what is derived only where they differ.
"""

from __future__ import annotations

from typing import Any, Final

from refold.figures import at_rest, task_elapsed_ms
from refold.maps import Map
from refold.patches.documents import diff_documents
from refold.patches.fields import diff_values, differ, shown_fields
from refold.patches.operations import Operation, add, escaped, remove, replace
from refold.session import Session
from refold.state import Marks, Nest, Task, Totals
from refold.views import plain

__all__ = ["NEST_FIELDS", "diff_frames"]

NEST_FIELDS: Final = shown_fields(Nest, "slot", "certain_ts_ms")
"""What a nested session shows of its own beside ``nested``."""

_diff_totals: Final = differ(shown_fields(Totals, "elapsed_ms", "context_at_stats"))
_diff_nests: Final = differ(NEST_FIELDS)
_diff_marks: Final = differ(shown_fields(Marks, "facts", "local_decisions"))


def diff_frames(
    before: Session, after: Session, path: str, pure: bool, into: list[Operation]
) -> None:
    """Put operations behind a list that turn one version's frame (``frame_json``) into another's.

    Args:
        before: the earlier version.
        after: the later one.
        path: where the session stands.
        pure: RFC 6902 only, no ``append``.
        into: what gets the operations.
    """
    if before.totals is not after.totals or before.task is not after.task or at_rest(after):
        _diff_stats(before, after, f"{path}/stats", pure, into)
        _diff_tasks(before.task, after.task, path, pure, into)
    old, new = before.aside, after.aside
    if old is new:
        return
    if old.nest is not new.nest:
        _diff_nested(old.nest, new.nest, path, pure, into)
    if old.marks is not new.marks:
        _diff_marks(old.marks, new.marks, path, pure, into)
        _diff_facts(old.marks.facts, new.marks.facts, f"{path}/facts", pure, into)


def _diff_nested(
    before: Nest | None, after: Nest | None, path: str, pure: bool, into: list[Operation]
) -> None:
    if before is not None and after is not None:
        _diff_nests(before, after, path, pure, into)
    else:
        into += diff_documents(_nest_json(before), _nest_json(after), path, pure)


def _nest_json(nest: Nest | None) -> dict[str, Any]:
    """Return what a session shows because it is nested."""
    if nest is None:
        return {}
    shown = {name: getattr(nest, name) for name in NEST_FIELDS}
    given = {name: plain(value) for name, value in shown.items() if value is not None}
    return {"nested": True, **given}


def _diff_stats(
    before: Session, after: Session, path: str, pure: bool, into: list[Operation]
) -> None:
    if before.totals is not after.totals:
        _diff_totals(before.totals, after.totals, path, pure, into)
    old_ms, new_ms = _elapsed_ms(before), _elapsed_ms(after)
    if old_ms != new_ms:
        into.append(replace(f"{path}/session_elapsed_ms", new_ms))


def _elapsed_ms(session: Session) -> int:
    """Return how long closed tasks took, in ms, as ``session.stats`` says."""
    elapsed_ms = session.totals.elapsed_ms
    return elapsed_ms + task_elapsed_ms(session) if at_rest(session) else elapsed_ms


def _diff_tasks(
    before: Task | None, after: Task | None, path: str, pure: bool, into: list[Operation]
) -> None:
    old, new = _running(before), _running(after)
    if old is new:
        return
    old_ms, new_ms = old and old.start_local_ms, new and new.start_local_ms
    if (old is None) != (new is None):
        into.append(replace(f"{path}/task_open", new is not None))
    if old_ms != new_ms:
        diff_values(old_ms, new_ms, f"{path}/task_start_local_ms", pure, into)


def _running(task: Task | None) -> Task | None:
    return None if task is None or task.provisional else task


def _diff_facts(
    before: Map[Any], after: Map[Any], path: str, pure: bool, into: list[Operation]
) -> None:
    """Put operations for the facts, which aren't shown while there are none."""
    if before is after:
        return
    if not before or not after:
        diff_values(before or None, after or None, path, pure, into)
        return
    for name in after.changed_names(before):
        at = f"{path}/{escaped(name)}"
        if name not in after:
            into.append(remove(at))
        elif name not in before:
            into.append(add(at, plain(after[name])))
        else:
            into += diff_documents(plain(before[name]), plain(after[name]), at, pure)
