"""Where the time and the tokens of a task went.

Rules of this file:

- As in ``findings``: times are Unix ms, durations ms, tokens counts, money USD as ``Decimal``.
- Tokens of a row are the session's own outside compaction; those of the compactions inside it and
  of nested sessions stand beside them, so that rows add up and nothing counts twice.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.analysis.costs import Cost
from refold.analysis.marks import CompactionMark
from refold.analysis.rates import tokens_per_second
from refold.analysis.tokens import NO_TOKENS, ModelTokens, Tokens, added
from refold.records import record

__all__ = ["NO_USAGE", "TaskFigures", "TaskKind", "Times", "Usage"]

TaskKind: TypeAlias = Literal["task", "compaction", "outside"]


@record
class Times:
    """Where the time went, in ms.

    Args:
        elapsed_ms: from begin to end (reducer.md rule 19).
        llm_ms: in requests outside compaction, approval waits taken out (rule 25).
        tools_ms: in which at least one tool ran.
        tools_sum_ms: of all tools, those that ran at once counted each.
        busy_ms: in which the model or a tool worked; inside the elapsed time.
        idle_ms: the rest of it.
        waiting_ms: in which a human was asked; part of the idle time unless a tool ran meanwhile.
    """

    elapsed_ms: int = 0
    llm_ms: int = 0
    tools_ms: int = 0
    tools_sum_ms: int = 0
    busy_ms: int = 0
    idle_ms: int = 0
    waiting_ms: int = 0


@record
class Usage:
    """Tokens, by bucket and model, and what they cost.

    Args:
        tokens: the sum.
        models: the same by model.
        reports: how many usage events there were.
        cost: what they cost, if prices were given.
    """

    tokens: Tokens = NO_TOKENS
    models: tuple[ModelTokens, ...] = ()
    reports: int = 0
    cost: Cost | None = None


NO_USAGE = Usage()


@record
class TaskFigures:
    """A task, or a compaction, which is a task of its own here, or what ran outside both.

    Args:
        kind: which of the three.
        index: its place among the session's tasks; None outside.
        ordinal: of the message that started it, in the whole stream from 0.
        end_ordinal: of the first message behind it.
        label: how the user's text begins.
        begin_ms: its start.
        end_ms: its end.
        times: where the time went.
        usage: the session's own tokens outside compaction; a compaction's own.
        compactions: tokens of compactions inside it that the chat counts into it (rule 22).
        nested: tokens of nested sessions meanwhile.
        context: tokens in the context at its end.
        requests: how many requests it made.
        timed_requests: how many of them are known to have begun and ended.
        tools: how many tools it called.
        retries: how many requests failed and were to be tried again.
        compaction: what is special about a compaction; None for a task.
    """

    kind: TaskKind
    index: int | None
    ordinal: int
    end_ordinal: int
    label: str
    begin_ms: int | None
    end_ms: int | None
    times: Times
    usage: Usage
    compactions: Usage
    nested: Usage
    context: int
    requests: int
    timed_requests: int
    tools: int
    retries: int
    compaction: CompactionMark | None = None

    @property
    def llm_known(self) -> bool:
        """Whether LLM time is known: some formats don't tell when the model was asked."""
        return self.timed_requests > 0 or not (self.tools or self.usage.tokens.output)

    @property
    def output_tps(self) -> float | None:
        """The session's own output tokens per second of LLM time (rule 25)."""
        return tokens_per_second(self.usage.tokens.output, self.times.llm_ms)

    @property
    def shown_tokens(self) -> Tokens:
        """All tokens that the chat's ``task_stats`` counts (rules 21-23)."""
        return added(self.usage.tokens, added(self.compactions.tokens, self.nested.tokens))
