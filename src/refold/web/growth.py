"""What a file has folded to so far.

Rules of this file:

- What was in the file at first is history and is replayed (reducer.md rule 26); what comes then is
  live. A file that was replaced begins anew, and nothing is shown of it before it is read.
- A trace never says that its session is at rest. One that has been quiet for a while is *shown* at
  rest; the fold itself goes on from where it was, so a wrong guess leaves no trace.
- A clock is an argument.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from refold.folding import apply, idle, replay
from refold.items import AssistantTextItem
from refold.messages import Message
from refold.records import evolve, record
from refold.session import Session
from refold.sources.files.following import Poll

__all__ = ["ANSWERED_MS", "SILENT_MS", "Growth", "grow", "shown"]

ANSWERED_MS: Final = 60_000
"""How long a session is quiet behind an answer before it is shown at rest."""

SILENT_MS: Final = 900_000
"""And how long one that may be at work: a tool runs, or the model is to go on."""

_EMPTY = Session()


@record
class Growth:
    """A file, as far as it was read.

    Args:
        session: the fold so far, never at rest by a guess.
        reading: counts how often the file was begun anew.
        is_history: what was there at first isn't read to its end yet.
        messages: how many messages were folded.
        grown_ms: when the file grew last, in Unix ms; None if it never did.
    """

    session: Session = _EMPTY
    reading: int = 0
    is_history: bool = True
    messages: int = 0
    grown_ms: int | None = None

    @property
    def is_catching_up(self) -> bool:
        """Whether there is more than what was read, so that nothing should be shown yet."""
        return self.is_history and self.messages > 0


def grow(growth: Growth, poll: Poll, *, now_ms: int, written_ms: int) -> Growth:
    """Return a growth with what was polled.

    Args:
        growth: what was there before.
        poll: what came; nothing of it may be left out.
        now_ms: the clock, in Unix ms.
        written_ms: when the file was written last, in Unix ms; it counts where no message says
            when it was sent.
    """
    if poll.restarted:
        growth = Growth(reading=growth.reading + 1)
    messages = growth.messages + len(poll.messages)
    is_history = growth.is_history and (poll.more or messages == 0)
    if not poll.messages and is_history == growth.is_history:
        return growth
    session, grown_ms = _folded(growth, poll.messages, now_ms, written_ms)
    return evolve(
        growth, session=session, is_history=is_history, messages=messages, grown_ms=grown_ms
    )


def shown(growth: Growth, due: Iterable[Message], *, now_ms: int) -> Session:
    """Return the session to show: at rest, if the file has been quiet for long enough.

    Args:
        growth: the file so far.
        due: the messages that would be due if nothing came any more.
        now_ms: the clock, in Unix ms.
    """
    quiet_ms = now_ms - (now_ms if growth.grown_ms is None else growth.grown_ms)
    if quiet_ms < ANSWERED_MS or not growth.session.task_open:
        return growth.session
    ended = replay(due, now_ms=now_ms, session=growth.session)
    if quiet_ms < SILENT_MS and not _ends_with_answer(ended):
        return growth.session
    return idle(ended)


def _folded(
    growth: Growth, messages: Iterable[Message], now_ms: int, written_ms: int
) -> tuple[Session, int]:
    """Return the session with messages, and when these came, in Unix ms."""
    session = growth.session
    if not growth.is_history:
        for message in messages:
            session = apply(session, message, now_ms=now_ms)
        return session, now_ms
    session = replay(messages, now_ms=now_ms, session=session)
    sent_ms = session.previous_ms if session.seen_ms is None else session.seen_ms
    came_ms = min(written_ms if sent_ms is None else sent_ms, now_ms)
    if now_ms - came_ms < SILENT_MS:
        # Somebody may be at work this moment: its task's clock goes on to now.
        session = replay((), now_ms=now_ms, server_now_ms=now_ms, session=session)
    return session, came_ms


def _ends_with_answer(session: Session) -> bool:
    """Tell whether a whole text of the assistant's is last, and nothing waits in front of it."""
    if not session.items or session.floating:
        return False
    last = session.items[-1]
    return isinstance(last, AssistantTextItem) and idle(session).placed is session.placed
