"""What a session shows beside its conversation: goals, facts and notices.

Rules of this file (reducer.md rule 35, sources/README.md):

- A fact and a goal add no item: the latest one counts. A notice adds one and starts nothing.
"""

from __future__ import annotations

from refold.items import NoticeItem
from refold.json_values import JsonObject
from refold.messages import Fact, GoalFinished, Notice
from refold.records import evolver
from refold.reduce.places import next_key, place
from refold.state import Draft, Marks

__all__ = ["fact", "goal_finished", "notice"]

_with_goal = evolver(Marks, "goal")
_with_facts = evolver(Marks, "facts")


def goal_finished(draft: Draft, payload: GoalFinished) -> None:
    """Keep how the goal ended."""
    goal = {
        "outcome": payload.outcome,
        "rounds": payload.rounds,
        "tokens_used": payload.tokens_used,
        **payload.extra,
    }
    draft.marks = _with_goal(draft.marks, JsonObject(goal))


def fact(draft: Draft, payload: Fact) -> None:
    """Keep the latest value of a name."""
    facts = draft.marks.facts
    draft.marks = _with_facts(draft.marks, facts.put(payload.name, payload.value))


def notice(draft: Draft, payload: Notice, at_ms: int | None) -> None:
    """Place a notice."""
    key = next_key(draft, "notice")
    item = NoticeItem(key=key, name=payload.name, text=payload.text, data=payload.data, at_ms=at_ms)
    place(draft, item)
