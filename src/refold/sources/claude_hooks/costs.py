"""What a session cost: the figure to show, and the figure to hold against a budget.

Rules of this file (sources/claude-code.md 5.2):

- What is shown is the client's own total, so it equals what the client shows. That total stands
  still while a subagent works, so a budget takes the greater of it and an estimate: the priced
  transcripts of the session and its children.
- With no child the total serves both, and an estimate is not asked for.
- Each figure only rises, on its own. Where neither rises there is nothing to tell.
- The model goes with a rise of the shown figure, which is what it accounts for.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.json_values import Json, JsonObject
from refold.records import evolve, record

__all__ = ["Cost", "Costs", "Spent", "estimated", "step", "to_json"]


@record
class Spent:
    """What is known of the cost at one moment, in USD.

    Args:
        total: the client's own total, if it gave one.
        estimate: the priced transcripts, if any could be priced (``estimated``).
        children: whether a subagent is bound.
        model: the model the client named with its total.
    """

    total: float | None = None
    estimate: float | None = None
    children: bool = False
    model: str | None = None


@record
class Cost:
    """Figures that rose, in USD; None is one that didn't.

    Args:
        shown: the figure to show.
        policy: the figure to hold against a budget.
        model: what the shown figure is to be put down to.
    """

    shown: float | None = None
    policy: float | None = None
    model: str | None = None


@record
class Costs:
    """The figures told last, in USD."""

    shown: float | None = None
    policy: float | None = None


def step(costs: Costs, spent: Spent) -> tuple[Costs, tuple[Cost, ...]]:
    """Take what is known now; return the figures that rose.

    Args:
        costs: the state before.
        spent: what is known now.
    """
    known = [each for each in (spent.total, spent.estimate) if each is not None]
    policy = max(known, default=None) if spent.children else spent.total
    rise = Cost(shown=_risen(costs.shown, spent.total), policy=_risen(costs.policy, policy))
    if rise == Cost():
        return costs, ()
    after = Costs(shown=_or(rise.shown, costs.shown), policy=_or(rise.policy, costs.policy))
    model = spent.model if rise.shown is not None else None
    return after, (evolve(rise, model=model),)


def estimated(parent: float | None, children: Iterable[float | None]) -> float | None:
    """Return the sum of what could be priced, in USD; None if nothing could.

    Args:
        parent: the price of the session's own transcript, without what its children wrote there.
        children: those of its bound children.
    """
    priced = [each for each in (parent, *children) if each is not None]
    return sum(priced) if priced else None


def to_json(cost: Cost) -> JsonObject:
    """Return the figures as JSON; what didn't rise has no key."""
    entries: dict[str, Json] = {
        "cumulative_cost_usd": cost.shown,
        "policy_cost_usd": cost.policy,
        "model": cost.model,
    }
    return JsonObject({name: value for name, value in entries.items() if value is not None})


def _risen(before: float | None, now: float | None) -> float | None:
    return now if now is not None and (before is None or now > before) else None


def _or(first: float | None, second: float | None) -> float | None:
    return second if first is None else first
