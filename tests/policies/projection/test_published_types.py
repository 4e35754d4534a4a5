"""Requests against the types that the providers publish themselves.

Rules of this file: the types are those of the packages ``openai`` and ``anthropic``; every lazily
checked part is read to its end, so that nothing passes unseen. What a type allows beyond its
named fields is for the checkers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from anthropic.types import MessageParam
from hypothesis import given, settings
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter, ValidationError

from refold.items import Item
from refold.policies.history import AssistantTurn, Call, History, PlainText, ToolResult, prompt
from refold.policies.projection import Dialect, history_of, project_history
from tests.policies.strategies import histories, item_lists

TYPES: dict[Dialect, tuple[str, TypeAdapter[Any]]] = {
    "openai_chat": ("messages", TypeAdapter(list[ChatCompletionMessageParam])),
    "anthropic": ("messages", TypeAdapter(list[MessageParam])),
    "openai_responses": ("input", TypeAdapter(list[ResponseInputItemParam])),
}


def check(history: History, dialect: Dialect) -> None:
    """Raise unless the provider's own type takes a history."""
    name, adapter = TYPES[dialect]
    read_through(adapter.validate_python(project_history(history, dialect)[name]))


def read_through(value: Any) -> None:
    """Read what pydantic checks only when it is iterated."""
    if isinstance(value, dict):
        value = value.values()
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for each in value:
            read_through(each)


@pytest.mark.parametrize("dialect", TYPES)
@settings(max_examples=60)
@given(history=histories)
def test_any_history_is_of_the_published_type(dialect: Dialect, history: History) -> None:
    check(history, dialect)


@pytest.mark.parametrize("dialect", TYPES)
@settings(max_examples=60)
@given(items=item_lists)
def test_any_session_is_of_the_published_type(dialect: Dialect, items: tuple[Item, ...]) -> None:
    check(history_of(items), dialect)


@pytest.mark.parametrize(
    ("dialect", "damage"),
    [
        ("openai_chat", {"tool_call_id": None}),
        ("openai_chat", {"tool_calls": [{"id": "a"}]}),
        ("anthropic", {"content": [{"type": "tool_use", "id": "a"}]}),
        ("anthropic", {"content": [{"type": "text", "text": None}]}),
        ("openai_responses", {"output": None}),
        ("openai_responses", {"arguments": {}}),
    ],
)
def test_the_published_types_do_refuse(dialect: Dialect, damage: dict[str, Any]) -> None:
    """A check that can't fail proves nothing."""
    call = AssistantTurn(calls=(Call(call_id="a", name="t"),))
    history = (prompt("hi"), call, ToolResult(call_id="a", parts=(PlainText(text="out"),)))
    name, adapter = TYPES[dialect]
    messages = project_history(history, dialect)[name]
    damaged = [{**each, **damage} if damage.keys() <= each.keys() else each for each in messages]
    assert damaged != messages
    with pytest.raises(ValidationError):
        read_through(adapter.validate_python(damaged))
