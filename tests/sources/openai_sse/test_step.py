"""The table of Responses API events: complete, and everything else counted."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from openai.types.responses import ResponseStreamEvent

from refold.sources.openai_sse import SOURCE
from refold.sources.openai_sse.responses import RESPONSE_EVENTS
from refold.sources.source import Record
from tests.sources.folding import counted

BESIDE = {"keepalive", "response.cancelled", "response.compaction.compacting"}


def published() -> set[str]:
    """Return the ``type`` of every published stream event."""
    members = get_args(get_args(ResponseStreamEvent)[0])
    return {get_args(each.model_fields["type"].annotation)[0] for each in members}


def test_the_table_holds_every_published_event_and_what_else_a_stream_carries() -> None:
    assert published() - set(RESPONSE_EVENTS) == set()
    assert set(RESPONSE_EVENTS) - published() <= BESIDE


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([{"type": "response.created"}], True),
        ([{"object": "chat.completion.chunk", "choices": []}], True),
        ([{"object": "chat.completion"}], True),
        ([{"object": "response"}], True),
        ([{"object": "list"}], False),
        ([{"type": "message_start"}], False),
        ([{"type": "response_item", "payload": {}}], False),
        ([{"type": [], "object": {}}, None, 5], False),
        ([], False),
    ],
)
def test_events_are_recognised(values: list[Any], expected: bool) -> None:
    assert SOURCE.recognises(values) is expected


def test_what_is_not_understood_is_counted_by_reason() -> None:
    events = [
        5,
        {},
        {"type": "response.new"},
        {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{"},
        {"type": "response.output_text.delta", "output_index": 0, "delta": "x"},
        {"type": "response.output_item.done", "output_index": 1, "item": {"type": "new"}},
    ]
    assert counted(SOURCE, events) == {
        "record that is no event": 1,
        "unknown event: without a type": 1,
        "unknown event: response.new": 1,
        "arguments without a call": 1,
        "delta without an item": 1,
        "unknown item: new": 1,
    }


def test_messages_point_to_the_record_and_the_response_they_came_from() -> None:
    record = Record(value={"type": "response.created", "response": {"id": "r1"}}, line=4)
    _, messages = SOURCE.step(SOURCE.start(), record, None)
    sources = [each.transport.source for each in messages if each.transport is not None]
    assert [(each.format, each.id, each.line) for each in sources if each] == [
        ("openai-sse", "r1", 4)
    ] * 2


def test_times_are_the_responses_own_or_the_recorders() -> None:
    response = {"id": "r1", "created_at": 1_783_209_600, "completed_at": 1_783_209_602}
    events = [
        {"type": "response.created", "response": response},
        {
            "type": "response.output_item.done",
            "output_index": 0,
            "item": {"type": "message"},
            "timestamp": 1_783_209_601_500,
        },
        {"type": "response.completed", "response": response},
    ]
    state, stamps = SOURCE.start(), []
    for event in events:
        state, messages = SOURCE.step(state, Record(value=event), 9)
        stamps.append({each.timestamp for each in messages})
    assert stamps == [
        {"2026-07-05T00:00:00.000Z"},
        {"2026-07-05T00:00:01.500Z"},
        {"2026-07-05T00:00:02.000Z"},
    ]
