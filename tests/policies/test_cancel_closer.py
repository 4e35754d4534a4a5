"""Close what a cancelled response left open."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.cancel_closer import (
    CANCELLED,
    CancelClosing,
    TerminalUpdate,
    close_cancelled,
)
from refold.policies.history import AssistantTurn, Call, PlainText, ToolResult, prompt
from refold.policies.pairing import error_result, paired
from tests.policies.strategies import call_ids, calls, tool_results

A, B, C = (Call(call_id=each, name="t") for each in "abc")
A_OUT, B_OUT = (ToolResult(call_id=each, parts=(PlainText(text="out"),)) for each in "ab")
A_LATER = ToolResult(call_id="a", parts=(PlainText(text="later"),))
A_OFF, B_OFF, C_OFF = (error_result(each, CANCELLED) for each in "abc")


def done(call_id: str) -> TerminalUpdate:
    return TerminalUpdate(call_id=call_id, status="completed")


def failed(call_id: str) -> TerminalUpdate:
    return TerminalUpdate(call_id=call_id, status="failed")


CASES: dict[str, tuple[tuple[Any, ...], dict[str, Any], CancelClosing]] = {
    "before any call nothing is left": (((), ()), {}, CancelClosing(results=())),
    "before any was announced no client hears of it": (
        ((A, B), ()),
        {},
        CancelClosing(results=(A_OFF, B_OFF)),
    ),
    "announced ones fail, the others are silent": (
        ((A, B), ()),
        {"announced": ["a"]},
        CancelClosing(results=(A_OFF, B_OFF), updates=(failed("a"),)),
    ),
    "finished ones keep their results, in call order": (
        ((A, B, C), (B_OUT, A_OUT)),
        {"announced": "abc", "told": "ab"},
        CancelClosing(results=(A_OUT, B_OUT, C_OFF), updates=(failed("c"),)),
    ),
    "one that finished untold is told to have completed": (
        ((A,), (A_OUT,)),
        {"announced": "a"},
        CancelClosing(results=(A_OUT,), updates=(done("a"),)),
    ),
    "an id used twice fails if one of its calls did": (
        ((A, A), (A_OUT,)),
        {"announced": "aa"},
        CancelClosing(results=(A_OUT, A_OFF), updates=(failed("a"),)),
    ),
    "an id used twice takes its results in order": (
        ((A, A), (A_OUT, A_LATER)),
        {},
        CancelClosing(results=(A_OUT, A_LATER)),
    ),
    "a call announced but never recorded fails": (
        ((A,), ()),
        {"announced": "za"},
        CancelClosing(results=(A_OFF,), updates=(failed("a"), failed("z"))),
    ),
    "a result nobody called for is dropped": (
        ((A,), (B_OUT,)),
        {},
        CancelClosing(results=(A_OFF,)),
    ),
    "only what runs is called off": (
        ((A, B, C), (A_OUT,)),
        {"running": {"a": 3, "b": 4, "z": 5}},
        CancelClosing(results=(A_OUT, B_OFF, C_OFF), called_off=(4,)),
    ),
}


@pytest.mark.parametrize(("args", "options", "closing"), CASES.values(), ids=CASES)
def test_closing(args: tuple[Any, ...], options: dict[str, Any], closing: CancelClosing) -> None:
    assert close_cancelled(*args, **options) == closing


def test_after_a_cancel_the_next_prompt_finds_a_valid_history() -> None:
    """Document 004, test 5 (cancel_leaves_history_valid_for_next_prompt)."""
    closing = close_cancelled((A, B), (A_OUT,), announced="ab")
    history = (prompt("first"), AssistantTurn(calls=(A, B)), *closing.results, prompt("second"))
    assert paired(history) is history


def test_after_a_cancel_nothing_keeps_the_prompt_from_resolving() -> None:
    """Document 004, test 21 (cancel_kills_inflight_tool_via_mcp_notification), its pure rule."""
    closing = close_cancelled((A,), (), announced="a", running={"a": 7})
    assert closing == CancelClosing(results=(A_OFF,), updates=(failed("a"),), called_off=(7,))


def test_the_cancel_names_the_request_that_runs_the_call() -> None:
    """Document 004, test 22 (cancel_sends_notifications_cancelled_to_any_mcp_server)."""
    assert close_cancelled((A, B), (), running={"b": 12, "a": "r-1"}).called_off == ("r-1", 12)


@given(
    st.lists(calls, max_size=5),
    st.lists(tool_results, max_size=5),
    st.lists(call_ids, max_size=5),
    st.lists(call_ids, max_size=3),
)
def test_every_call_gets_one_result_and_every_announced_one_an_end(
    recorded: list[Call], results: list[ToolResult], announced: list[str], told: list[str]
) -> None:
    closing = close_cancelled(recorded, results, announced=announced, told=told)
    assert [each.call_id for each in closing.results] == [each.call_id for each in recorded]
    ended = [each.call_id for each in closing.updates]
    assert sorted(ended) == sorted(set(announced) - set(told))
