from __future__ import annotations

import decimal
from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.duplex.costs import (
    COSTS,
    STEPS,
    CostConfig,
    CostInput,
    Costs,
    Reported,
    Reset,
    Seeded,
    TurnCost,
    gate,
    step,
)
from refold.policies.duplex.failures import BudgetExceeded

CLAMP = CostConfig()
RESTART = CostConfig(decrease="treat_as_reset")


def usd(amount: str | None) -> Decimal | None:
    return None if amount is None else Decimal(amount)


def run(*events: CostInput, config: CostConfig = CLAMP) -> Costs:
    costs = COSTS
    for event in events:
        costs = step(config, costs, event)
    return costs


def turns(*totals: str | None, config: CostConfig = CLAMP) -> list[str | None]:
    costs = run(*[Reported(total_usd=usd(each)) for each in totals], config=config)
    return [None if each.usd is None else str(each.usd) for each in costs.turns]


def test_every_input_has_a_transition() -> None:
    assert set(STEPS) == set(get_args(CostInput))


def test_a_turn_costs_the_difference_to_the_total_before() -> None:
    assert turns("0.25", "0.75", None, "0.5", "1.0") == ["0.25", "0.50", None, "0", "0.5"]


def test_a_result_without_a_total_leaves_the_baseline() -> None:
    assert run(Reported(total_usd=Decimal("0.75")), Reported(total_usd=None)).baseline_usd == (
        Decimal("0.75")
    )


def test_a_falling_total_becomes_the_baseline() -> None:
    assert run(
        Reported(total_usd=Decimal("0.75")), Reported(total_usd=Decimal("0.5"))
    ).baseline_usd == Decimal("0.5")


def test_a_falling_total_may_mean_that_the_count_began_anew() -> None:
    assert turns("0.25", "0.75", "0.5", "1.0", config=RESTART) == ["0.25", "0.50", "0.5", "0.5"]


def test_a_result_no_turn_waited_for_is_never_charged_to_the_next() -> None:
    costs = run(
        Reported(total_usd=Decimal(1)),
        Reported(total_usd=Decimal(3), orphan=True),
        Reported(total_usd=Decimal(4)),
    )

    assert list(costs.turns) == [TurnCost(usd=Decimal(1)), TurnCost(usd=Decimal(1))]
    assert costs.spent_usd == Decimal(4)


def test_the_total_before_a_resumed_session_is_an_input() -> None:
    costs = run(Seeded(total_usd=Decimal(5)), Reported(total_usd=Decimal(6)))

    assert list(costs.turns) == [TurnCost(usd=Decimal(1))]
    assert costs.spent_usd == Decimal(1)


def test_behind_a_reset_the_total_counts_from_zero() -> None:
    costs = run(Reported(total_usd=Decimal(5)), Reset(), Reported(total_usd=Decimal(2)))

    assert [each.usd for each in costs.turns] == [Decimal(5), Decimal(2)]
    assert costs.spent_usd == Decimal(7)


def test_a_prompt_is_refused_once_the_ceiling_is_reached() -> None:
    config = CostConfig(ceiling_usd=Decimal("0.50"))

    assert gate(config, COSTS) is None
    assert gate(config, run(Reported(total_usd=Decimal("0.49")))) is None
    assert gate(config, run(Reported(total_usd=Decimal("0.5")))) == BudgetExceeded(
        spent_usd="0.5", ceiling_usd="0.50"
    )


def test_without_a_ceiling_every_prompt_passes() -> None:
    assert gate(CLAMP, run(Reported(total_usd=Decimal(10**9)))) is None


def test_the_callers_decimal_context_decides_nothing() -> None:
    events = [Reported(total_usd=Decimal("1.123456")), Reported(total_usd=Decimal("2.234567"))]
    expected = run(*events)
    with decimal.localcontext() as context:
        context.prec = 2

        assert run(*events) == expected


amounts = st.decimals(0, 1000, places=4, allow_nan=False, allow_infinity=False)


@given(st.lists(amounts, max_size=12))
def test_growing_totals_are_conserved(parts: list[Decimal]) -> None:
    total, events = Decimal(0), []
    for part in parts:
        total += part
        events.append(Reported(total_usd=total))
    costs = run(*events)

    assert [each.usd for each in costs.turns] == parts
    assert costs.spent_usd == total


@given(
    st.lists(st.none() | amounts, max_size=12),
    st.sampled_from([CLAMP, RESTART]),
)
def test_no_turn_costs_less_than_nothing(totals: list[Decimal | None], config: CostConfig) -> None:
    costs = run(*[Reported(total_usd=each) for each in totals], config=config)

    known = [each.usd for each in costs.turns if each.usd is not None]
    assert all(each >= 0 for each in known)
    assert len(costs.turns) == len(totals)
    assert costs.spent_usd == sum(known, Decimal(0))


@pytest.mark.parametrize("event", [Seeded(total_usd=Decimal(1)), Reset()])
def test_moving_the_baseline_costs_nothing(event: CostInput) -> None:
    assert run(event).spent_usd == 0
    assert len(run(event).turns) == 0
