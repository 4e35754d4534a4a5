"""Facts, notices and compactions.

Rules of this file (census.md X10; sources/README.md):

- A fact is said when it changes.
- A compaction is written twice, as a record and as an event or item, in either order: the two are
  one. It takes nothing from what was shown. What was summarised stands in front of its record.
"""

from __future__ import annotations

from refold.json_values import Json
from refold.messages import CompactionBegin, CompactionEnd, Fact, Notice, Text
from refold.records import evolve
from refold.sources.codex.talk import settled_thought
from refold.sources.codex.threads import Channel, Thread, say
from refold.sources.logs.spots import Spot

__all__ = ["compacted", "learn", "note"]

_REASON, _MODE = "context", "summarize"


def learn(thread: Thread, fact: str, value: Json, spot: Spot) -> Thread:
    """Return the thread with a fact said, if it is news.

    Args:
        thread: the session.
        fact: its name.
        value: what it is now.
        spot: where that was said.
    """
    if fact in thread.facts and thread.facts[fact] == value:
        return thread
    thread = evolve(thread, facts=thread.facts.put(fact, value))
    return say(thread, Fact(name=fact, value=value), spot)


def compacted(thread: Thread, channel: Channel, summary: str, spot: Spot) -> Thread:
    """Take a compaction.

    Args:
        thread: the session.
        channel: where it is written.
        summary: what it kept, as far as this says it.
        spot: where it was.
    """
    if thread.compacted not in (None, channel):
        return evolve(thread, compacted=None)
    thread = settled_thought(thread)
    kept = thread.summary or summary
    thread = evolve(thread, compacted=channel, summary=None)
    thread = say(thread, CompactionBegin(reason=_REASON, mode=_MODE, context=0, turns=0), spot)
    if kept:
        said = Text(role="assistant", text=kept, stop_reason="completed")
        thread = say(thread, said, spot)
    end = CompactionEnd(reason=_REASON, mode=_MODE, status="completed")
    return say(thread, end, spot)


def note(thread: Thread, name: str, said: str | None, spot: Spot, value: Json = None) -> Thread:
    """Return the thread with a notice said.

    Args:
        thread: the session.
        name: the notice's.
        said: its text.
        spot: where it was.
        value: what else it holds.
    """
    return say(settled_thought(thread), Notice(name=name, text=said, data=value), spot)
