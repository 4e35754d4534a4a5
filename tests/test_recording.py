"""What a trace keeps of a live stream: everything but partials, and when each fragment began."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from refold.errors import DecodeError
from refold.messages import (
    CompactionBegin,
    Message,
    PartialText,
    PartialThinking,
    PartialToolCall,
    RequestBegin,
    Text,
    Thinking,
    ToolCall,
    TracePosition,
    Transport,
)
from refold.recording import record
from refold.records import evolve
from refold.reduce.cases import role_of
from refold.times import format_ms
from tests.payloads import START_MS
from tests.strategies import any_streams, timed

_SAYS = [PartialText(role="assistant", event_type=each, text="") for each in ("start", "stop")]
_THINKS = [
    PartialThinking(role="assistant", event_type=each, thinking="") for each in ("start", "stop")
]
_CALLS = [
    PartialToolCall(role="assistant", event_type=each, name="n", arguments="", tool_call_id="t1")
    for each in ("start", "stop")
]
_SAID = Text(role="assistant", text="done")
_THOUGHT = Thinking(role="assistant", thinking="so")
_CALL = ToolCall(role="assistant", name="n", arguments="{}", tool_call_id="t1")
_DO = Text(role="user", text="do it")


def _starts(payloads: list[Any], origin: tuple[str, ...] = ()) -> list[int | None]:
    """Return how many messages in front of the trace's each began, in the stream of 100 ms."""
    kept = list(record(timed(payloads, origin)))
    began = {format_ms(START_MS + 100 * index): index for index in range(len(payloads))}
    return [
        None if each.transport is None else began[str(each.transport.started_at)] for each in kept
    ]


@pytest.mark.parametrize(
    ("payloads", "starts"),
    [
        ([_DO, RequestBegin(), _SAID], [None, None, None]),
        ([_DO, *_SAYS, _SAID], [None, 1]),
        ([*_THINKS, _THOUGHT, *_SAYS, _SAID], [0, 3]),
        ([*_CALLS, _CALL], [0]),
        # Two at once, and one that was closed early by a task's start.
        ([_SAYS[0], _CALLS[0], _CALLS[1], _SAYS[1], _CALL, _SAID], [1, 0]),
        ([_SAYS[0], _DO, _SAID], [None, 0]),
        # A start belongs to one complete, and the latest start counts.
        ([*_SAYS, _SAID, _SAID], [0, None]),
        ([*_SAYS, *_SAYS, _SAID], [2]),
        # What the user says began when it came.
        ([*_SAYS, _DO, _SAID], [None, 0]),
    ],
)
def test_a_complete_carries_when_its_fragment_began(
    payloads: list[Any], starts: list[int | None]
) -> None:
    assert _starts(payloads) == starts
    assert _starts(payloads, ("c1", "d1")) == starts


def test_a_start_inside_a_compaction_is_remembered_for_the_next_complete() -> None:
    begin = CompactionBegin(reason="manual", mode="summarize", context=1, turns=1)
    assert _starts([begin, *_CALLS, _CALL]) == [None, 1]


def test_a_fragment_of_another_session_is_not_asked() -> None:
    stream = [*timed(_SAYS, ("c1",)), *timed([_SAID])]
    assert list(record(stream)) == timed([_SAID])
    assert [each.transport for each in record(stream)] == [None]


def test_a_start_of_unknown_time_says_nothing() -> None:
    stream = [Message(payload=payload) for payload in [*_SAYS, _SAID]]
    assert [each.transport for each in record(stream)] == [None]


def test_what_rode_on_the_envelope_rides_on() -> None:
    where = Transport(trace_position=TracePosition(file_index=0, ordinal=3))
    stream = timed([*_SAYS, _SAID])
    kept = list(record([*stream[:2], evolve(stream[2], transport=where)]))
    assert [each.transport for each in kept] == [
        evolve(where, started_at=format_ms(START_MS)),
    ]


@given(any_streams())
def test_a_trace_is_the_stream_without_its_partials(stream: list[Message]) -> None:
    """Messages are equal but for transport, which is no part of their identity."""
    kept = [each for each in stream if role_of(each.payload) != "partial"]
    assert list(record(stream)) == kept


@given(any_streams())
def test_recording_a_trace_changes_nothing(stream: list[Message]) -> None:
    trace = list(record(stream))
    assert [each.transport for each in record(trace)] == [each.transport for each in trace]


def test_a_raw_object_is_decoded_or_refused() -> None:
    raw = {"type": "event_msg", "payload": {"type": "request_begin"}}
    assert list(record([raw])) == [Message(payload=RequestBegin())]
    with pytest.raises(DecodeError, match="at "):
        list(record([{"type": "event_msg"}]))
