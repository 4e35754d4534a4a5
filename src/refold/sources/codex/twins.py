"""What is written more than once, once.

Rules of this file (census.md X0):

- One message is written as an item of the model's, as an event for the screen and, lately, as an
  item of the thread: in any order, not all of them in every version. Each of these channels is a
  whole account. So a text is new as often as the channel that has it most often has it, whichever
  comes first, and one that really occurs twice in one channel is two.
- That is counted within one side's say: what the user was written to have said is forgotten when
  the agent acts, and the other way round. A later repetition is a new one.
"""

from __future__ import annotations

from refold.maps import EMPTY_MAP
from refold.records import evolver
from refold.sources.codex.threads import Channel, Thread, Written

__all__ = ["agent_acts", "agent_writes", "user_writes"]

_said = evolver(Thread, "user", "agent")
_PLACE: dict[Channel, int] = {"response": 0, "event": 1, "item": 2}


def user_writes(thread: Thread, text: str, channel: Channel) -> tuple[Thread, bool]:
    """Write down what the user said.

    Args:
        thread: the session.
        text: what it was, or anything that stands for it.
        channel: where it is written.

    Returns:
        The thread, and whether it is news.
    """
    written, is_news = _write(thread.user, text, channel)
    agent = EMPTY_MAP if is_news else thread.agent
    return _said(thread, written, agent), is_news


def agent_writes(thread: Thread, text: str, channel: Channel) -> tuple[Thread, bool]:
    """Write down what the agent said; as ``user_writes``."""
    written, is_news = _write(thread.agent, text, channel)
    user = EMPTY_MAP if is_news else thread.user
    return _said(thread, user, written), is_news


def agent_acts(thread: Thread) -> Thread:
    """Return the thread with the user's say over, as the agent does something."""
    return _said(thread, EMPTY_MAP, thread.agent) if thread.user else thread


def _write(written: Written, text: str, channel: Channel) -> tuple[Written, bool]:
    counts = list(written.get(text, (0, 0, 0)))
    before = max(counts)
    counts[_PLACE[channel]] += 1
    one, two, three = counts
    return written.put(text, (one, two, three)), max(counts) > before
