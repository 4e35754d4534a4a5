"""The table of Messages API events: complete, and everything else counted."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from anthropic.types.beta import BetaRawContentBlockDelta, BetaRawMessageStreamEvent

from refold.sources.anthropic_sse import SOURCE
from refold.sources.anthropic_sse.blocks import DELTAS
from refold.sources.anthropic_sse.step import EVENTS
from refold.sources.source import Record
from tests.sources.folding import counted


def published(union: Any) -> set[str]:
    """Return the ``type`` of every member of a published union."""
    members = get_args(get_args(union)[0])
    return {get_args(each.model_fields["type"].annotation)[0] for each in members}


def test_the_table_holds_every_published_event_and_what_else_a_stream_carries() -> None:
    beside = {"ping", "error", "message"}
    assert set(EVENTS) == published(BetaRawMessageStreamEvent) | beside


def test_every_published_delta_is_known() -> None:
    assert published(BetaRawContentBlockDelta) <= DELTAS


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([{"type": "ping"}, {"type": "message_start"}], True),
        ([{"type": "content_block_delta"}], True),
        ([{"type": "message", "role": "assistant", "model": "m", "content": []}], True),
        ([{"type": "message", "role": "assistant", "content": []}], False),
        ([{"type": "message", "role": "user", "content": []}], False),
        ([{"type": "ping"}, {"type": "error"}], False),
        ([{"type": "assistant", "message": {"content": []}}], False),
        ([{"type": []}, None, 5], False),
        ([], False),
    ],
)
def test_events_are_recognised(values: list[Any], expected: bool) -> None:
    assert SOURCE.recognises(values) is expected


def test_what_is_not_understood_is_counted_by_reason() -> None:
    events = [
        5,
        {"type": "new"},
        {"type": "message_delta"},
        {"type": "message_stop"},
        {"type": "content_block_delta", "index": 3, "delta": {"type": "input_json_delta"}},
        {"type": "content_block_delta", "index": 3, "delta": {"type": "text_delta", "text": "x"}},
        {"type": "content_block_stop", "index": 7},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "new"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "new"}},
        "[DONE]",
    ]
    assert counted(SOURCE, events) == {
        "record that is no event": 1,
        "unknown event: new": 1,
        "message delta without a message": 1,
        "message stop without a message": 1,
        "arguments without a call": 1,
        "delta without a block": 1,
        "stop without a block": 1,
        "unknown block: new": 1,
        "unknown delta: new": 1,
    }


def test_messages_point_to_the_record_and_the_api_message_they_came_from() -> None:
    record = Record(value={"type": "message_start", "message": {"id": "m1"}}, line=4)
    _, messages = SOURCE.step(SOURCE.start(), record, None)
    sources = [each.transport.source for each in messages if each.transport is not None]
    assert [(each.format, each.id, each.line, each.ordinal) for each in sources if each] == [
        ("anthropic-sse", "m1", 4, 0),
        ("anthropic-sse", "m1", 4, 1),
    ]


def test_a_recorder_may_write_the_time_into_the_event() -> None:
    event = {"type": "message_start", "message": {"id": "m1"}, "timestamp": 1_783_209_600_000}
    _, messages = SOURCE.step(SOURCE.start(), Record(value=event), 5)
    assert {each.timestamp for each in messages} == {"2026-07-05T00:00:00.000Z"}
