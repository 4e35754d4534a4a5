"""What changed between two versions of a session's items.

Rules of this file:

- Vectors that share nodes are compared where they don't; so a change costs itself, wherever it is.
- Placed items are changed in place. What stands behind those that both versions have (new ones, a
  row, what floats) is matched by key (``tails``).
- Operations are in order: each is right for the document that those before it left.
"""

from __future__ import annotations

from itertools import zip_longest

from refold.figures import at_rest, row_slot, stats_row
from refold.items import Item
from refold.patches.items import diff_items
from refold.patches.operations import Operation, add, remove
from refold.patches.tails import Items, diff_tails
from refold.session import Session
from refold.vectors import Vector
from refold.views import item_json

__all__ = ["diff_sequences"]


def diff_sequences(
    before: Session, after: Session, path: str, pure: bool, into: list[Operation]
) -> None:
    """Put operations behind a list that turn the items of one version into those of another.

    Args:
        before: the earlier version.
        after: the later one.
        path: where the session stands.
        pure: RFC 6902 only, no ``append``.
        into: what gets the operations.
    """
    if at_rest(before) or at_rest(after):
        _diff_rows(before, after, f"{path}/items", pure, into)
    elif before.placed is not after.placed:
        _diff_placed(before, after, f"{path}/items", pure, into)
    elif before.floating is not after.floating:
        front = len(after.placed)
        _diff_floating(before.floating, after.floating, f"{path}/items", front, pure, into)


def _diff_floating(
    before: Vector[Item],
    after: Vector[Item],
    path: str,
    front: int,
    pure: bool,
    into: list[Operation],
) -> None:
    """Put operations for what floats behind so many placed items, which are the same."""
    if before.slots == after.slots == 1:
        diff_items(before.tail[0], after.tail[0], f"{path}/{front}", pure, into)
        return
    if before.slots <= after.slots == len(after.tail):
        _diff_leaves(before.tail, after.tail, path, front, pure, into)
        return
    few = min(before.slots, after.slots)
    _diff_slots(before, after, few, path, front, pure, into)
    if before.slots != after.slots:
        front += after.rank(few)
        diff_tails(before.behind(few), after.behind(few), path, front, pure, into)


def _diff_leaves(
    before: tuple[Item | None, ...],
    after: tuple[Item | None, ...],
    path: str,
    front: int,
    pure: bool,
    into: list[Operation],
) -> None:
    """Put operations for few slots, of elements ``front`` on; None is a hole."""
    index = front
    for old, new in zip_longest(before, after):
        if new is None:
            if old is not None:
                into.append(remove(f"{path}/{index}"))
            continue
        if old is None:
            into.append(add(f"{path}/{index}", item_json(new)))
        elif old is not new:
            diff_items(old, new, f"{path}/{index}", pure, into)
        index += 1


def _diff_placed(
    before: Session, after: Session, path: str, pure: bool, into: list[Operation]
) -> None:
    """Put operations for items of which the placed ones aren't the same, and none is a row."""
    old, new = before.placed, after.placed
    few = min(old.slots, new.slots)
    _diff_slots(old, new, few, path, 0, pure, into)
    if old.slots == new.slots and before.floating is after.floating:
        return
    gone, come = old.behind(few), new.behind(few)
    if before.floating is not after.floating:
        gone += before.floating.behind(0)
        come += after.floating.behind(0)
    diff_tails(gone, come, path, new.rank(few), pure, into)


def _diff_rows(
    before: Session, after: Session, path: str, pure: bool, into: list[Operation]
) -> None:
    """Put operations for items among which there may be a row."""
    if _same_rows(before, after):
        return
    cut = min(_shared(before), _shared(after))
    _diff_slots(before.placed, after.placed, cut, path, 0, pure, into)
    said = _common_text(before, after)
    ends = _behind(before, cut, said), _behind(after, cut, said)
    diff_tails(*ends, path, after.placed.rank(cut), pure, into)


def _diff_slots(
    before: Vector[Item],
    after: Vector[Item],
    limit: int,
    path: str,
    front: int,
    pure: bool,
    into: list[Operation],
) -> None:
    """Put operations for the slots in front of a limit, of elements ``front`` on."""
    if before is after:
        return
    for slot in before.changed(after, limit):
        at = f"{path}/{front + after.rank(slot)}"
        old: Item | None = before.at(slot)
        new: Item | None = after.at(slot)
        if new is None:
            into.append(remove(at))
        elif old is None:
            into.append(add(at, item_json(new)))
        else:
            diff_items(old, new, at, pure, into)


def _same_rows(before: Session, after: Session) -> bool:
    """Tell whether neither two versions' rows nor what stands around them can differ."""
    return (
        before.placed is after.placed
        and before.floating is after.floating
        and before.task is after.task
        and before.totals is after.totals
        and before.said is after.said
        and before.numbers is after.numbers
        and before.seen_ms == after.seen_ms
        and before.standing == after.standing
        and before.nested == after.nested
    )


def _shared(session: Session) -> int:
    """Return the slot behind which elements don't follow from slots alone."""
    slot = row_slot(session) if at_rest(session) else None
    return session.placed.slots if slot is None else slot


def _common_text(before: Session, after: Session) -> str | None:
    """Return what may stand for the text of two rows, if it is the same one in both.

    Rows of one key are told apart field by field, so nobody sees a text that both have; joining
    it would cost as much as the task is long.
    """
    same = before.said is after.said and before.numbers is after.numbers
    return "" if same and at_rest(before) and at_rest(after) else None


def _behind(session: Session, cut: int, said: str | None) -> Items:
    """Return the items from a slot on, a derived row among them."""
    placed, floating = session.placed, session.floating.behind(0)
    row = stats_row(session, said) if at_rest(session) else None
    if row is None:
        return placed.behind(cut) + floating
    slot = row_slot(session)
    behind = () if slot is None else placed.behind(slot)
    front = placed.behind(cut)
    return (*front[: len(front) - len(behind)], row, *behind, *floating)
