"""When a conversation is handed to a fresh context."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.handoff_gate import (
    BeforeRequest,
    GateConfig,
    GateInput,
    GateState,
    HandoffPerformed,
    HandoffSkipped,
    PromptArrived,
    UsageReported,
    Verdict,
    step,
    token_threshold,
    unmeasured_threshold,
)

MIB = 1024 * 1024


def gate(**changes: object) -> GateConfig:
    plain = {"window": 10_000, "output": 1_000, "history_budget": 16 * MIB, "max_handoffs": 3}
    return GateConfig(**{**plain, **changes})  # type: ignore[arg-type]


def run(config: GateConfig, *events: GateInput) -> tuple[GateState, list[Verdict]]:
    state, verdicts = GateState(), []
    for event in events:
        state, verdict = step(config, state, event)
        verdicts.append(verdict)
    return state, verdicts


def used(tokens: int | None, sent_bytes: int = 0) -> UsageReported:
    return UsageReported(tokens=tokens, sent_bytes=sent_bytes)


def before(pressure_bytes: int) -> BeforeRequest:
    return BeforeRequest(pressure_bytes=pressure_bytes)


@pytest.mark.parametrize(
    ("window", "output", "threshold"),
    [
        (1000, 100, 900),
        (10_000, 1000, 9000),
        (200_000, 32_768, 167_232),
        (100_000, 40_000, 60_000),
        (1000, 5000, 0),
        (1009, 0, 900),
    ],
)
def test_the_threshold_leaves_a_tenth_and_the_output(
    window: int, output: int, threshold: int
) -> None:
    assert token_threshold(window, output) == threshold


@pytest.mark.parametrize(
    ("window", "output", "budget", "threshold"),
    [(200_000, 32_768, MIB, 167_232), (200_000, 1000, 8192, 7371)],
)
def test_unmeasured_the_byte_budget_counts_too(
    window: int, output: int, budget: int, threshold: int
) -> None:
    config = gate(window=window, output=output, history_budget=budget)
    assert unmeasured_threshold(config) == threshold


@pytest.mark.parametrize(
    ("grown", "action"), [(6020, "fire"), (499, "evict"), (500, "fire"), (0, "evict")]
)
def test_growth_counts_a_token_a_byte(grown: int, action: str) -> None:
    _, verdicts = run(gate(), used(8500, 100), before(100 + grown))
    assert verdicts[-1] == Verdict(action=action, tokens=8500 + grown, threshold=9000)  # type: ignore[arg-type]


def test_measured_tokens_alone_fire_before_the_next_prompts_request() -> None:
    """Document 004, test 18 (token_usage_over_budget_triggers_handoff)."""
    config = gate(window=1000, output=100)
    _, verdicts = run(config, before(7), used(950, 7), PromptArrived(), before(12))
    assert [verdict.action for verdict in verdicts] == ["evict", "none", "none", "fire"]


def test_a_stale_measurement_and_growth_fire_in_the_middle_of_a_turn() -> None:
    """Document 004, test 19 (stale_usage_plus_history_growth_triggers_handoff)."""
    _, verdicts = run(gate(), before(2), used(8500, 2), before(6022))
    assert [verdict.action for verdict in verdicts] == ["evict", "none", "fire"]


@pytest.mark.parametrize(("pressure", "action"), [(9000, "evict"), (9001, "fire")])
def test_unmeasured_only_more_than_the_threshold_fires(pressure: int, action: str) -> None:
    assert run(gate(), before(pressure))[1][0].action == action


def test_a_history_that_shrank_counts_as_measured() -> None:
    _, verdicts = run(gate(), used(8999, 5000), before(10))
    assert verdicts[-1] == Verdict(action="evict", tokens=8999, threshold=9000)


def test_a_response_without_usage_leaves_the_measurement() -> None:
    state, _ = run(gate(), used(950, 7), used(None, 99))
    assert state == GateState(measured=950, measured_bytes=7)


def test_a_handoff_tells_tokens_before_and_after_and_clears_the_measurement() -> None:
    state, verdicts = run(gate(), used(9500, 10), before(30), HandoffPerformed(pressure_bytes=80))
    assert verdicts[-1] == Verdict(tokens=9520, tokens_after=80, handoff=1)
    assert state == GateState(handoffs=1)


def test_a_handoff_that_came_to_nothing_is_evicted_and_keeps_the_measurement() -> None:
    state, verdicts = run(gate(), used(9500, 10), before(30), HandoffSkipped())
    assert verdicts[-1] == Verdict(action="evict")
    assert state == GateState(measured=9500, measured_bytes=10)


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_at_the_cap_old_groups_are_evicted_instead(limit: int) -> None:
    state = GateState(measured=9500, handoffs=limit)
    then, verdict = step(gate(max_handoffs=limit), state, before(0))
    assert verdict.action == "evict"
    assert then is state


@pytest.mark.parametrize(("scope", "left"), [("session", 2), ("prompt", 0)])
def test_handoffs_count_per_session_or_per_prompt(scope: str, left: int) -> None:
    state = GateState(measured=5, measured_bytes=6, handoffs=2)
    then, _ = step(gate(scope=scope), state, PromptArrived())
    assert then == attrs.evolve(state, handoffs=left)


events = st.one_of(
    st.builds(
        UsageReported, tokens=st.none() | st.integers(0, 20_000), sent_bytes=st.integers(0, 9999)
    ),
    st.builds(BeforeRequest, pressure_bytes=st.integers(0, 20_000)),
    st.builds(HandoffPerformed, pressure_bytes=st.integers(0, 99)),
    st.just(HandoffSkipped()),
    st.just(PromptArrived()),
)


@given(st.lists(events, max_size=12), st.integers(0, 2))
def test_before_every_request_it_is_one_or_the_other_and_never_above_the_cap(
    happened: list[GateInput], limit: int
) -> None:
    config, state = gate(max_handoffs=limit), GateState()
    for event in happened:
        at_cap = state.handoffs >= limit
        state, verdict = step(config, state, event)
        if isinstance(event, BeforeRequest):
            assert verdict.action == "evict" or (verdict.action == "fire" and not at_cap)
