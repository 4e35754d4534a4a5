"""How often hooks may keep an agent from ending its turn."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.history import AssistantTurn, Call, PlainText, ToolResult, text_of
from refold.policies.pairing import paired
from refold.policies.stop_hook_budget import (
    Accept,
    AskHooks,
    HookAnswer,
    HooksAnswered,
    ModelEnded,
    PromptBegan,
    Reroll,
    StopConfig,
    StopInput,
    StopState,
    step,
)
from tests.policies.strategies import texts

OBJECTION = HooksAnswered(answers=(HookAnswer(server="fake", text="you have open work"),))
UNSPENT = StopState()
NO_OBJECTION = HooksAnswered(answers=(HookAnswer(server="fake", text=""),))


def play(most: int, ends: list[HooksAnswered], state: StopState = UNSPENT) -> tuple[str, StopState]:
    """Return what follows each of the model's ends, as letters, and the state behind them."""
    letters = ""
    for answers in ends:
        state, output = step(StopConfig(max_rejections=most), state, ModelEnded())
        if isinstance(output, AskHooks):
            letters += "?"
            state, output = step(StopConfig(max_rejections=most), state, answers)
        letters += "." if output == Accept() else ">"
    return letters, state


def test_an_objection_rerolls_and_reads_as_a_tools_json() -> None:
    """Document 004, test 10 (hook_stop_blocks_premature_end)."""
    state, output = step(StopConfig(max_rejections=10), StopState(), OBJECTION)
    assert state == StopState(rejections=1, made_calls=1)
    said = '{"hook": "_Stop", "server": "fake", "text": "you have open work"}'
    assert output == Reroll(
        turns=(
            AssistantTurn(calls=(Call(call_id="hook_stop_0", name="fake___Stop"),)),
            ToolResult(call_id="hook_stop_0", parts=(PlainText(text=said),)),
        )
    )
    assert play(10, [OBJECTION, NO_OBJECTION])[0] == "?>?."


@pytest.mark.parametrize(
    ("most", "letters"),
    [
        (0, "."),
        (1, "?>."),  # document 004, test 11 (hook_stop_budget_exhausted)
        (2, "?>?>."),  # test 12 (hook_stop_consecutive_end_turn_uses_rejection_budget)
    ],
)
def test_a_spent_budget_accepts_without_asking(most: int, letters: str) -> None:
    assert play(most, [OBJECTION] * (most + 1))[0] == letters


def test_the_budget_is_fresh_with_every_prompt() -> None:
    """Document 004, test 13 (hook_stop_budget_resets_per_prompt)."""
    first, state = play(1, [OBJECTION, OBJECTION])
    state, output = step(StopConfig(max_rejections=1), state, PromptBegan())
    assert output is None
    second, state = play(1, [OBJECTION, OBJECTION], state)
    assert (first, second) == ("?>.", "?>.")
    assert state.made_calls == 2


@pytest.mark.parametrize("text", [None, "", "  \n"])
def test_a_hook_that_is_late_fails_or_says_nothing_doesnt_object(text: str | None) -> None:
    """Document 004, test 20 (hook_stop_timeout_failopen)."""
    silent = HooksAnswered(answers=(HookAnswer(server="fake", text=text),))
    assert play(3, [silent]) == ("?.", StopState())


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "cancelled", "max_turn_requests"])
def test_only_an_end_of_the_models_own_is_asked_about(reason: str) -> None:
    ended = ModelEnded(stop_reason=reason)
    assert step(StopConfig(max_rejections=3), StopState(), ended) == (StopState(), Accept())


def test_several_objections_in_a_round_are_one_rejection() -> None:
    answers = tuple([HookAnswer(server=each, text="no") for each in ("b", "a")])
    state, output = step(StopConfig(max_rejections=3), StopState(), HooksAnswered(answers=answers))
    assert state == StopState(rejections=1, made_calls=2)
    assert isinstance(output, Reroll)
    results = [turn for turn in output.turns if isinstance(turn, ToolResult)]
    assert [json.loads(text_of(each.parts))["server"] for each in results] == ["b", "a"]


def test_a_prompt_with_nothing_spent_changes_nothing() -> None:
    state = StopState(made_calls=4)
    assert step(StopConfig(max_rejections=1), state, PromptBegan())[0] is state


answers = st.builds(HookAnswer, server=st.sampled_from("ab"), text=st.none() | texts)
events = st.one_of(
    st.just(PromptBegan()),
    st.just(ModelEnded()),
    st.builds(HooksAnswered, answers=st.lists(answers, max_size=3).map(tuple)),
)


@given(st.lists(events, max_size=10))
def test_the_turns_of_every_reroll_are_pairs_with_ids_of_their_own(
    happened: list[StopInput],
) -> None:
    state, made = StopState(), ()
    for event in happened:
        state, output = step(StopConfig(max_rejections=2), state, event)
        made = (*made, *output.turns) if isinstance(output, Reroll) else made
    assert paired(made) is made
