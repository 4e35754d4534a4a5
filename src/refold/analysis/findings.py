"""What an analysis finds: one frozen record per session, task and question.

Rules of this file (analysis.md):

- Times are Unix ms, durations ms, tokens counts, rates tokens per second, money USD as ``Decimal``.
  None is unknown; a cost is None where no prices were given.
- ``task``, ``request``, ``tool`` are places in a session's tuples; ``parent`` and ``session`` places
  in ``Analysis.sessions``, the main session's being 0.
- Tokens of a task's row are the session's own outside compaction; those of the compactions inside
  it and of nested sessions stand beside them, so that rows add up and nothing counts twice.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.analysis.accounts import Binding
from refold.analysis.costs import Cost
from refold.analysis.marks import AbortMark, Reconnect, Request, Segment, UsagePoint
from refold.analysis.prices import PriceTable
from refold.analysis.rates import tokens_per_second
from refold.analysis.sums import summed
from refold.analysis.task_figures import TaskFigures, Times, Usage
from refold.analysis.tokens import Tokens
from refold.analysis.tool_marks import Tool
from refold.records import record

__all__ = [
    "Analysis",
    "Approvals",
    "Conservation",
    "Doubt",
    "DoubtKind",
    "SessionFigures",
    "TaskFigures",
]

DoubtKind: TypeAlias = Literal["total_includes_children", "total_differs", "repeats_children"]


@record
class Approvals:
    """Decisions about tool calls, and the time they took.

    Args:
        allow: how many were allowed.
        deny: how many were denied.
        forbidden: how many a policy forbade.
        other: how many were decided in words this version doesn't know.
        wait_sum_ms: all waits, those at the same time counted each.
        wait_ms: time in which at least one call waited.
    """

    allow: int = 0
    deny: int = 0
    forbidden: int = 0
    other: int = 0
    wait_sum_ms: int = 0
    wait_ms: int = 0


@record
class SessionFigures:
    """One session.

    Args:
        session_id: its id, if known.
        parent: the session around it; None for the main session.
        depth: how many are around it.
        tool: the parent's tool that started it, if known.
        binding: how that is known (reducer.md rule 2).
        agent_id: the agent's, from the path of its state (rule 3).
        provider: whose model it used last.
        model: which.
        source: ``subagent`` or ``schedule``; None = made by a user.
        first_ms: the first known time in it or below.
        last_ms: the largest.
        tasks: tasks and compactions, in the order they began.
        outside: requests, tools and tokens that belong to none, as in a stream that holds no
            user's message; None if there are none.
        requests: requests, in the order they began.
        segments: what the model wrote, in order.
        tools: tool calls, in order.
        trend: reports of usage, in order.
        reconnects: requests outside compaction that failed and were to be tried again.
        aborts: stops.
        approvals: decisions about its tool calls.
        times: sums over its tasks, without compactions and what ran outside (rule 24).
        compaction_ms: how long its compactions took.
        own: its own tokens, compactions included.
        subtree: those and the ones of all sessions below.
    """

    session_id: str | None
    parent: int | None
    depth: int
    tool: int | None
    binding: Binding | None
    agent_id: str | None
    provider: str | None
    model: str | None
    source: str | None
    first_ms: int | None
    last_ms: int | None
    tasks: tuple[TaskFigures, ...]
    outside: TaskFigures | None
    requests: tuple[Request, ...]
    segments: tuple[Segment, ...]
    tools: tuple[Tool, ...]
    trend: tuple[UsagePoint, ...]
    reconnects: tuple[Reconnect, ...]
    aborts: tuple[AbortMark, ...]
    approvals: Approvals
    times: Times
    compaction_ms: int
    own: Usage
    subtree: Usage

    @property
    def rows(self) -> tuple[TaskFigures, ...]:
        """Tasks, compactions and what ran outside: all that the session's own tokens went to."""
        return self.tasks if self.outside is None else (*self.tasks, self.outside)

    @property
    def all_times(self) -> Times:
        """Sums over its tasks and what ran outside, without compactions."""
        outside = self.outside
        return self.times if outside is None else summed(Times, [self.times, outside.times])

    @property
    def llm_known(self) -> bool:
        """Whether LLM time is known of any of its rows, or there is none to be known."""
        return any(row.timed_requests for row in self.rows) or all(
            row.llm_known for row in self.rows
        )

    @property
    def output_tps(self) -> float | None:
        """Output tokens per second of LLM time, compactions left out."""
        output = sum(row.usage.tokens.output for row in self.rows if row.kind != "compaction")
        return tokens_per_second(output, self.all_times.llm_ms)

    @property
    def wall_ms(self) -> int | None:
        """From the first to the largest known time, pauses between tasks included."""
        if self.first_ms is None or self.last_ms is None:
            return None
        return max(0, self.last_ms - self.first_ms)


@record
class Doubt:
    """A session whose reports of usage don't add up.

    Args:
        session: which.
        kind: ``total_includes_children``: its own running total grows by its children's tokens
            too, so it must not be added to theirs; ``total_differs``: the total grows by something
            else than its requests; ``repeats_children``: its own reports repeat those of a child,
            which are counted twice.
        tokens: by how many; negative where the total grew by too little.
    """

    session: int
    kind: DoubtKind
    tokens: int


@record
class Conservation:
    """Whether tokens are neither lost nor counted twice.

    Args:
        root_subtree: the main session's own, and what passed through it from below.
        sum_of_own: the sum of what each session reported of itself.
        doubts: sessions whose reports don't add up.
    """

    root_subtree: Tokens
    sum_of_own: Tokens
    doubts: tuple[Doubt, ...]

    @property
    def holds(self) -> bool:
        """Whether both sums agree and no session is in doubt."""
        return self.root_subtree == self.sum_of_own and not self.doubts


@record
class Analysis:
    """Where the time, the tokens and the money went.

    Args:
        messages: how many messages there were.
        sessions: the main session, then the nested ones in the order they appeared.
        conservation: whether the tokens add up.
        prices: what everything was priced with, if it was.
    """

    messages: int
    sessions: tuple[SessionFigures, ...]
    conservation: Conservation
    prices: PriceTable | None = None

    @property
    def main(self) -> SessionFigures:
        """The main session."""
        return self.sessions[0]

    @property
    def cost(self) -> Cost | None:
        """What the whole tree cost; None if no prices were given."""
        return self.main.subtree.cost
