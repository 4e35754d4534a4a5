"""Windows: a long history cut where nothing is parted, each part folded on its own.

Rules of this file (live.md "Windows", laws.md law 7):

- A cut is clean where a task starts and nothing behind refers to an item in front. ``boundaries``
  says where tasks start; what must not be parted is a span of messages, and a cut inside none.
- ``prior`` is what the fold in front of a cut leaves to the fold behind it: a session without items.
- An older window is closed as the next task's start would close it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from refold.boundaries import PLAIN, advance, starts_task
from refold.folding import replay
from refold.messages import Message
from refold.records import evolver, record
from refold.reduce.compactions import end_running
from refold.reduce.tasks import close_for_good, give_up_waiting
from refold.references import reference_spans
from refold.session import Session, freeze_session, thaw_session
from refold.state import Aside, Calls, Draft, Marks

__all__ = ["Window", "close_window", "prior_of", "task_starts", "window"]

_marks_kept = evolver(Marks, "local_decisions")


@record
class Window:
    """The messages behind a clean cut.

    Args:
        messages: the window's own, in order.
        start: how many stand in front of them; 0 if the window reaches the beginning.
        prior: what these leave to the window's fold; None if there are none.
    """

    messages: tuple[Message, ...]
    start: int
    prior: Session | None


def window(messages: Sequence[Message], limit: int) -> Window:
    """Return the last messages of a history, cut clean.

    Args:
        messages: the history, or what of it stands in front of a later window.
        limit: how many messages the window holds at least, if there are so many.
    """
    start = _cut(messages, limit)
    if start == 0:
        return Window(messages=tuple(messages), start=0, prior=None)
    closed = close_window(replay(messages[:start], now_ms=0))
    return Window(messages=tuple(messages[start:]), start=start, prior=prior_of(closed))


def close_window(session: Session) -> Session:
    """Return the session closed as the next task's start closes it (rules 16 and 19)."""
    draft = thaw_session(session)
    end_running(draft, "aborted")
    if draft.task is not None:
        close_for_good(draft)
    give_up_waiting(draft)
    return freeze_session(draft)


def prior_of(session: Session) -> Session:
    """Return what a closed window leaves to the next: totals, counters and names, but no item.

    Args:
        session: a session closed by ``close_window``. Decisions made on this client aren't taken
            along: they are given to every window.
    """
    earlier = session.calls.earlier
    for tool_call_id, card in session.calls.cards.items():
        earlier = earlier.put(tool_call_id, card.occurrence)
    draft = Draft(
        numbers=session.numbers,
        calls=Calls(approvals=session.calls.approvals, earlier=earlier),
        previous_ms=session.previous_ms,
        said=session.said,
        totals=session.totals,
        aside=Aside(
            marks=_marks_kept(session.marks, Marks().local_decisions),
            diagnostics=session.diagnostics,
        ),
    )
    return freeze_session(draft)


def task_starts(messages: Sequence[Message]) -> list[int]:
    """Return the indices of the main session's messages that start a task (rule 16)."""
    boundary, starts = PLAIN, []
    for index, message in enumerate(messages):
        if not message.origin:
            if starts_task(boundary, message.payload):
                starts.append(index)
            boundary = advance(boundary, message.payload)
    return starts


def _cut(messages: Sequence[Message], limit: int) -> int:
    """Return the last clean cut that leaves enough behind it, 0 if there is none."""
    latest = len(messages) - max(0, limit)
    spans = reference_spans(messages)
    depth = [0] * (len(messages) + 1)
    for first, last in spans:
        depth[first + 1] += 1
        depth[last + 1] -= 1
    parted = list(accumulate(depth))
    clean = (index for index in reversed(task_starts(messages)) if index <= latest)
    return next((index for index in clean if not parted[index]), 0)
