"""What a session cost: shown, and held against a budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.sources.claude_hooks import costs as ledgers
from refold.sources.claude_hooks.costs import Cost, Costs, Spent, estimated, to_json


def run(*seen: Spent) -> list[Cost]:
    state, told = Costs(), []
    for each in seen:
        state, more = ledgers.step(state, each)
        told += more
    return told


def spent(total: float | None, estimate: float | None, *, model: str | None = None) -> Spent:
    return Spent(total=total, estimate=estimate, children=True, model=model)


def test_the_estimate_is_the_sum_of_what_could_be_priced() -> None:
    assert estimated(0.1, [0.5, None]) == 0.6
    assert estimated(None, [0.5]) == 0.5
    assert estimated(None, [None]) is None
    assert estimated(0.0, []) == 0.0


def test_a_budget_takes_the_greater_of_total_and_estimate() -> None:
    assert run(spent(0.005, 0.65)) == [Cost(shown=0.005, policy=0.65)]
    assert run(spent(2.0, 0.65)) == [Cost(shown=2.0, policy=2.0)]
    assert run(spent(None, 0.65)) == [Cost(policy=0.65)]


def test_the_two_figures_rise_each_on_its_own_and_never_fall() -> None:
    seen = [
        spent(0.01, 0.65),
        spent(0.01, 0.65),
        spent(0.01, 0.4),
        spent(0.01, 0.9),
        spent(0.95, 0.95),
    ]
    assert run(*seen) == [
        Cost(shown=0.01, policy=0.65),
        Cost(policy=0.9),
        Cost(shown=0.95, policy=0.95),
    ]


def test_with_no_child_the_total_serves_both_and_no_estimate_is_asked_for() -> None:
    assert run(Spent(total=0.25, estimate=9.0)) == [Cost(shown=0.25, policy=0.25)]
    assert run(Spent(estimate=9.0)) == []


def test_the_model_goes_with_a_rise_of_the_shown_figure_only() -> None:
    told = run(spent(0.01, 0.65, model="m"), spent(0.01, 0.9, model="m"))
    assert told == [Cost(shown=0.01, policy=0.65, model="m"), Cost(policy=0.9)]
    assert dict(to_json(told[1])) == {"policy_cost_usd": 0.9}


amounts = st.none() | st.floats(0, 10)


@given(st.lists(st.builds(Spent, total=amounts, estimate=amounts, children=st.booleans())))
def test_told_figures_only_rise(seen: list[Spent]) -> None:
    told = run(*seen)
    for figures in ([each.shown for each in told], [each.policy for each in told]):
        risen = [each for each in figures if each is not None]
        assert risen == sorted(set(risen))
