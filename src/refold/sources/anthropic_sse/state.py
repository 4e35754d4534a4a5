"""What the Anthropic stream source carries from event to event.

Rules of this file:

- A request is one message of the API; its blocks are known by their index while it is open.
- A block that stopped waits for what tells why the message stopped, since the last one's stop
  reason is the message's: it is ``held``, and completed by whatever comes next but a ping.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from refold.maps import EMPTY_MAP, Map
from refold.messages import TokenCounts
from refold.records import evolve, evolver, record
from refold.sources.drafts import Drafts
from refold.sources.fragments import NOTHING_OPEN, FragmentKind, Fragments
from refold.sources.tally import NOTHING_COUNTED, Tally, counted
from refold.sources.token_ledger import NO_TOKENS
from refold.texts import GrownText

__all__ = [
    "GROWING",
    "MODE",
    "REASON",
    "START",
    "Event",
    "Request",
    "State",
    "Step",
    "count",
    "with_fragments",
]

# What the API's compaction blocks are, in the protocol's words.
REASON, MODE = "context", "summarize"

# The blocks that grow, and what they become.
GROWING: dict[str, FragmentKind] = {
    "text": "text",
    "thinking": "thinking",
    "tool_use": "tool_call",
    "server_tool_use": "tool_call",
    "mcp_tool_use": "tool_call",
    "compaction": "text",
}

Event: TypeAlias = dict[str, Any]


@record
class Request:
    """An open message.

    Args:
        id: the message's id.
        usage: its usage object, the latest value of every field.
        stop_reason: why it stopped, once that is known.
        stop_details: what was said about that.
    """

    id: str
    usage: tuple[tuple[str, Any], ...] = ()
    stop_reason: str | None = None
    stop_details: Any = None


@record
class State:
    """The source between two events.

    Args:
        request: the open message.
        fragments: its open blocks that grow, by index.
        last: the index of the block opened last.
        held: the index of the block that stopped and waits.
        compacting: the index of the compaction block.
        signatures: the signatures of open thinkings, by index.
        inputs: the arguments that open calls were started with, by index.
        calls: the ids of all calls so far.
        named: a session was named.
        model: the model that answers.
        session: the tokens of all requests so far.
        tally: what was not understood.
    """

    request: Request | None = None
    fragments: Fragments = NOTHING_OPEN
    last: str | None = None
    held: str | None = None
    compacting: str | None = None
    signatures: Map[GrownText] = EMPTY_MAP
    inputs: Map[str] = EMPTY_MAP
    calls: Map[bool] = EMPTY_MAP
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
