"""The table of AG-UI events: complete, and everything else counted."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui.core import EventType

from refold.messages import Message
from refold.sources.ag_ui import SOURCE
from refold.sources.ag_ui.step import EVENTS
from refold.sources.source import Record
from tests.sources.folding import counted, said, view

OLDER = {
    "THINKING_START",
    "THINKING_CONTENT",
    "THINKING_END",
    "THINKING_TEXT_MESSAGE_START",
    "THINKING_TEXT_MESSAGE_CONTENT",
    "THINKING_TEXT_MESSAGE_END",
}


def test_the_table_holds_every_published_event_and_the_older_names() -> None:
    assert set(EVENTS) == {each.value for each in EventType} | OLDER


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([{"type": "TEXT_MESSAGE_START"}], True),
        ([{"type": "x"}, {"type": "RAW"}], True),
        ([[{"type": "RUN_STARTED"}]], True),
        ([{"case": [{"type": "RUN_STARTED"}]}], True),
        ([{"threadId": "t", "runId": "r", "messages": []}], True),
        ([{"type": "message_start"}], False),
        ([{"type": "response.created"}], False),
        ([{"timestamp": "", "type": "event_msg", "payload": {}}], False),
        ([{"type": []}, None, 5, [5], {"a": [None]}], False),
        ([], False),
    ],
)
def test_events_are_recognised(values: list[Any], expected: bool) -> None:
    assert SOURCE.recognises(values) is expected


def test_what_is_not_understood_is_counted_by_reason() -> None:
    events = [
        5,
        [],
        {},
        {"type": "NEW"},
        {"type": "RAW", "event": {}},
        {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{}"},
        {"type": "TOOL_CALL_END", "toolCallId": "c"},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/a"}]},
        {"type": "MESSAGES_SNAPSHOT", "messages": [{"role": "robot", "id": "x"}]},
    ]
    assert counted(SOURCE, events) == {
        "record that is no event": 2,
        "unknown event: without a type": 1,
        "unknown event: NEW": 1,
        "raw event": 1,
        "arguments of a call without a start": 1,
        "end of a call without a start": 1,
        "end of a text without a start": 1,
        "state delta that doesn't apply": 1,
        "unknown message role: robot": 1,
    }


def test_messages_point_to_the_record_they_came_from() -> None:
    record = Record(value={"type": "TEXT_MESSAGE_START", "messageId": "m1"}, line=4)
    _, messages = SOURCE.step(SOURCE.start(), record, None)
    (source,) = [each.transport.source for each in messages if each.transport is not None]
    assert source is not None
    assert (source.format, source.id, source.line, source.ordinal) == ("ag-ui", "m1", 4, 0)


def test_times_are_the_events_own_never_the_moment_of_observation() -> None:
    events = [
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "timestamp": 1_783_209_600_000},
        {
            "type": "TEXT_MESSAGE_CONTENT",
            "messageId": "m",
            "delta": "a",
            "timestamp": 1_783_209_600_500,
        },
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
    ]
    state, stamps = SOURCE.start(), []
    for event in events:
        state, messages = SOURCE.step(state, Record(value=event), 99)
        stamps += [each.timestamp for each in messages]
    assert stamps == ["2026-07-05T00:00:00.000Z", "2026-07-05T00:00:00.500Z", None, None]


def test_a_complete_says_when_its_text_began() -> None:
    events = [
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "timestamp": 1_783_209_600_000},
        {"type": "TEXT_MESSAGE_END", "messageId": "m", "timestamp": 1_783_209_601_000},
    ]
    state, messages = SOURCE.start(), tuple[Message, ...]()
    for event in events:
        state, messages = SOURCE.step(state, Record(value=event), None)
    assert [each.transport.started_at for each in messages if each.transport] == [
        None,
        "2026-07-05T00:00:00.000Z",
    ]


def test_the_request_of_a_run_shows_what_the_user_asked() -> None:
    request = {
        "threadId": "t",
        "runId": "r",
        "messages": [{"id": "u", "role": "user", "content": "hi"}],
    }
    assert said(view(SOURCE, [request])) == [("user_text", "hi")]
    started = {"type": "RUN_STARTED", "threadId": "t", "runId": "r", "input": request}
    assert said(view(SOURCE, [request, started])) == [("user_text", "hi")]
