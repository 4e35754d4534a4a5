"""What the user and the agent say.

Rules of this file (census.md X0, X8, X9):

- Each text is said once, wherever it is written first (``twins``). What the user types while a turn
  is running is steering; what a parent thread tells a subagent is the parent's.
- A thinking is one message, however many sections it has and whether they come one by one (as
  events) or whole. Sections wait for their whole until something else is said.
- What was streamed and turns out to be nothing, or to be said already, is said empty: that takes
  back what was streamed (reducer.md rule 7).
"""

from __future__ import annotations

from refold.json_values import JsonObject
from refold.messages import ImageUrl, Text, Thinking
from refold.records import evolve, evolver
from refold.sources.codex.threads import Channel, Thought, Thread, say
from refold.sources.codex.twins import agent_acts, agent_writes, user_writes
from refold.sources.logs.spots import Spot

__all__ = ["agent_says", "agent_thinks", "settled_thought", "thought_section", "user_says"]

_JOINT = "\n"
_MOST_SECTIONS = 64

_with_thought = evolver(Thread, "thought")


def user_says(thread: Thread, said: str, images: list[str], channel: Channel, spot: Spot) -> Thread:
    """Take a message of the user's.

    Args:
        thread: the session.
        said: its text.
        images: its pictures, as URLs.
        channel: where it is written.
        spot: where it was.
    """
    if said:
        thread, is_news = user_writes(thread, said.strip(), channel)
        thread = _user_text(thread, said, spot) if is_news else thread
    for url in images:
        thread, is_news = user_writes(thread, f"image {url}", channel)
        thread = say(thread, ImageUrl(role="user", image_url=url), spot) if is_news else thread
    return thread


def agent_says(
    thread: Thread,
    said: str,
    phase: str | None,
    channel: Channel,
    spot: Spot,
    *,
    id: str | None = None,
    since: Spot | None = None,
    stop_reason: str = "completed",
) -> Thread:
    """Take a message of the agent's.

    Args:
        thread: the session.
        said: its text.
        phase: what it is for (``commentary``, ``final_answer``), if that is said.
        channel: where it is written.
        spot: where it was.
        id: the format's id of it.
        since: where it began to stream, if it did.
        stop_reason: how it ended.
    """
    thread = settled_thought(thread)
    thread, is_news = agent_writes(thread, f"text {said.strip()}", channel)
    if not is_news:
        said = ""
    if not said and since is None:
        return thread
    payload = Text(
        role="assistant",
        text=said,
        stop_reason=stop_reason,
        fidelity=None if phase is None else JsonObject({"phase": phase}),
    )
    return say(thread, payload, spot, id=id, since=since)


def agent_thinks(
    thread: Thread,
    sections: list[str],
    channel: Channel,
    spot: Spot,
    *,
    id: str | None = None,
    since: Spot | None = None,
) -> Thread:
    """Take a whole thinking.

    Args:
        thread: the session.
        sections: its sections, in order.
        channel: where it is written.
        spot: where it was.
        id: the format's id of it.
        since: where it began to stream, if it did.
    """
    waiting = thread.thought
    told = [each for each in sections if each]
    if waiting.sections and tuple(told[: len(waiting.sections)]) != waiting.sections:
        thread = settled_thought(thread)
    begun = waiting.first if waiting.sections and since is None else since
    thread = _with_thought(thread, Thought(over=tuple(told[:_MOST_SECTIONS])))
    said = _JOINT.join(told)
    thread, is_news = agent_writes(thread, f"thinking {said}", channel)
    if not is_news:
        said = ""
    if not said and begun is None:
        return thread
    payload = Thinking(role="assistant", thinking=said, stop_reason="completed")
    return say(thread, payload, spot, id=id, since=begun)


def thought_section(thread: Thread, section: str, spot: Spot) -> Thread:
    """Take a section of a thinking that is written as an event.

    Args:
        thread: the session.
        section: its text.
        spot: where it was.
    """
    thought = thread.thought
    if section in thought.over:
        place = thought.over.index(section)
        over = (*thought.over[:place], *thought.over[place + 1 :])
        return _with_thought(thread, evolve(thought, over=over))
    if len(thought.sections) == _MOST_SECTIONS:
        thread = settled_thought(thread)
        thought = Thought()
    first = thought.first if thought.sections else spot
    sections = (*thought.sections, section) if section else thought.sections
    waiting = Thought(sections=sections, first=first, last=spot)
    return agent_acts(_with_thought(thread, waiting))


def settled_thought(thread: Thread) -> Thread:
    """Return the thread with sections that wait for their whole said as one thinking."""
    waiting = thread.thought
    if not waiting.sections:
        return thread
    return agent_thinks(
        _with_thought(thread, Thought()),
        list(waiting.sections),
        "event",
        waiting.last,
        since=waiting.first,
    )


def _user_text(thread: Thread, said: str, spot: Spot) -> Thread:
    thread = settled_thought(thread)
    steers = thread.running and thread.prompted
    sender = "parent_agent" if thread.source == "subagent" else "user"
    words = f"[user_steering]\n{said}\n[/user_steering]" if steers else said
    thread = evolve(thread, prompted=True)
    return say(thread, Text(role="user", text=words, sender=sender), spot)
