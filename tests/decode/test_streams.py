"""Values with their lines to messages with their positions."""

from __future__ import annotations

from typing import Any

import pytest

from refold.decode.streams import messages_of, report
from refold.errors import DecodeError
from refold.messages import Abort, Message, SourcePosition, Transport

ABORT: dict[str, Any] = {"type": "event_msg", "payload": {"type": "abort"}}
BAD: dict[str, Any] = {"type": "event_msg", "payload": {"type": "abort", "reason": 5}}
TORN = DecodeError("a JSON value", value="{", line=3, source="dir/f.jsonl")
VALUES = [(1, ABORT), (2, BAD), (3, TORN), (4, ABORT)]


def lines_of(messages: list[Message]) -> list[int | None]:
    return [
        each.transport.source.line for each in messages if each.transport and each.transport.source
    ]


def test_every_message_says_where_it_stood() -> None:
    (message,) = messages_of([(7, ABORT)], lane="f.jsonl")
    assert message == Message(payload=Abort())
    place = SourcePosition(format="omni", lane="f.jsonl", line=7)
    assert message.transport == Transport(source=place)


def test_a_message_that_says_where_it_came_from_keeps_that() -> None:
    told = {**ABORT, "source": {"format": "codex", "line": 99}}
    (message,) = messages_of([(7, told)], lane="f.jsonl")
    assert message.transport == Transport(source=SourcePosition(format="codex", line=99))


def test_positions_may_be_left_out() -> None:
    assert [each.transport for each in messages_of([(7, ABORT)], positions=False)] == [None]


def test_faults_are_raised_with_their_place() -> None:
    messages = messages_of(VALUES, lane="f.jsonl", name="dir/f.jsonl")
    next(messages)
    with pytest.raises(DecodeError) as caught:
        next(messages)
    assert str(caught.value) == (
        "dir/f.jsonl, line 2: expected a string at $.payload.reason, got 5"
    )


def test_faults_are_skipped() -> None:
    assert lines_of(list(messages_of(VALUES, errors="skip"))) == [1, 4]


def test_faults_are_given_to_a_function_and_reading_goes_on() -> None:
    faults: list[DecodeError] = []
    messages = list(messages_of(VALUES, name="dir/f.jsonl", errors=faults.append))
    assert lines_of(messages) == [1, 4]
    assert [str(each) for each in faults] == [
        "dir/f.jsonl, line 2: expected a string at $.payload.reason, got 5",
        "dir/f.jsonl, line 3: expected a JSON value at $, got '{'",
    ]


def test_a_fault_is_reported_once() -> None:
    faults: list[DecodeError] = []
    report(TORN, faults.append)
    report(TORN, "skip")
    assert faults == [TORN]
    with pytest.raises(DecodeError) as caught:
        report(TORN, "raise")
    assert caught.value is TORN
