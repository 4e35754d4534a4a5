"""A front end that is told what changed has what refold shows, in events that AG-UI allows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refold import Session, apply, finalize, replay
from refold.bridges.ag_ui import advance, connect
from refold.decode import decode
from refold.messages import Message, PartialText, Text, Thinking, ToolCall, ToolCallOutput
from tests.bridges.ag_ui.reading import (
    assert_shows,
    check_order,
    check_shapes,
    contents,
    read_back,
    told,
)
from tests.strategies import chaotic_streams, disciplined_streams

STREAMS = sorted((Path(__file__).parents[3] / "golden/penguin/inputs/live_streams").iterdir())


def messages_in(path: Path) -> list[Message]:
    return [decode(json.loads(line)) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)
def test_a_recorded_session_told_live_reads_back_as_it_was(path: Path) -> None:
    session, events = told(messages_in(path))
    check_shapes(events)
    check_order(events)
    assert contents(read_back(events), None) == contents(session)
    assert [each["type"] for each in events].count("MESSAGES_SNAPSHOT") == 1


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)
def test_who_connects_anywhere_in_a_recorded_session_has_the_same_in_the_end(path: Path) -> None:
    messages = messages_in(path)
    for cut in range(0, len(messages), 5):
        since = replay(messages[:cut], now_ms=0)
        session, events = told(messages[cut:], since=since)
        check_order(events)
        assert contents(read_back(events), None) == contents(session)


@settings(max_examples=30)
@given(disciplined_streams())
def test_a_stream_told_without_a_second_snapshot_reads_back_as_it_was(
    messages: list[Message],
) -> None:
    """refold's own source and the bridge are inverse where AG-UI has the words for what happened."""
    session, events = told(messages)
    if [each["type"] for each in events].count("MESSAGES_SNAPSHOT") == 1:
        assert contents(read_back(events), None) == contents(session)


@settings(max_examples=60)
@given(chaotic_streams())
def test_a_front_end_shows_what_refold_shows_whatever_came(messages: list[Message]) -> None:
    """Any stream: valid events, in a valid order, that add up to the conversation."""
    session, events = told(messages)
    check_shapes(events)
    check_order(events)
    assert_shows(events, session)


@settings(max_examples=60)
@given(chaotic_streams(), st.integers(0, 30))
def test_who_connects_anywhere_shows_what_refold_shows(messages: list[Message], cut: int) -> None:
    since = replay(messages[:cut], now_ms=0)
    session, events = told(messages[cut:], since=since)
    check_order(events)
    assert_shows(events, session)


@settings(max_examples=60)
@given(chaotic_streams(), st.data())
def test_versions_may_be_left_out(messages: list[Message], data: st.DataObject) -> None:
    session = Session()
    bridge, events = connect(session, "thread")
    for message in messages:
        session = apply(session, message, now_ms=0)
        if data.draw(st.booleans()):
            bridge, more = advance(bridge, session)
            events += more
    session = finalize(session)
    _, more = advance(bridge, session)
    check_order([*events, *more])
    assert_shows([*events, *more], session)


def test_nothing_changed_is_nothing_told() -> None:
    session = replay([Message(payload=Text(role="user", text="hi"))], now_ms=0)
    bridge, _ = connect(session, "thread")
    assert advance(bridge, session) == (bridge, ())


def test_a_text_is_told_from_its_first_visible_character_and_ends_with_its_complete() -> None:
    def piece(event_type: str, text: str) -> Message:
        return Message(payload=PartialText(role="assistant", event_type=event_type, text=text))

    stream = [
        piece("start", ""),
        piece("delta", " "),
        piece("delta", "a"),
        piece("delta", "b"),
        piece("stop", ""),
        Message(payload=Text(role="assistant", text=" abc")),
    ]
    _, events = told(stream)
    spoken = [(each["type"], each.get("delta")) for each in events if "MESSAGE_" in each["type"]]
    assert spoken == [
        ("TEXT_MESSAGE_START", None),
        ("TEXT_MESSAGE_CONTENT", " a"),
        ("TEXT_MESSAGE_CONTENT", "b"),
        ("TEXT_MESSAGE_CONTENT", "c"),
        ("TEXT_MESSAGE_END", None),
    ]


def test_a_complete_that_reads_differently_is_told_as_a_whole() -> None:
    stream = [
        Message(payload=PartialText(role="assistant", event_type="start", text="teh")),
        Message(payload=Text(role="assistant", text="the")),
    ]
    session, events = told(stream)
    assert [each["type"] for each in events][-3:] == [
        "MESSAGES_SNAPSHOT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]
    assert contents(read_back(events), None) == contents(session)


def test_a_step_in_a_long_session_tells_only_what_changed() -> None:
    history = [Message(payload=Text(role="assistant", text="x")) for _ in range(3000)]
    call = Message(payload=ToolCall(role="assistant", name="f", arguments="{}", tool_call_id="c"))
    session = replay([call, *history], now_ms=0)
    bridge, _ = connect(session, "thread")
    output = ToolCallOutput(role="user", output="late", tool_call_id="c")
    after = apply(session, Message(payload=output), now_ms=0)
    _, events = advance(bridge, after)
    assert [each["type"] for each in events] == ["RUN_STARTED", "TOOL_CALL_RESULT", "RUN_FINISHED"]


def test_times_are_those_of_the_items() -> None:
    stream = [
        Message(payload=Text(role="user", text="q"), timestamp="2026-07-05T00:00:00Z"),
        Message(payload=Thinking(role="assistant", thinking="t"), timestamp="2026-07-05T00:00:02Z"),
    ]
    _, events = told(stream)
    stamps = {each["type"]: each["timestamp"] for each in events if "timestamp" in each}
    assert stamps == {
        "TEXT_MESSAGE_END": 1_783_209_600_000,
        "REASONING_START": 1_783_209_600_000,
        "REASONING_MESSAGE_START": 1_783_209_600_000,
        "REASONING_MESSAGE_END": 1_783_209_602_000,
        "REASONING_END": 1_783_209_602_000,
    }
