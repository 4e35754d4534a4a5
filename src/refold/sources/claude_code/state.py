"""What is carried from record to record.

Rules of this file:

- A lane is one independently ordered stream of records: the main thread, or one subagent. All
  that depends on order is in its lane; what joins lanes is in the state, by ids only.
- Everything that grows with the session is a persistent map, so a record costs the same in a long
  session as in a short one; every tuple here is bounded.
- ``State`` and ``Lane`` are values. While records are folded, a draft with the same slots stands
  for them: nobody else sees it, and it is frozen before ``step`` returns. The main thread's stays
  a draft from record to record, for most records are of it.
- No transitions here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import attrs
from attrs.exceptions import FrozenInstanceError

from refold.json_values import Json
from refold.maps import EMPTY_MAP, Map
from refold.messages import TokenCounts
from refold.records import thawing
from refold.sources.claude_code.readings import Steer
from refold.sources.claude_code.values import MAIN, Closed, Group, Header, Spawn, TaskEntry, Watched

__all__ = [
    "START",
    "Lane",
    "LaneDraft",
    "State",
    "StateDraft",
    "freeze_lane",
    "freeze_state",
    "lane_at",
    "open_lane",
    "put_lane",
    "thaw_lane",
    "thaw_state",
]

D = TypeVar("D")


_NO_HEADER = Header()
_NO_TOKENS = TokenCounts()


@attrs.define(kw_only=True, weakref_slot=False, eq=False)
class LaneDraft:
    """One stream of records, while a record is folded into it.

    Args:
        agent: the subagent's id; empty for the main thread.
        origin: the chain of session ids its messages carry.
        header: what is known of the session.
        announced: what its last ``session_meta`` said, if there was one.
        group: the request that is open.
        spent: how many messages the last line of that request was made into.
        closed: every request that is over, by the key of its response.
        total: the tokens of all closed requests.
        input_at: the time of the last record the model answers to.
        seen: the keys of what was shown, the blocks of responses apart.
        queue: prompts typed while the model worked, oldest first.
        steered: texts taken out of the queue whose attachment hasn't come.
        attaches: the client writes queued prompts as attachments.
        surroundings: the last value of each of ``surroundings.SURROUNDINGS``, if any was told.
        facts: the last value of each fact.
        title_rank: the rank of the title in force.
        tasks: the task list, in order of creation.
        watched: open calls whose results change facts.
        unnamed: the made-up ids of calls without one that are still open, oldest first.
        compacted: a compaction's boundary came and its summary hasn't.
    """

    agent: str
    origin: tuple[str, ...] = ()
    header: Header = _NO_HEADER
    announced: Header | None = None
    group: Group | None = None
    spent: int = 0
    closed: Map[Closed] = EMPTY_MAP
    total: TokenCounts = _NO_TOKENS
    input_at: str | None = None
    seen: Map[bool] = EMPTY_MAP
    queue: tuple[Steer | None, ...] = ()
    steered: tuple[str, ...] = ()
    attaches: bool = False
    surroundings: tuple[str | None, ...] = ()
    facts: Map[Json] = EMPTY_MAP
    title_rank: int = 0
    tasks: tuple[TaskEntry, ...] = ()
    watched: Map[Watched] = EMPTY_MAP
    unnamed: tuple[str, ...] = ()
    compacted: bool = False


@attrs.define(kw_only=True, weakref_slot=False, eq=False)
class StateDraft:
    """The source's state, while a record is folded into it.

    Args:
        main: the main thread's lane; a draft once a record of it was folded, and in no ``State``.
        agents: the subagents' lanes, by agent id.
        recent: the uuids of the last records of the main thread, oldest first.
        sidechains: the agent of every record that is marked as sidechain and names none, by uuid.
        calls: which lane made a spawning call, by the call's id.
        spawns: spawning calls by the digest of their prompt.
        waiting: subagents that know no call yet, by the digest of their first prompt.
        bound: the call of a subagent, by agent id, as soon as anything tells it.
        reasons: why records and parts showed nothing.
        times: how often, for each of ``reasons``.
    """

    main: LaneDraft
    agents: Map[Lane] = EMPTY_MAP
    recent: tuple[str, ...] = ()
    sidechains: Map[str] = EMPTY_MAP
    calls: Map[str] = EMPTY_MAP
    spawns: Map[Spawn] = EMPTY_MAP
    waiting: Map[str] = EMPTY_MAP
    bound: Map[str] = EMPTY_MAP
    reasons: tuple[str, ...] = ()
    times: tuple[int, ...] = ()


class _Frozen:
    """What makes a draft's slots a value."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or _slots(self) == _slots(other)

    def __hash__(self) -> int:
        return hash(_slots(self))


class Lane(_Frozen, LaneDraft):
    """One stream of records: the slots of ``LaneDraft``, frozen."""

    __slots__ = ()


class State(_Frozen, StateDraft):
    """The source's state: the slots of ``StateDraft``, frozen."""

    __slots__ = ()


def lane_at(state: StateDraft, agent: str) -> LaneDraft | None:
    """Return a lane by its agent id to look at, if there is one."""
    return state.main if agent == MAIN else state.agents.get(agent)


def open_lane(state: StateDraft, agent: str) -> LaneDraft:
    """Return the draft of a lane by its agent id; of one that there isn't yet, a new one."""
    if agent == MAIN:
        main = state.main
        if type(main) is Lane:
            main = state.main = thaw_lane(main)
        return main
    known = state.agents.get(agent)
    return LaneDraft(agent=agent) if known is None else thaw_lane(known)


def put_lane(state: StateDraft, lane: LaneDraft) -> None:
    """Put the draft of a lane back into a state's draft."""
    if lane.agent != MAIN:
        state.agents = state.agents.put(lane.agent, freeze_lane(lane))


def freeze_lane(draft: LaneDraft) -> Lane:
    """Turn a draft into a lane; the draft is used up."""
    draft.__class__ = Lane
    return draft  # type: ignore[return-value]


def freeze_state(draft: StateDraft) -> State:
    """Turn a draft into a state; the draft is used up."""
    if type(draft.main) is not Lane:
        freeze_lane(draft.main)
    draft.__class__ = State
    return draft  # type: ignore[return-value]


def _slots(value: Any) -> tuple[object, ...]:
    return tuple([getattr(value, field.name) for field in attrs.fields(type(value))])


thaw_lane: Callable[[LaneDraft], LaneDraft] = thawing(LaneDraft)
thaw_state: Callable[[StateDraft], StateDraft] = thawing(StateDraft)

START = freeze_state(StateDraft(main=freeze_lane(LaneDraft(agent=MAIN))))
