"""Keep a history within a byte budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.history import (
    AssistantTurn,
    Call,
    History,
    PlainText,
    ToolResult,
    UserTurn,
    prompt,
    steering,
    text_of,
)
from refold.policies.history_budget import FittedHistory, fit_history
from refold.policies.measures import wire_bytes
from refold.policies.pairing import paired
from tests.policies.strategies import histories


@pytest.mark.parametrize(
    ("sizes", "budget", "kept"),
    [
        ([5, 5, 5], 9, [5]),
        ([5, 5, 5], 10, [5, 5]),
        ([5, 5, 5], 15, [5, 5, 5]),
        ([50], 9, [50]),
        ([1, 50], 9, [50]),
        ([50, 1], 9, [1]),
        ([], 0, []),
    ],
)
def test_the_oldest_groups_go_until_the_rest_fits(
    sizes: list[int], budget: int, kept: list[int]
) -> None:
    history = tuple([prompt("x" * size) for size in sizes])
    assert fit_history(history, budget) == FittedHistory(
        history=history[len(sizes) - len(kept) :],
        dropped_groups=len(sizes) - len(kept),
        bytes=sum(kept),
    )


def test_what_stands_in_front_of_the_first_prompt_is_a_group_too() -> None:
    history = (AssistantTurn(text="welcome"), prompt("hi"))
    assert fit_history(history, 5).history == (prompt("hi"),)


def test_a_steering_is_a_cut_point_unless_the_prompt_is_protected() -> None:
    history = (prompt("do it"), AssistantTurn(text="working"), steering("faster"))
    assert fit_history(history, 50).history == history[2:]
    assert fit_history(history, 50, protect_prompt=True).history == history


def test_twelve_large_prompts_stay_bounded_and_the_newest_is_there() -> None:
    """Document 004, test 7 (history_budget_evicts_old_turns)."""
    budget, history = 1024 * 1024, ()
    for number in range(12):
        history = (*history, prompt(f"{number}:" + "x" * 200 * 1024))
        history = (*fit_history(history, budget).history, AssistantTurn(text="y" * 200))
    said = [text_of(item.parts) for item in history if isinstance(item, UserTurn)]
    assert wire_bytes(history) <= budget + 200
    assert said[-1].startswith("11:")


@given(histories.map(paired), st.integers(0, 60), st.booleans())
def test_what_is_left_is_the_end_of_the_history_with_its_pairs(
    history: History, budget: int, protect: bool
) -> None:
    fitted = fit_history(history, budget, protect_prompt=protect)
    kept = fitted.history
    assert history[len(history) - len(kept) :] == kept
    assert paired(kept) is kept
    assert fitted.bytes == wire_bytes(kept)
    assert kept == history or isinstance(kept[0], UserTurn)


@given(histories.map(paired), st.integers(0, 60), st.booleans())
def test_a_history_above_its_budget_is_one_group(
    history: History, budget: int, protect: bool
) -> None:
    kept = fit_history(history, budget, protect_prompt=protect).history
    cuts = [
        isinstance(item, UserTurn) and (item.purpose == "prompt" or not protect)
        for item in kept[1:]
    ]
    assert wire_bytes(kept) <= budget or not any(cuts)


@given(histories.map(paired), st.integers(0, 60))
def test_the_newest_prompt_and_all_behind_it_stay(history: History, budget: int) -> None:
    prompts = [place for place, item in enumerate(history) if isinstance(item, UserTurn)]
    kept = fit_history(history, budget).history
    assert len(kept) >= len(history) - (prompts[-1] if prompts else 0)


def test_a_result_never_loses_its_call() -> None:
    call = AssistantTurn(calls=(Call(call_id="a", name="t"),))
    result = ToolResult(call_id="a", parts=(PlainText(text="x" * 100),))
    history = (prompt("one"), call, result, prompt("two"))
    assert fit_history(history, 10).history == (prompt("two"),)
    assert fit_history(history[:3], 10).history == history[:3]
