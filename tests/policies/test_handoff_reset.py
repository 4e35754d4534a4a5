"""What a history becomes when it is handed over."""

from __future__ import annotations

import pytest
from hypothesis import given

from refold.policies.handoff_reset import HookOutput, handed_over
from refold.policies.history import (
    AssistantTurn,
    Call,
    History,
    PlainText,
    ToolResult,
    UserTurn,
    prompt,
    steering,
    summary,
    text_of,
)
from refold.policies.pairing import paired
from tests.policies.strategies import histories

CALL = AssistantTurn(text="working", calls=(Call(call_id="a", name="t"),))
RESULT = ToolResult(call_id="a", parts=(PlainText(text="out"),))


def test_the_hooks_word_is_folded_in_as_untrusted_and_no_result_survives() -> None:
    """Document 004, test 15 (hook_post_compact_injects_after_handoff)."""
    history = (prompt("first"), CALL, RESULT, prompt("second"))
    hooks = (HookOutput(server="fake", text="todo state"), HookOutput(server="mute", text=" "))
    opening = UserTurn(
        parts=(
            PlainText(
                text="[Context Handoff]\nwhat was done\n\n[Hook output, untrusted: fake]\ntodo state"
            ),
        ),
        purpose="summary",
    )
    assert handed_over(history, "what was done", hooks) == (opening, prompt("second"))


@pytest.mark.parametrize("text", ["", " \n", "\ufeff"])
def test_a_blank_summary_hands_nothing_over(text: str) -> None:
    assert handed_over((prompt("go"),), text) is None


def test_the_newest_prompt_comes_with_the_steering_behind_it() -> None:
    history = (prompt("old"), prompt("new"), CALL, RESULT, steering("faster"))
    kept = handed_over(history, "s")
    assert kept is not None
    assert kept[1:] == (prompt("new"), steering("faster"))


def test_without_a_prompt_the_steering_stays_and_older_summaries_go() -> None:
    kept = handed_over((summary("old"), CALL, RESULT, steering("faster")), "new")
    assert kept is not None
    assert [text_of(turn.parts) for turn in kept if isinstance(turn, UserTurn)] == [
        "[Context Handoff]\nnew",
        "[user_steering]\nfaster\n[/user_steering]",
    ]


@given(histories)
def test_what_is_left_is_only_the_users(history: History) -> None:
    kept = handed_over(history, "summary")
    assert kept is not None
    assert all(isinstance(turn, UserTurn) for turn in kept)
    assert paired(kept) is kept
