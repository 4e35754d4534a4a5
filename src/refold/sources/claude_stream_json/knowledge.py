"""What is known of a run besides its conversation.

Rules of this file (sources/README.md): a fact is said when it changes and not again; an init record
comes with every turn.
"""

from __future__ import annotations

from refold.json_values import Json
from refold.messages import Fact, Notice
from refold.records import evolve
from refold.sources.claude_stream_json.lanes import said
from refold.sources.claude_stream_json.state import Entry, State, Step
from refold.sources.drafts import Draft

__all__ = ["learn", "notice"]


def learn(state: State, entry: Entry, fact: str, value: Json) -> Step:
    """Say a fact, if it is news.

    Args:
        state: the state.
        entry: the record that tells it.
        fact: its name.
        value: what it is now.
    """
    if fact in state.facts and state.facts[fact] == value:
        return state, ()
    state = evolve(state, facts=state.facts.put(fact, value))
    return state, said(entry, state.main, Fact(name=fact, value=value))


def notice(
    state: State, entry: Entry, name: str, text: str | None, data: Json = None
) -> tuple[Draft, ...]:
    """Return a notice in the main conversation.

    Args:
        state: the state.
        entry: the record that tells it.
        name: what kind of notice.
        text: what it says.
        data: what else it holds.
    """
    return said(entry, state.main, Notice(name=name, text=text, data=data))
