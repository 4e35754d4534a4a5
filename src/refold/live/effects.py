"""What a live session asks of its caller.

Rules of this file (live.md rule 8):

- An effect is a value. Carrying it out, now or later, is the caller's part.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from refold.records import record

__all__ = [
    "Effect",
    "LoadHistory",
    "LoadOlder",
    "PendingChanged",
    "RunningChanged",
    "ViewChanged",
]


@record
class LoadHistory:
    """Load the history and answer with ``HistoryLoaded`` or ``HistoryFailed``.

    Args:
        round: goes back with the answer, so that a late one is told from the one waited for.
        whole: all of it is needed, not the last page only.
    """

    kind: ClassVar[Literal["load_history"]] = "load_history"

    round: int
    whole: bool = False


@record
class LoadOlder:
    """Load the page that ends at ``cursor`` and answer with ``OlderLoaded`` or ``OlderFailed``."""

    kind: ClassVar[Literal["load_older"]] = "load_older"

    cursor: str
    round: int


@record
class ViewChanged:
    """``state.session`` or ``state.older`` is another one now."""

    kind: ClassVar[Literal["view_changed"]] = "view_changed"


@record
class PendingChanged:
    """``state.pending`` is another one now."""

    kind: ClassVar[Literal["pending_changed"]] = "pending_changed"


@record
class RunningChanged:
    """``state.running`` is another one now."""

    kind: ClassVar[Literal["running_changed"]] = "running_changed"

    running: bool


Effect: TypeAlias = LoadHistory | LoadOlder | ViewChanged | PendingChanged | RunningChanged
