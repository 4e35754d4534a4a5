"""What a live session knows.

Rules of this file:

- One frozen value; a checkpoint of it is its sessions' checkpoints and these fields.
- ``session`` is always what is to be shown, also while another history is being loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Literal, TypeAlias

from refold.items import Item
from refold.live.event_ids import EventId
from refold.live.inputs import ApprovalRequested, Received
from refold.maps import EMPTY_MAP, Map
from refold.messages import Message
from refold.overlap import EMPTY_OVERLAP, Overlap
from refold.records import record
from refold.sequels import EMPTY_SEQUEL, Sequel
from refold.session import Session
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = ["EVER", "Buffered", "Lag", "LiveState"]

Buffered: TypeAlias = Received | ApprovalRequested

EVER = 1 << 62
"""A moment, in Unix ms, behind all others."""

_EMPTY_SESSION = Session()


@record
class Lag:
    """A live tail whose cursor the stream hasn't passed yet.

    Args:
        session: the session without the tail's fragments.
        cursor: up to where they hold what streamed.
        fragments: one start a fragment.
        now_ms: the caller's clock when they came.
    """

    session: Session
    cursor: EventId
    fragments: tuple[Message, ...]
    now_ms: int


@record
class LiveState:
    """A live session.

    Args:
        phase: ``loading`` until a history is in, ``failed`` once its load failed, else ``live``.
        session: the visible session, of the last page if the history came in pages.
        older: older pages, oldest first, each a session closed as the next task closes it.
        running: what the stream said last of the running state; None if nothing yet.
        pending: requests for approval, by ``approval_key``.
        error: why the last load failed.
        buffer: what the stream brought while no history was in.
        overlap: what of the history may still come live.
        ahead: calls that a request for approval brought before the stream did.
        epoch: of the last event id.
        greatest: the greatest sequence number of that epoch.
        redelivered: how many messages came again under an event id seen before.
        round: which load is waited for.
        whole: that load is of the whole history.
        tail: the cursor at which the last page begins; None if it reaches the beginning.
        cursor: the cursor of what is older than all that is loaded; None at the beginning.
        loading_older: an older page is on its way.
        decisions: calls decided on this client.
        forgiven_ms: credentials were renewed behind failures up to this moment, in Unix ms.
        lag: a live tail that the stream is still behind.
    """

    phase: Literal["loading", "failed", "live"] = "loading"
    session: Session = _EMPTY_SESSION
    older: tuple[Session, ...] = ()
    running: bool | None = None
    pending: Sequel[Message] = EMPTY_SEQUEL
    error: str | None = None
    buffer: Vector[Buffered] = EMPTY_VECTOR
    overlap: Overlap = EMPTY_OVERLAP
    ahead: frozenset[Message] = frozenset()
    epoch: str | None = None
    greatest: int = -1
    redelivered: int = 0
    round: int = 0
    whole: bool = False
    tail: str | None = None
    cursor: str | None = None
    loading_older: bool = False
    decisions: Map[bool] = EMPTY_MAP
    forgiven_ms: int | None = None
    lag: Lag | None = None

    @property
    def items(self) -> Iterator[Item]:
        """All items loaded, oldest first, older pages in front."""
        return chain(*[each.items for each in self.older], self.session.items)
