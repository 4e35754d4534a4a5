"""From a folded session to a valid request, checked by rules that don't know the projection."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refold.items import AssistantTextItem, Item, TaskStatsItem, ToolCallItem
from refold.policies.history import AssistantTurn, History, steering
from refold.policies.history import prompt as prompt_turn
from refold.policies.pairing import paired
from refold.policies.projection import (
    DIALECTS,
    Dialect,
    UnknownDialectError,
    history_of,
    project,
    project_history,
)
from refold.records import record
from tests.policies.checkers import CHECKS, complaints
from tests.policies.strategies import (
    cards,
    histories,
    item_lists,
    pictures,
    prompts,
    said,
    steerings,
    texts,
)

dialects = st.sampled_from(sorted(DIALECTS))
growths = st.lists(prompts | pictures | steerings | said | cards, max_size=6)
budgets = st.none() | st.integers(0, 120)


@record
class Folded:
    """The least that is a session: something with items."""

    items: tuple[Item, ...]


@settings(max_examples=300)
@given(item_lists, dialects, st.none() | texts, st.none() | texts, budgets, st.none() | texts)
def test_whatever_a_session_holds_its_request_is_valid(
    items: tuple[Item, ...],
    dialect: Dialect,
    system: str | None,
    prompt: str | None,
    budget: int | None,
    note: str | None,
) -> None:
    request = project(
        Folded(items=items),
        dialect,
        system=system,
        prompt=prompt,
        budget_bytes=budget,
        failure_note=note,
    )
    assert complaints(dialect, request) == []


@settings(max_examples=300)
@given(histories, dialects, budgets)
def test_whatever_a_history_holds_its_request_is_valid(
    history: History, dialect: Dialect, budget: int | None
) -> None:
    assert complaints(dialect, project_history(history, dialect, budget_bytes=budget)) == []


@given(item_lists)
def test_every_call_that_was_recorded_is_answered_once_in_every_dialect(
    items: tuple[Item, ...],
) -> None:
    calls = sum(len(turn.calls) for turn in history_of(items) if isinstance(turn, AssistantTurn))
    for dialect, kinds in ANSWERS.items():
        request = project(Folded(items=items), dialect)
        assert [len(found) for found in _found(request, *kinds)] == [calls, calls]


ANSWERS: dict[Dialect, tuple[tuple[str, str], tuple[str, str]]] = {
    "openai_chat": (("type", "function"), ("role", "tool")),
    "anthropic": (("type", "tool_use"), ("type", "tool_result")),
    "openai_responses": (("type", "function_call"), ("type", "function_call_output")),
}


def _found(request: Any, *wanted: tuple[str, str]) -> list[list[Any]]:
    """Return the objects anywhere in a request that hold a value under a name."""
    objects, open_ = [], [request]
    while open_:
        value = open_.pop()
        objects += [value] if isinstance(value, dict) else []
        inside = value.values() if isinstance(value, dict) else value
        open_ += [each for each in inside if isinstance(each, dict | list)]
    return [[each for each in objects if each.get(name) == value] for name, value in wanted]


@given(item_lists, growths, st.sampled_from(["openai_chat", "openai_responses"]))
def test_what_was_sent_stays_sent_as_a_session_grows(
    items: tuple[Item, ...], more: list[Item], dialect: Dialect
) -> None:
    """So a provider's cache of the beginning keeps its worth."""
    grown = (*items, TaskStatsItem(key="task_stats:1"), *more)
    before, after = (project(Folded(items=each), dialect) for each in (items, grown))
    (name,) = before
    assert after[name][: len(before[name])] == before[name]


@given(histories.map(paired), dialects, st.integers(0, 60))
def test_the_newest_prompt_is_sent_whatever_the_budget(
    history: History, dialect: Dialect, budget: int
) -> None:
    newest = prompt_turn("the newest prompt")
    request = project_history((*history, newest), dialect, budget_bytes=budget)
    assert "the newest prompt" in repr(request)


def test_a_prompt_is_what_the_user_says_next() -> None:
    session = Folded(items=(AssistantTextItem(key="assistant_text:1", text="hi"),))
    assert project(session, "openai_chat", prompt="go on", system="brief") == {
        "messages": [
            {"role": "system", "content": "brief"},
            {"role": "assistant", "content": "hi"},
            {"role": "user", "content": "go on"},
        ]
    }


def test_a_note_stands_in_every_failed_result_and_no_other() -> None:
    def card(call_id: str, reason: str) -> ToolCallItem:
        return ToolCallItem(
            key=f"tool_call:{call_id}",
            tool_call_id=call_id,
            name="run",
            call_complete=True,
            output="out",
            output_complete=True,
            output_stop_reason=reason,
        )

    session = Folded(items=(card("a", "completed"), card("b", "failed")))
    messages = project(session, "openai_chat", failure_note="find out why")["messages"]
    assert [each["content"] for each in messages] == ["", "out", "out\nfind out why"]


def test_a_budget_is_kept_by_dropping_the_oldest_prompts() -> None:
    history = tuple([prompt_turn(f"{n}:" + "x" * 10) for n in range(5)])
    messages = project_history(history, "openai_chat", budget_bytes=30)["messages"]
    assert [each["content"][:2] for each in messages] == ["3:", "4:"]


def test_a_budget_never_takes_the_prompt_of_the_steering_that_is_kept() -> None:
    history = (prompt_turn("do it"), AssistantTurn(text="working"), steering("faster"))
    messages = project_history(history, "openai_chat", budget_bytes=1)["messages"]
    assert [each["role"] for each in messages] == ["user", "assistant", "user"]


def test_a_dialect_that_isnt_known_is_an_error_that_names_those_that_are() -> None:
    with pytest.raises(UnknownDialectError) as raised:
        project(Folded(items=()), "gopher")  # type: ignore[arg-type]
    assert str(raised.value) == (
        "expected a dialect of openai_chat, anthropic, openai_responses, got 'gopher'"
    )


def test_every_dialect_has_rules_to_be_checked_by() -> None:
    assert set(DIALECTS) == set(CHECKS) == set(ANSWERS)


def test_a_long_session_is_projected_in_one_pass() -> None:
    """20,000 cards that share one id and one instant."""
    card = ToolCallItem(
        key="tool_call:a",
        tool_call_id="a",
        name="run",
        call_complete=True,
        output="out",
        output_complete=True,
    )
    request = project(Folded(items=(card,) * 20_000), "anthropic")
    assert len(request["messages"][1]["content"]) == 20_000
