"""The small values that a lane carries.

Rules of this file:

- Values, and how keys are put to others: no transitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from refold.maps import EMPTY_MAP, Map
from refold.messages import TokenCounts
from refold.records import record

__all__ = [
    "MAIN",
    "Closed",
    "Group",
    "Header",
    "Keys",
    "Place",
    "Spawn",
    "TaskEntry",
    "Watched",
    "with_keys",
]

MAIN = ""
_FEW = 32

# A few keys are a tuple, which is small and quick; many are the names of a map.
Keys: TypeAlias = tuple[str, ...] | Map[bool]


@record
class Place:
    """The record that a message is made of.

    Args:
        timestamp: the record's, as it was written.
        id: its uuid.
        line: its line, if it came from a file.
    """

    timestamp: str | None = None
    id: str | None = None
    line: int | None = None


@record
class Header:
    """What a session's ``session_meta`` says; None is not known yet."""

    session_id: str | None = None
    workspace: str | None = None
    model: str | None = None
    call_id: str | None = None


@record
class Group:
    """A request whose response is being written, line by line.

    Args:
        key: what its lines share; None belongs to no other line.
        place: its last line so far.
        usage: the tokens of the request, as its last line knows them.
        model: the model that answers.
        status: how the request ended, as far as is known.
        answered: a result of one of its calls came.
        blocks: the keys of its blocks that were shown.
    """

    key: str | None
    place: Place
    usage: TokenCounts | None = None
    model: str | None = None
    status: str = "completed"
    answered: bool = False
    blocks: Keys = ()


@record
class Closed:
    """What is kept of a request that is over.

    Args:
        usage: the tokens that were counted for it.
        blocks: the keys of its blocks that were shown.
    """

    usage: TokenCounts
    blocks: Keys


@record
class Watched:
    """A call whose result changes a fact."""

    name: str
    input: Any


@record
class TaskEntry:
    """An entry of the task list."""

    id: str
    subject: str
    status: str


@record
class Spawn:
    """A call that starts a subagent; ``call_id`` is None if two calls look the same."""

    call_id: str | None
    agent: str


def with_keys(keys: Keys, new: Sequence[str]) -> Keys:
    """Return keys with others put to them.

    Args:
        keys: some keys.
        new: others that aren't among them.
    """
    if isinstance(keys, tuple):
        if len(keys) + len(new) <= _FEW:
            return (*keys, *new)
        keys, new = EMPTY_MAP, (*keys, *new)
    for key in new:
        keys = keys.put(key, True)
    return keys
