"""What a live session is told.

Rules of this file (live.md "Inputs"):

- One frozen class per input; times are the caller's clock in Unix ms.
- Messages are decoded before they come here.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from refold.messages import Message
from refold.records import record
from refold.session import Session

__all__ = [
    "ApprovalRequested",
    "CredentialsUpdated",
    "HistoryFailed",
    "HistoryLoaded",
    "Input",
    "LiveTail",
    "LocalDecision",
    "OlderFailed",
    "OlderLoaded",
    "OlderWanted",
    "Page",
    "Received",
    "ResyncRequired",
    "RetryWanted",
    "TaskState",
]


@record
class Page:
    """Which part of a history was loaded.

    Args:
        before: the cursor of what is older; None if the page reaches the beginning.
        prior: what the messages in front of the page leave to it (``windows.prior_of``).
    """

    before: str | None = None
    prior: Session | None = None


@record
class LiveTail:
    """The fragments that were in progress when the server answered.

    Args:
        cursor: the event id up to which ``fragments`` hold what streamed.
        fragments: one partial message a fragment, holding all that streamed of it.
    """

    cursor: str | None = None
    fragments: tuple[Message, ...] = ()


@record
class Received:
    """A message from the stream; ``event_id`` looks like ``<epoch>-<seq>``, if it has one."""

    kind: ClassVar[Literal["received"]] = "received"

    message: Message
    event_id: str | None = None
    now_ms: int = 0


@record
class HistoryLoaded:
    """The history, or its last page, as ``LoadHistory`` asked for it.

    Args:
        messages: in order.
        now_ms: the caller's clock.
        server_now_ms: the server's clock when it answered, if known.
        live_tail: fragments in progress at the server, if it sent them.
        page: which part it is; all of it if left out.
        round: the ``round`` of the effect it answers; None stands for the current one.
    """

    kind: ClassVar[Literal["history_loaded"]] = "history_loaded"

    messages: tuple[Message, ...] = ()
    now_ms: int = 0
    server_now_ms: int | None = None
    live_tail: LiveTail | None = None
    page: Page = Page()
    round: int | None = None


@record
class HistoryFailed:
    """The history couldn't be loaded; the stream goes on being buffered."""

    kind: ClassVar[Literal["history_failed"]] = "history_failed"

    error: str = ""
    round: int | None = None


@record
class RetryWanted:
    """Somebody wants a failed load tried again."""

    kind: ClassVar[Literal["retry_wanted"]] = "retry_wanted"


@record
class TaskState:
    """What the server says of the running state; it sends one first on every subscription."""

    kind: ClassVar[Literal["task_state"]] = "task_state"

    state: Literal["running", "idle"]
    now_ms: int = 0


@record
class ApprovalRequested:
    """A call waits for a decision; sent again on reconnect while it does."""

    kind: ClassVar[Literal["approval_requested"]] = "approval_requested"

    message: Message
    event_id: str | None = None
    now_ms: int = 0


@record
class ResyncRequired:
    """The stream lost messages: the history must be loaded anew."""

    kind: ClassVar[Literal["resync_required"]] = "resync_required"


@record
class CredentialsUpdated:
    """The user renewed a credential."""

    kind: ClassVar[Literal["credentials_updated"]] = "credentials_updated"


@record
class OlderWanted:
    """Somebody scrolled up to the beginning of what is loaded."""

    kind: ClassVar[Literal["older_wanted"]] = "older_wanted"


@record
class OlderLoaded:
    """The page in front of the oldest one loaded, as ``LoadOlder`` asked for it."""

    kind: ClassVar[Literal["older_loaded"]] = "older_loaded"

    messages: tuple[Message, ...] = ()
    page: Page = Page()
    now_ms: int = 0
    round: int | None = None


@record
class OlderFailed:
    """An older page couldn't be loaded; it may be asked for again."""

    kind: ClassVar[Literal["older_failed"]] = "older_failed"

    error: str = ""
    round: int | None = None


@record
class LocalDecision:
    """An approval was given on this client, for a call anywhere in the tree."""

    kind: ClassVar[Literal["local_decision"]] = "local_decision"

    tool_call_id: str


Input: TypeAlias = (
    Received
    | HistoryLoaded
    | HistoryFailed
    | RetryWanted
    | TaskState
    | ApprovalRequested
    | ResyncRequired
    | CredentialsUpdated
    | OlderWanted
    | OlderLoaded
    | OlderFailed
    | LocalDecision
)
