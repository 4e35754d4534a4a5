"""Every call has exactly one result."""

from __future__ import annotations

import pytest
from hypothesis import given

from refold.policies.history import (
    AssistantTurn,
    Call,
    History,
    PlainText,
    ToolResult,
    UserTurn,
    prompt,
)
from refold.policies.pairing import UNRECORDED, error_result, paired
from tests.policies.strategies import histories


def turn(*call_ids: str) -> AssistantTurn:
    return AssistantTurn(calls=tuple([Call(call_id=each, name="t") for each in call_ids]))


def gave(call_id: str, text: str = "out") -> ToolResult:
    return ToolResult(call_id=call_id, parts=(PlainText(text=text),))


CASES: dict[str, tuple[History, History]] = {
    "a result nobody waits for is dropped": (
        (prompt("go"), gave("99"), AssistantTurn(text="ok")),
        (prompt("go"), AssistantTurn(text="ok")),
    ),
    "a call without a result gets an error": (
        (turn("a"), prompt("next")),
        (turn("a"), error_result("a", UNRECORDED), prompt("next")),
    ),
    "results stand in call order": (
        (turn("a", "b"), gave("b"), gave("a")),
        (turn("a", "b"), gave("a"), gave("b")),
    ),
    "a result behind the next prompt comes back to its call": (
        (turn("a"), prompt("next"), gave("a")),
        (turn("a"), gave("a"), prompt("next")),
    ),
    "a second result is dropped": (
        (turn("a"), gave("a", "1"), gave("a", "2")),
        (turn("a"), gave("a", "1")),
    ),
    "one id twice in a turn is told apart on both sides": (
        (turn("a", "a"), gave("a", "1"), gave("a", "2")),
        (turn("a", "a_2"), gave("a", "1"), gave("a_2", "2")),
    ),
    "a later turn takes an id over": (
        (turn("a"), turn("a"), gave("a")),
        (turn("a"), error_result("a", UNRECORDED), turn("a_2"), gave("a_2")),
    ),
    "a result in front of its call is none": (
        (gave("a"), turn("a")),
        (turn("a"), error_result("a", UNRECORDED)),
    ),
    "nothing is nothing": ((), ()),
}


@pytest.mark.parametrize(("history", "expected"), CASES.values(), ids=CASES)
def test_pairs(history: History, expected: History) -> None:
    assert paired(history) == expected


@given(histories)
def test_behind_every_turn_stand_its_results_one_each_in_call_order(history: History) -> None:
    mended = paired(history)
    waiting: list[str] = []
    for item in mended:
        if isinstance(item, ToolResult):
            assert item.call_id == waiting.pop(0)
        else:
            assert waiting == []
            waiting = [call.call_id for call in getattr(item, "calls", ())]
    assert waiting == []


@given(histories)
def test_nothing_but_results_is_added_dropped_or_moved(history: History) -> None:
    def said(turns: History) -> list[object]:
        return [
            item.parts if isinstance(item, UserTurn) else (item.text, len(item.calls))
            for item in turns
            if not isinstance(item, ToolResult)
        ]

    assert said(paired(history)) == said(history)


@given(histories)
def test_a_paired_history_stays_the_same_object(history: History) -> None:
    mended = paired(history)
    assert paired(mended) is mended


@given(histories, histories)
def test_what_comes_later_changes_no_id(history: History, more: History) -> None:
    def ids(turns: History) -> list[str]:
        return [call.call_id for each in turns for call in getattr(each, "calls", ())]

    first = ids(paired(history))
    assert ids(paired((*history, *more)))[: len(first)] == first
