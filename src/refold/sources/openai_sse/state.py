"""What the OpenAI stream source carries from event to event.

Rules of this file:

- One request is open at a time: a response (Responses API) or a completion (Chat Completions).
- Items of a response are known by their ``output_index``: gateways rotate their ids with every
  event (sources/census.md R1). ``sequence_number`` decides nothing: it restarts, has gaps, or
  isn't there.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from refold.maps import EMPTY_MAP, Map
from refold.messages import TokenCounts
from refold.records import evolve, evolver, record
from refold.sources.drafts import Drafts
from refold.sources.fragments import NOTHING_OPEN, Fragments
from refold.sources.tally import NOTHING_COUNTED, Tally, counted
from refold.sources.token_ledger import NO_TOKENS

__all__ = ["START", "Event", "Request", "State", "Step", "count", "with_fragments"]

Event: TypeAlias = dict[str, Any]


@record
class Request:
    """An open response or completion.

    Args:
        id: what the API calls it.
        api: which API.
        usage: its usage object, as frozen entries, the latest one.
        done: the indices of items that are complete, or of choices that finished.
        begun: the indices of choices that began.
    """

    id: str
    api: Literal["responses", "chat"]
    usage: tuple[tuple[str, Any], ...] = ()
    done: Map[bool] = EMPTY_MAP
    begun: Map[bool] = EMPTY_MAP


@record
class State:
    """The source between two events.

    Args:
        request: what is open.
        fragments: its open texts, thinkings and calls.
        parts: the part of an item that streamed last, by the item's index; the key of the call
            that grows now, by choice and call index.
        named: a session was named.
        model: the model that answers.
        session: the tokens of all requests so far.
        tally: what was not understood.
    """

    request: Request | None = None
    fragments: Fragments = NOTHING_OPEN
    parts: Map[str] = EMPTY_MAP
    named: bool = False
    model: str | None = None
    session: TokenCounts = NO_TOKENS
    tally: Tally = NOTHING_COUNTED


Step: TypeAlias = tuple[State, Drafts]

START = State()

with_fragments = evolver(State, "fragments")
"""Return the state with other open fragments; once per delta, so without ``evolve``."""


def count(state: State, reason: str) -> State:
    """Return the state with something not understood counted."""
    return evolve(state, tally=counted(state.tally, reason))
