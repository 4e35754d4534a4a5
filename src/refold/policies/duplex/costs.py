"""Running totals to the cost of each turn.

Rules of this file (sources/stream-json-and-acp.md 2.5):

- The wire says what the session has cost so far. A turn costs the difference to the total before;
  the new total is the baseline of the next, also that of a result no turn waited for: its spend is
  never charged to the next turn. A result without a total costs nobody-knows and moves nothing.
- Agents disagree on what a resumed session's first total holds, so the baseline is an input. What a
  total that went down means is the caller's policy: nothing was spent, or the count began anew.
- Amounts are exact decimals of US dollars, as the wire's digits say them.
- Whether a prompt may be sent is decided before it is.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from typing import Any, ClassVar, Literal, TypeAlias

from refold.policies.duplex.failures import BudgetExceeded
from refold.records import evolve, record
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = [
    "COSTS",
    "STEPS",
    "CostConfig",
    "CostInput",
    "Costs",
    "Decrease",
    "Reported",
    "Reset",
    "Seeded",
    "TurnCost",
    "gate",
    "step",
]

Decrease: TypeAlias = Literal["clamp_zero", "treat_as_reset"]
_ZERO = Decimal(0)
# The caller's own decimal context must not decide what a turn cost.
_EXACT = Context(prec=400, traps=[])


@record
class TurnCost:
    """What a turn cost in US dollars; None if its result didn't say."""

    usd: Decimal | None


@record
class CostConfig:
    """How totals are read.

    Args:
        decrease: what a total below the one before means: ``clamp_zero`` (nothing was spent) or
            ``treat_as_reset`` (all of the new total was).
        ceiling_usd: the spend at which no prompt is sent any more; None is no ceiling.
    """

    decrease: Decrease = "clamp_zero"
    ceiling_usd: Decimal | None = None


@record
class Costs:
    """What a session has cost.

    Args:
        baseline_usd: the last total the wire gave, or None before the first.
        spent_usd: the sum of all differences.
        turns: the cost of each turn that ended.
    """

    baseline_usd: Decimal | None = None
    spent_usd: Decimal = _ZERO
    turns: Vector[TurnCost] = EMPTY_VECTOR


COSTS = Costs()


@record
class Reported:
    """A result came; ``orphan`` if no turn waited for it."""

    kind: ClassVar[Literal["reported"]] = "reported"

    total_usd: Decimal | None
    orphan: bool = False


@record
class Seeded:
    """The total before the first turn is known, as for a resumed session."""

    kind: ClassVar[Literal["seeded"]] = "seeded"

    total_usd: Decimal


@record
class Reset:
    """The agent counts from zero again: a new process, or a conversation that was reset."""

    kind: ClassVar[Literal["reset"]] = "reset"


CostInput: TypeAlias = Reported | Seeded | Reset


def step(config: CostConfig, costs: Costs, event: CostInput) -> Costs:
    """Take one input.

    Args:
        config: how totals are read.
        costs: the ledger before it.
        event: what happened.
    """
    return STEPS[type(event)](config, costs, event)


def gate(config: CostConfig, costs: Costs) -> BudgetExceeded | None:
    """Tell whether another prompt would be over budget, before it is sent."""
    ceiling = config.ceiling_usd
    if ceiling is None or costs.spent_usd < ceiling:
        return None
    return BudgetExceeded(spent_usd=f"{costs.spent_usd:f}", ceiling_usd=f"{ceiling:f}")


def _reported(config: CostConfig, costs: Costs, event: Reported) -> Costs:
    cost = _difference(config, costs.baseline_usd, event.total_usd)
    turns = costs.turns if event.orphan else costs.turns.append(TurnCost(usd=cost))
    if cost is None:
        return evolve(costs, turns=turns)
    spent = _EXACT.add(costs.spent_usd, cost)
    return Costs(baseline_usd=event.total_usd, spent_usd=spent, turns=turns)


def _difference(
    config: CostConfig, before: Decimal | None, total: Decimal | None
) -> Decimal | None:
    if total is None:
        return None
    change = _EXACT.subtract(total, _ZERO if before is None else before)
    if change >= 0:
        return change
    return max(_ZERO, total) if config.decrease == "treat_as_reset" else _ZERO


def _seeded(_config: CostConfig, costs: Costs, event: Seeded) -> Costs:
    return evolve(costs, baseline_usd=event.total_usd)


def _reset(_config: CostConfig, costs: Costs, _event: Reset) -> Costs:
    return evolve(costs, baseline_usd=None)


STEPS: dict[type, Callable[[CostConfig, Costs, Any], Costs]] = {
    Reported: _reported,
    Seeded: _seeded,
    Reset: _reset,
}
