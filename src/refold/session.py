"""A session: an immutable value, and what a user reads of it.

Rules of this file:

- ``Session`` has the slots of ``Draft`` and no more, so that freezing a draft copies nothing.
- What is read (view.md) is derived here; ``items`` is a sequence over the stored vectors, so a
  snapshot costs nothing and unchanged items are the same objects from version to version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, NoReturn, overload

import attrs
from attrs.exceptions import FrozenInstanceError

from refold.figures import SessionStats, at_rest, row_slot, session_stats, stats_row
from refold.items import AssistantTextItem, Item, TaskStatsItem, ThinkingItem, ToolCallItem
from refold.json_values import JsonObject
from refold.maps import Map
from refold.records import thawing
from refold.state import Binding, Draft, Meta
from refold.texts import size
from refold.vectors import Vector

__all__ = ["Items", "Session", "freeze_session", "thaw_session"]


class Items(Sequence[Item]):
    """The items of one version of a session, in order.

    Args:
        placed: placed items and the fragments that stand among them.
        floating: what still streams, behind them.
        row: the row of a task that only an idle has closed, if there is one.
        row_rank: how many items stand in front of that row.
    """

    __slots__ = ("_floating", "_placed", "_row", "_row_rank")

    def __init__(
        self,
        placed: Vector[Item],
        floating: Vector[Item],
        row: TaskStatsItem | None = None,
        row_rank: int = 0,
    ) -> None:
        self._placed = placed
        self._floating = floating
        self._row = row
        self._row_rank = row_rank

    def __len__(self) -> int:
        return len(self._placed) + len(self._floating) + (self._row is not None)

    def __iter__(self) -> Iterator[Item]:
        if self._row is None:
            return chain(self._placed, self._floating)
        front, behind = iter(self._placed), self._row_rank
        return chain(islice(front, behind), (self._row,), front, self._floating)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        length = len(self)
        if isinstance(index, slice):
            return tuple([self._at(each) for each in range(*index.indices(length))])
        if not -length <= index < length:
            raise IndexError(f"item {index} of {length}")
        return self._at(index % length)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Items) and self._parts() == other._parts():
            return True
        if isinstance(other, Sequence) and not isinstance(other, str):
            return len(self) == len(other) and all(map(_equal, self, other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash((len(self), self[-1].key if len(self) else ""))

    def __repr__(self) -> str:
        return f"Items({list(self)!r})"

    def _parts(self) -> tuple[int, int, int, int]:
        return id(self._placed), id(self._floating), id(self._row), self._row_rank

    def _at(self, index: int) -> Item:
        if self._row is not None and index >= self._row_rank:
            if index == self._row_rank:
                return self._row
            index -= 1
        front = len(self._placed)
        return self._placed.select(index) if index < front else self._floating.select(index - front)


class Session(Draft):
    """One version of a session; ``Session()`` is the empty main session.

    Read ``items``, ``subagents``, ``stats``, ``task_open`` and the rest of view.md; the other
    attributes are what the reducer carries on. Versions are equal if nothing told them apart so
    far and nothing will.
    """

    __slots__ = ()

    def __new__(cls) -> Session:  # noqa: PYI034 - a draft becomes one; there are no subclasses
        """Return the empty main session."""
        return freeze_session(Draft())

    def __init__(self) -> None:
        """Leave what ``__new__`` made."""

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Session):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _FIELDS)

    def __hash__(self) -> int:
        """Hash what nearly every message changes, at a cost that doesn't grow with the session."""
        last = (*self.placed.tail, *self.floating.tail)
        nested = self.subagents.values() if len(self.subagents) <= _FEW else ()
        sums = (sum(map(_grown, last)), sum(map(hash, nested)))
        return hash((self.placed.slots, self.previous_ms, self.totals, self.task, *sums))

    def __repr__(self) -> str:
        return f"<Session of {len(self.items)} items, {len(self.subagents)} subagents>"

    def __reduce__(self) -> tuple[Callable[..., Session], tuple[dict[str, Any]]]:
        return _restored, ({name: getattr(self, name) for name in _FIELDS},)

    @property
    def items(self) -> Items:
        """The items, in order."""
        row = stats_row(self) if at_rest(self) else None
        if row is None:
            return Items(self.placed, self.floating)
        slot = row_slot(self)
        rank = len(self.placed) if slot is None else self.placed.rank(slot)
        return Items(self.placed, self.floating, row, rank)

    @property
    def stats(self) -> SessionStats:
        """The running sums."""
        return session_stats(self)

    @property
    def task_open(self) -> bool:
        """Whether a task runs."""
        return self.task is not None and not at_rest(self)

    @property
    def task_start_local_ms(self) -> int | None:
        """The caller's clock at the start of the running task, in Unix ms."""
        return self.task.start_local_ms if self.task is not None and self.task_open else None

    @property
    def nested(self) -> bool:
        """Whether this is a nested session."""
        return self.nest is not None

    @property
    def binding(self) -> Binding | None:
        """How a nested session was bound to its card; None until it is (rule 2)."""
        return None if self.nest is None else self.nest.binding

    @property
    def meta(self) -> Meta | None:
        """What a nested session says of itself."""
        return None if self.nest is None else self.nest.meta

    @property
    def first_ts_ms(self) -> int | None:
        """The first message time in a nested session's subtree, in Unix ms."""
        return None if self.nest is None else self.nest.first_ts_ms

    @property
    def last_activity_ts_ms(self) -> int | None:
        """The largest message time in a nested session's subtree, in Unix ms."""
        return None if self.nest is None else self.nest.last_activity_ts_ms

    @property
    def first_seen_local_ms(self) -> int | None:
        """The caller's clock at a nested session's first message, in Unix ms."""
        return None if self.nest is None else self.nest.first_seen_local_ms

    @property
    def last_activity_local_ms(self) -> int | None:
        """The caller's clock at a nested session's last message, in Unix ms."""
        return None if self.nest is None else self.nest.last_activity_local_ms

    @property
    def last_auth_failure_ms(self) -> int | None:
        """When a credential failed, in Unix ms, unless one worked or was renewed since."""
        return self.marks.last_auth_failure_ms

    @property
    def goal(self) -> JsonObject | None:
        """The last ``goal_finished``, if any."""
        return self.marks.goal

    @property
    def facts(self) -> Map[Any]:
        """The latest value of each fact."""
        return self.marks.facts


_FEW = 32
_FIELDS = tuple(field.name for field in attrs.fields(Draft))


def freeze_session(draft: Draft) -> Session:
    """Turn a draft into a session; the draft is used up."""
    draft.__class__ = Session
    return draft  # type: ignore[return-value]


thaw_session: Callable[[Draft], Draft] = thawing(Draft)


def _restored(fields: dict[str, Any]) -> Session:
    return freeze_session(Draft(**fields))


def _grown(item: Item | None) -> int:
    """Return how many characters an item's streamed texts have."""
    match item:
        case AssistantTextItem():
            return size(item._text)
        case ThinkingItem():
            return size(item._thinking)
        case ToolCallItem():
            return size(item._arguments_text) + size(item._output)
        case _:
            return 0


def _equal(one: object, other: object) -> bool:
    return one is other or one == other
