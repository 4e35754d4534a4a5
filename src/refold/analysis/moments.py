"""What is known of a message before it acts.

Rules of this file:

- A ``Moment`` is the same for every part of the books; none of them looks at the message's
  envelope or at another part's time.
"""

from __future__ import annotations

from refold.analysis.accounts import About, Clock
from refold.records import positional, record

__all__ = ["Moment", "make_moment"]


@record
class Moment:
    """A message's place and time.

    Args:
        ordinal: how many messages came before it, of any session.
        at_ms: its time.
        started_at_ms: when its fragment began, if its envelope says so (laws.md, law 4).
        clock: the session's times before it.
        about: what the session said of itself before it.
        compacting: whether a compaction runs.
        within: the task open in each outer session.
    """

    ordinal: int
    at_ms: int | None
    started_at_ms: int | None
    clock: Clock
    about: About
    compacting: bool
    within: tuple[int | None, ...] = ()


make_moment = positional(Moment)
