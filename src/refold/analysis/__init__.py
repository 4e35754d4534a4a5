"""Where a session's time, tokens and money went (analysis.md).

Rules of this package:

- A projection of the same messages the reducer folds, with the same idea of a task; it knows no
  item and no view, and where both show a figure they agree (``tests/analysis/test_agreement.py``).
- One pass: ``step`` enters a message in a ``Tally``, ``finish`` turns a tally into an ``Analysis``
  at any point. ``analyse`` is the two together. Read in the order: ``tokens``, ``intervals``,
  ``marks``, ``accounts``, ``tasks``, ``requests``, ``tools``, ``task_cases``, ``cases``, ``entries``,
  ``bindings``, ``tally``; then ``findings``, ``spans``, ``ledgers``, ``finish``.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.analysis.accounts import Tally
from refold.analysis.costs import Cost, cost_of
from refold.analysis.findings import Analysis, Approvals, Conservation, Doubt, SessionFigures
from refold.analysis.finish import finish
from refold.analysis.intervals import Interval, lanes, merged
from refold.analysis.marks import AbortMark, CompactionMark, Reconnect, Request, Segment, UsagePoint
from refold.analysis.prices import Price, PriceTable, price_table, read_prices
from refold.analysis.tally import step, steps
from refold.analysis.task_figures import TaskFigures, Times, Usage
from refold.analysis.tokens import ModelTokens, Tokens
from refold.analysis.tool_marks import Tool
from refold.messages import Message

__all__ = [
    "AbortMark",
    "Analysis",
    "Approvals",
    "CompactionMark",
    "Conservation",
    "Cost",
    "Doubt",
    "Interval",
    "ModelTokens",
    "Price",
    "PriceTable",
    "Reconnect",
    "Request",
    "Segment",
    "SessionFigures",
    "Tally",
    "TaskFigures",
    "Times",
    "Tokens",
    "Tool",
    "Usage",
    "UsagePoint",
    "analyse",
    "cost_of",
    "finish",
    "lanes",
    "merged",
    "price_table",
    "read_prices",
    "step",
    "steps",
]


def analyse(messages: Iterable[Message], *, prices: PriceTable | None = None) -> Analysis:
    """Find out where the time, the tokens and the money of a stream went.

    Args:
        messages: a trace or a live capture, in order; read once, one message at a time.
        prices: USD per million tokens by model, or None to price nothing.
    """
    return finish(steps(Tally(), messages), prices=prices)
