"""The laws of laws.md that a source must obey."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from refold import replay, settled, to_json
from refold.messages import PartialText, PartialThinking, PartialToolCall
from refold.recording import record as recorded
from refold.sources.claude_stream_json import SOURCE
from refold.sources.claude_stream_json.stepping import RECORD_TYPES
from refold.sources.claude_stream_json.streams import EVENTS
from refold.sources.claude_stream_json.systems import SUBTYPES
from refold.sources.source import Record
from tests.sources.claude_stream_json.strategies import (
    JsonRecord,
    fold,
    hostile_records,
    messages_of,
    run,
    runs,
    without_partials,
)

MODEST = settings(max_examples=50)
hostile = hostile_records([*RECORD_TYPES, "next_years_type"], [*SUBTYPES, *EVENTS])


@MODEST
@given(runs())
def test_with_partials_and_without_the_view_is_the_same(values: list[JsonRecord]) -> None:
    """Law 12."""
    assert to_json(settled(fold(values))) == to_json(settled(fold(without_partials(values))))


@MODEST
@given(runs(), st.data())
def test_with_partials_and_without_what_completes_placed_is_the_same_at_any_cut(
    values: list[JsonRecord], data: st.DataObject
) -> None:
    """Law 12, at the end of any message: items and order agree before the result is known."""
    cuts = [
        at
        for at, value in enumerate(values, 1)
        if value.get("type") in ("result", "user", "system")
    ]
    cut = values[: data.draw(st.sampled_from(cuts))]
    with_items = [each.key for each in settled(fold(cut)).items if each.kind != "task_stats"]
    stored = settled(fold(without_partials(cut)))

    assert with_items == [each.key for each in stored.items if each.kind != "task_stats"]


@MODEST
@given(runs())
def test_a_run_and_its_recording_give_the_same_view(values: list[JsonRecord]) -> None:
    """Law 4, on what the source says."""
    messages = messages_of(values)

    assert settled(replay(messages, now_ms=0)) == settled(
        replay(list(recorded(messages)), now_ms=0)
    )


@MODEST
@given(runs())
def test_pieces_end_before_their_complete(values: list[JsonRecord]) -> None:
    """protocol.md: start, delta*, stop, complete, at most one text and one thinking at a time."""
    open_now: set[Any] = set()
    for message in messages_of(values):
        payload = message.payload
        if isinstance(payload, PartialText | PartialThinking | PartialToolCall):
            name = getattr(payload, "tool_call_id", None)
            key = (payload.kind, message.origin, name)
            if payload.event_type == "start":
                assert key not in open_now
                open_now.add(key)
            else:
                assert key in open_now
            if payload.event_type == "stop":
                open_now.remove(key)
    assert open_now == set()


@MODEST
@given(runs())
def test_how_a_message_is_cut_into_deltas_does_not_matter(values: list[JsonRecord]) -> None:
    """Law 5."""
    merged = _with_deltas_merged(values)

    assert settled(fold(merged)) == settled(fold(values))


def _with_deltas_merged(values: list[JsonRecord]) -> list[JsonRecord]:
    merged: list[JsonRecord] = []
    for value in values:
        inner = value.get("event", {})
        last = merged[-1].get("event", {}) if merged else {}
        if inner.get("type") == last.get("type") == "content_block_delta":
            joined = copy.deepcopy(merged[-1])
            delta = joined["event"]["delta"]
            for name in ("text", "thinking", "partial_json"):
                if name in delta:
                    delta[name] += inner["delta"][name]
            merged[-1] = joined
        else:
            merged.append(value)
    return merged


@MODEST
@given(runs(), st.data())
def test_records_that_come_again_say_nothing_twice(
    values: list[JsonRecord], data: st.DataObject
) -> None:
    """Law 11, by the records' own ids."""
    named = [
        {**value, "uuid": f"u{at}"} if value["type"] != "stream_event" else value
        for at, value in enumerate(values)
    ]
    stored = without_partials(named)
    start = data.draw(st.integers(0, len(stored)))
    again = data.draw(st.integers(0, start))

    repeated = [*stored[:start], *stored[again:start], *stored[start:]]
    assert fold(repeated) == fold(stored)


@MODEST
@given(runs())
def test_one_array_is_its_records(values: list[JsonRecord]) -> None:
    assert settled(fold([values])) == settled(fold(values))


@MODEST
@given(runs())
def test_when_a_record_was_seen_decides_nothing(values: list[JsonRecord]) -> None:
    state, seen = SOURCE.start(), []
    for at, value in enumerate(values):
        state, more = SOURCE.step(state, Record(value=value, line=at + 1), 10**12 + at)
        seen.extend(more)
    seen.extend(SOURCE.finish(state))

    assert seen == messages_of(values)


@MODEST
@given(runs())
def test_a_step_leaves_its_state_and_its_record_as_they_were(values: list[JsonRecord]) -> None:
    """Laws 1 and 2."""
    before = copy.deepcopy(values)
    states = [SOURCE.start()]
    for value in values:
        states.append(SOURCE.step(states[-1], Record(value=value), None)[0])
    again = [SOURCE.start()]
    for at, value in enumerate(values):
        again.append(SOURCE.step(states[at], Record(value=value), None)[0])

    assert again == states
    assert values == before


@MODEST
@given(st.lists(hostile, max_size=10), st.sampled_from([None, "in", "out"]))
def test_any_json_gives_a_view_and_never_an_error(values: list[Any], lane: str | None) -> None:
    """Law 3."""
    messages, counts = run(values, lane)
    session = replay(messages, now_ms=0)

    assert isinstance(to_json(settled(session)), dict)
    assert all(each > 0 for each in counts.values())


@MODEST
@given(st.lists(hostile, max_size=8))
def test_anything_can_be_asked_whether_it_is_such_a_run(values: list[Any]) -> None:
    assert SOURCE.recognises(values) in (True, False)


def test_nesting_of_any_depth_is_read() -> None:
    deep: Any = "x"
    for _ in range(50_000):
        deep = [deep]
    block = {"type": "tool_use", "id": "t", "name": "T", "input": {"a": deep}}
    values = [
        {"type": "assistant", "message": {"id": "m", "content": [block]}},
        {"type": "user", "message": {"content": [{"type": "tool_result", "content": deep}]}},
        {"type": "user", "message": {"content": []}, "tool_use_result": deep},
        {"type": "rate_limit_event", "rate_limit_info": {"a": deep}},
        {"type": "system", "subtype": "init", "mcp_servers": deep},
        {"type": "result", "structured_output": deep, "modelUsage": {"m": deep}},
        deep,
    ]

    assert len(fold(values).items) > 0


def test_sessions_nested_without_end_are_read() -> None:
    values = [
        {
            "type": "assistant",
            "message": {"id": f"m{at}", "content": [{"type": "tool_use", "id": f"t{at}"}]},
            "parent_tool_use_id": f"t{at - 1}" if at else None,
        }
        for at in range(400)
    ]
    messages = messages_of(values)

    assert max(len(message.origin) for message in messages) == 32
    assert len(replay(messages, now_ms=0).items) == 1


def test_a_session_that_names_itself_is_its_own_child_once() -> None:
    block = {"type": "tool_use", "id": "t", "name": "Agent", "input": {}}
    value = {"type": "assistant", "message": {"id": "m", "content": [block]}}

    messages = messages_of([{**value, "parent_tool_use_id": "t"}] * 3)
    assert {message.origin for message in messages} == {(), ("t",)}
