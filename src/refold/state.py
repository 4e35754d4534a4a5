"""What a session carries from one message to the next.

Rules of this file:

- What is stored is what the rules of reducer.md need and can't derive; a checkpoint carries just
  this. What a user reads (view.md) is derived from it in ``session``.
- Every part is a frozen record. ``Draft`` alone is mutable: the parts side by side while one
  ``apply`` changes them. It becomes a ``Session`` (the same slots, frozen) and is never seen outside.
- Parts that change together stand in one record, and what most messages leave alone in another
  (``Aside``), so that a message copies little. ``Draft`` reads and writes them as its own.
- Slots: ``placed`` holds what complete messages and events have put in order, and, unplaced, the
  fragments that stand among them; ``floating`` holds what still streams (rule 14).
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import attrs

from refold.boundaries import Boundary
from refold.items import AssistantTextItem, CompactionItem, Item, ToolCallItem
from refold.json_values import Json, JsonObject
from refold.maps import EMPTY_MAP, Map
from refold.messages import TokenCounts
from refold.recents import EMPTY_RECENT, Recent
from refold.records import evolver, record
from refold.sequels import EMPTY_SEQUEL, Sequel
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = [
    "Approval",
    "Aside",
    "Binding",
    "Calls",
    "Card",
    "Compacting",
    "Diagnostics",
    "Draft",
    "Fragment",
    "Marks",
    "Meta",
    "Nest",
    "Numbers",
    "Pointers",
    "RareNumbers",
    "Requests",
    "Task",
    "Totals",
]

T = TypeVar("T")

Binding: TypeAlias = Literal["explicit", "inferred", "none"]


@record
class Diagnostics:
    """How many messages changed no item, by reason (laws.md, law 3).

    Args:
        orphan: pieces of nothing that is open, outputs of no call.
        unknown: payload types and ``event_type`` values this version doesn't know.
        duplicate: messages delivered again, or absorbed by an overlap.
        blank: complete texts and thinkings without a visible character.
        late: pieces of what is complete already.
    """

    orphan: int = 0
    unknown: int = 0
    duplicate: int = 0
    blank: int = 0
    late: int = 0


@record
class RareNumbers:
    """The numbers of what seldom comes; ``given_up_*`` count fragments that gave theirs back."""

    user_text: int = 0
    user_steering: int = 0
    user_image: int = 0
    abort: int = 0
    reconnect: int = 0
    compaction: int = 0
    mcp_connect: int = 0
    notice: int = 0
    task_stats: int = 0
    given_up_text: int = 0
    given_up_thinking: int = 0


@record
class Numbers:
    """How many items of each kind were keyed, and how many fragments gave theirs back (rule 15).

    Args:
        assistant_text: texts of the assistant.
        thinking: thinkings.
        rare: everything else.
    """

    assistant_text: int = 0
    thinking: int = 0
    rare: RareNumbers = RareNumbers()


@record
class Fragment:
    """The latest text or thinking whose complete is still to come.

    Args:
        phase: ``open`` while it streams, ``pending`` once it stopped, ``early`` when it was closed
            before it stopped (it then stands in ``placed`` instead of ``floating``).
        slot: where its item is.
    """

    phase: Literal["open", "pending", "early"]
    slot: int


@record
class Card:
    """The latest tool card of an id.

    Args:
        where: ``floating``, ``standing`` (closed early, unplaced) or ``placed``; ``new`` until it is
            any of these.
        slot: its slot there.
        occurrence: which card of its id, from 1.
        output_end_ms: when its output ended, in Unix ms, if that was in front of its call.
        reopened: the card as it is underneath, while only an idle has closed it (rule 20).
    """

    where: Literal["new", "floating", "standing", "placed"]
    slot: int
    occurrence: int = 1
    output_end_ms: int | None = None
    reopened: ToolCallItem | None = None


@record
class Approval:
    """A decision that came before its card (rule 27)."""

    decision: str
    source: Literal["manual", "remote"]
    at_ms: int | None


@record
class Calls:
    """The tool cards of a session, by id.

    Args:
        cards: the latest card of each id.
        running: ids whose call completed with its output open, since the last closing; a log.
        streaming: ids whose call began to stream since the last closing; a log.
        spawning: a bit for each slot of a placed card that a nested session may be inferred for.
        approvals: decisions kept for cards still to come.
        starts: first times of starts that were ignored, by id (rule 36).
        thinking_start_ms: the same for thinking.
        earlier: how many cards of an id stand in windows before this one.
    """

    cards: Recent[Card] = EMPTY_RECENT
    running: Vector[str] = EMPTY_VECTOR
    streaming: Vector[str] = EMPTY_VECTOR
    spawning: int = 0
    approvals: Map[Approval] = EMPTY_MAP
    starts: Map[int] = EMPTY_MAP
    thinking_start_ms: int | None = None
    earlier: Map[int] = EMPTY_MAP


@record
class Compacting:
    """The running compaction.

    Args:
        slot: where its item is placed.
        item: the item as it is underneath; what is placed may show it closed (rule 19).
        closed_by_idle: an idle has closed it, in show only.
        streaming: a text of the summary streams.
        summarised: a complete text of the summary has come.
    """

    slot: int
    item: CompactionItem
    closed_by_idle: bool = False
    streaming: bool = False
    summarised: bool = False


@record
class Pointers:
    """Slots of items that later messages change.

    Args:
        steering: the steering item whose window is open (rule 18).
        reconnect: the reconnect item that waits (rule 33).
        mcp: the last ``mcp_connect`` item.
        mcp_running: a bit for each slot of one that runs.
    """

    steering: int | None = None
    reconnect: int | None = None
    mcp: int | None = None
    mcp_running: int = 0


@record
class Requests:
    """What is known of the requests to the model since the task's start.

    Args:
        open: a request outside compaction is open.
        begin_ms: when it began, if known.
        waited_ms: approval waits inside it.
        attempt: the number of the last failed attempt in a row, 0 for none.
        output_since: a complete tool output came since the last request began (rule 29).
        pending: usage of a compaction that waits for the next request's end (rule 22).
        may_reopen: a wrap-up compaction settled the task; steering opens one again (rule 18).
    """

    open: bool = False
    begin_ms: int | None = None
    waited_ms: int = 0
    attempt: int = 0
    output_since: bool = False
    pending: TokenCounts | None = None
    may_reopen: bool = False


@record
class Task:
    """The running task, or the one that only an idle has closed.

    Args:
        start_local_ms: the caller's clock at its start.
        first_ms: the first known message time in it.
        end_ms: when its last request ended, if known.
        provisional: only an idle or finalize has closed it (rule 20).
        used: usage was seen.
        tokens: all its tokens, those of nested sessions included.
        cache_read: of these, read from a cache.
        cache_write: of these, written to one.
        output: of these, generated.
        own_output: tokens the session's own model generated.
        llm_ms: milliseconds in requests, approval waits taken out.
    """

    start_local_ms: int
    first_ms: int | None = None
    end_ms: int | None = None
    provisional: bool = False
    used: bool = False
    tokens: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    own_output: int = 0
    llm_ms: int = 0


@record
class Totals:
    """Sums over the session so far; ``context_at_stats`` is the context of the last stats."""

    context_now: int = 0
    context_stale: bool = False
    session_total: int = 0
    subagent_total: int = 0
    elapsed_ms: int = 0
    context_at_stats: int = 0


@record
class Marks:
    """What a session shows beside its items."""

    last_auth_failure_ms: int | None = None
    goal: JsonObject | None = None
    facts: Map[Json] = EMPTY_MAP
    local_decisions: Map[bool] = EMPTY_MAP


@record
class Meta:
    """What a nested session says of itself (rule 3)."""

    agent_id: str | None
    provider: str
    model_id: str
    source: str | None = None


@record
class Nest:
    """What only a nested session has.

    Args:
        binding: how it was bound to a card; None until its first complete, event or session_meta.
        slot: of its ``subagent`` item: in ``floating`` until bound, then in ``placed``; or of the
            placed card it is bound to.
        meta: from its own session_meta.
        first_ts_ms: the first known time of its subtree.
        last_activity_ts_ms: the largest.
        certain_ts_ms: the largest but for partials behind the last complete or event.
        first_seen_local_ms: the caller's clock at its first message.
        last_activity_local_ms: and at its last.
    """

    binding: Binding | None = None
    slot: int | None = None
    meta: Meta | None = None
    first_ts_ms: int | None = None
    last_activity_ts_ms: int | None = None
    certain_ts_ms: int | None = None
    first_seen_local_ms: int
    last_activity_local_ms: int


@record
class Aside:
    """What most messages leave alone.

    Args:
        standing: a bit for each slot of ``placed`` that holds an unplaced fragment.
        compacting: the running compaction.
        pointers: slots that later messages change.
        boundary: where the next task may start.
        marks: goal, facts and the like.
        awaiting: nested session by the call it names, while that card isn't placed.
        nest: what only a nested session has.
        diagnostics: messages that changed no item.
    """

    standing: int = 0
    compacting: Compacting | None = None
    pointers: Pointers = Pointers()
    boundary: Boundary = Boundary()
    marks: Marks = Marks()
    awaiting: Map[str] = EMPTY_MAP
    nest: Nest | None = None
    diagnostics: Diagnostics = Diagnostics()


class _Kept(Generic[T]):
    """A field of ``Aside`` as an attribute of the draft that has it."""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._read = attrgetter(name)
        self._changed = evolver(Aside, name)

    def __get__(self, draft: Draft, owner: type[Any] | None = None) -> T:
        value: T = self._read(draft.aside)
        return value

    def __set__(self, draft: Draft, value: T) -> None:
        draft.aside = self._changed(draft.aside, value)


_NO_NUMBERS = Numbers()
_NO_CALLS = Calls()
_NO_REQUESTS = Requests()
_NO_TOTALS = Totals()
_NO_ASIDE = Aside()


@attrs.define(eq=False, kw_only=True)
class Draft:
    """A session being changed by one ``apply``.

    Args:
        placed: items in order, and what stands among them unplaced.
        floating: what still streams, in the order it began.
        numbers: counters for keys.
        text: the text fragment whose complete is to come.
        thinking: the same for thinking.
        calls: the tool cards.
        requests: the requests to the model.
        task: the running or provisionally closed task.
        seen_ms: the largest message time seen in the task.
        previous_ms: the previous time (rule 36).
        said: assistant texts since the last ``task_stats``.
        totals: sums over the session.
        subagents: nested sessions (``Session``), by id.
        aside: what most messages leave alone.
    """

    placed: Vector[Item] = EMPTY_VECTOR
    floating: Vector[Item] = EMPTY_VECTOR
    numbers: Numbers = _NO_NUMBERS
    text: Fragment | None = None
    thinking: Fragment | None = None
    calls: Calls = _NO_CALLS
    requests: Requests = _NO_REQUESTS
    task: Task | None = None
    seen_ms: int | None = None
    previous_ms: int | None = None
    said: Vector[AssistantTextItem] = EMPTY_VECTOR
    totals: Totals = _NO_TOTALS
    subagents: Sequel[Any] = EMPTY_SEQUEL
    aside: Aside = _NO_ASIDE

    standing = _Kept[int]()
    compacting = _Kept[Compacting | None]()
    pointers = _Kept[Pointers]()
    boundary = _Kept[Boundary]()
    marks = _Kept[Marks]()
    awaiting = _Kept[Map[str]]()
    nest = _Kept[Nest | None]()
    diagnostics = _Kept[Diagnostics]()
