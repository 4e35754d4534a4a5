"""The fold: what a session takes in, as functions from a session to the next.

Rules of this file:

- Every function is pure and returns a new session; its argument stays as it was.
- Time is an argument. Nothing here reads a clock.
- On decoded messages nothing here raises; on a raw object ``apply`` decodes it first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from refold.messages import Message
from refold.records import evolver
from refold.reduce.cases import reduce, reduce_own
from refold.reduce.discards import discard_for, note_duplicate, take_back_at
from refold.reduce.tasks import close_provisionally
from refold.session import Session, freeze_session, thaw_session
from refold.state import Draft, Marks, Task

__all__ = [
    "AnyMessage",
    "absorb",
    "apply",
    "credentials_updated",
    "decoded",
    "discard",
    "elapsed_ms",
    "finalize",
    "idle",
    "register_decision",
    "replay",
]

AnyMessage: TypeAlias = Message | dict[str, Any]

_with_decisions = evolver(Marks, "local_decisions")
_with_auth_failure = evolver(Marks, "last_auth_failure_ms")
_started = evolver(Task, "start_local_ms")


def apply(session: Session, message: AnyMessage, *, now_ms: int) -> Session:
    """Return the session behind one message.

    Args:
        session: the session in front of it.
        message: a message, or a raw object, which is decoded first.
        now_ms: the caller's clock, in Unix ms.

    Raises:
        DecodeError: a raw object is no message (protocol.md, "Strictness").
    """
    if type(message) is not Message:
        message = decoded(message)
    draft = thaw_session(session)
    (reduce if message.origin else reduce_own)(
        draft, message, now_ms, session.aside.marks.local_decisions
    )
    return freeze_session(draft)


def replay(
    messages: Iterable[AnyMessage],
    *,
    now_ms: int,
    server_now_ms: int | None = None,
    session: Session | None = None,
) -> Session:
    """Return the session behind many messages, as a history is loaded (reducer.md rule 26).

    Args:
        messages: messages or raw objects, in order.
        now_ms: the caller's clock, in Unix ms.
        server_now_ms: the clock of whoever wrote the messages, in Unix ms, if known.
        session: where to go on from; the empty session if left out.

    Raises:
        DecodeError: a raw object is no message.
    """
    draft = thaw_session(Session() if session is None else session)
    decided = draft.aside.marks.local_decisions
    for message in messages:
        reduce(draft, decoded(message), now_ms, decided)
    _date_back(draft, now_ms, server_now_ms)
    return freeze_session(draft)


def idle(session: Session) -> Session:
    """Return the session at rest: the live stream said that its task ended (rule 19)."""
    draft = thaw_session(session)
    close_provisionally(draft)
    return freeze_session(draft)


def finalize(session: Session) -> Session:
    """Return the session at rest: a replay ended. The same as ``idle`` (rule 19)."""
    return idle(session)


def discard(session: Session, message: AnyMessage) -> Session:
    """Return the session without what streamed for a message it holds already (rule 39).

    Args:
        session: a session whose history holds the message.
        message: the complete or event that is not going to be applied.

    Raises:
        DecodeError: a raw object is no message.
    """
    draft = thaw_session(session)
    discard_for(draft, decoded(message))
    return freeze_session(draft)


def absorb(session: Session, message: Message, *, behind_load: bool) -> Session:
    """Return the session without what streamed for a duplicate, and with it counted.

    Args:
        session: a session whose history holds the message.
        message: the duplicate.
        behind_load: it came live; then the session is not at rest yet (rule 39).
    """
    draft = thaw_session(session)
    discard_for(draft, message)
    note_duplicate(draft, message)
    if behind_load:
        take_back_at(draft, message.origin)
    return freeze_session(draft)


def register_decision(session: Session, tool_call_id: str) -> Session:
    """Return the session knowing of an approval that was given on this client.

    Args:
        session: the main session.
        tool_call_id: the call's id, wherever in the tree it is; the mark is not used up.
    """
    draft = thaw_session(session)
    decisions = draft.aside.marks.local_decisions.put(tool_call_id, True)
    draft.marks = _with_decisions(draft.marks, decisions)
    return freeze_session(draft)


def credentials_updated(session: Session) -> Session:
    """Return the session with no failed credential on record."""
    if session.marks.last_auth_failure_ms is None:
        return session
    draft = thaw_session(session)
    draft.marks = _with_auth_failure(draft.marks, None)
    return freeze_session(draft)


def elapsed_ms(session: Session, *, now_ms: int) -> int:
    """Return how long the session's tasks took so far, the running one included (rule 26).

    Args:
        session: the session.
        now_ms: the caller's clock, in Unix ms.
    """
    start_ms = session.task_start_local_ms
    running_ms = 0 if start_ms is None else max(0, now_ms - start_ms)
    return session.stats.session_elapsed_ms + running_ms


def _date_back(draft: Draft, now_ms: int, server_now_ms: int | None) -> None:
    task = draft.task
    if task is None or task.provisional or task.first_ms is None:
        return
    ran_ms = 0 if draft.seen_ms is None else max(0, draft.seen_ms - task.first_ms)
    if server_now_ms is not None:
        ran_ms = max(ran_ms, server_now_ms - task.first_ms)
    draft.task = _started(task, now_ms - ran_ms)


def decoded(message: AnyMessage) -> Message:
    """Return a message as it is, and a raw object decoded.

    Raises:
        DecodeError: the object is no message.
    """
    if type(message) is Message:
        return message
    from refold.decode import decode  # noqa: PLC0415 - typed messages need no codec

    return decode(message)
