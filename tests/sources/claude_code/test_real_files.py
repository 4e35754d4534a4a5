"""Recorded sessions, cut to their shape, come out as they went; counts are made here anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from refold import Session, apply, replay, settled, to_json
from refold.messages import ToolCall, ToolCallOutput
from refold.sources.claude_code import SOURCE
from tests.sources.claude_code.golden_files import (
    CASES,
    expected,
    folded,
    messages_text,
    records_of,
    view_text,
)
from tests.sources.claude_code.transcripts import step_all

BUCKETS = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)

STAND_IN = "No response requested."

every_case = pytest.mark.parametrize("case", CASES)


def speakers(case: str) -> Iterator[tuple[bool, dict[str, Any]]]:
    """Yield every record that has a message, told apart by whether a subagent speaks."""
    for record in records_of(case):
        value = record.value
        nested = value.get("data", {}).get("message") if value["type"] == "progress" else None
        if isinstance(nested, dict):
            yield True, nested
        elif isinstance(value.get("message"), dict):
            yield record.lane is not None or value.get("isSidechain") is True, value


def counted(case: str, *, of_subagents: bool) -> int:
    """Count tokens by response, the last line of each winning."""
    last: dict[str, int] = {}
    for is_subagent, value in speakers(case):
        message = value["message"]
        if message["role"] == "assistant" and is_subagent is of_subagents and "usage" in message:
            last[message["id"]] = sum(message["usage"].get(each, 0) for each in BUCKETS)
    return sum(last.values())


def blocks(case: str, role: str, kind: str) -> list[dict[str, Any]]:
    found = []
    for _, value in speakers(case):
        content = value["message"]["content"]
        if value["message"]["role"] == role and isinstance(content, list):
            found += [each for each in content if each["type"] == kind]
    return found


@every_case
def test_tokens_are_those_of_an_independent_count(case: str) -> None:
    stats = to_json(settled(replay(folded(case)[1], now_ms=0)))["stats"]
    assert stats["session_total"] == counted(case, of_subagents=False)
    assert stats["subagent_total"] == counted(case, of_subagents=True)


@every_case
def test_every_call_and_every_result_is_said_once(case: str) -> None:
    messages = folded(case)[1]
    calls = Counter(each["id"] for each in blocks(case, "assistant", "tool_use") if "id" in each)
    said = Counter(m.payload.tool_call_id for m in messages if type(m.payload) is ToolCall)
    assert dict.fromkeys(calls, 1) == {name: said[name] for name in calls}
    results = [each for each in blocks(case, "user", "tool_result") if "tool_use_id" in each]
    outputs = Counter(m.payload.tool_call_id for m in messages if type(m.payload) is ToolCallOutput)
    assert {each["tool_use_id"] for each in results} == {
        each for each in outputs if "." not in each
    }
    assert max(outputs.values(), default=1) == 1


@every_case
def test_every_visible_word_of_the_model_is_shown(case: str) -> None:
    state = view_text(folded(case)[1])
    for kind in ("text", "thinking"):
        for block in blocks(case, "assistant", kind):
            words = block[kind].strip().split("\n")[0]
            assert words.replace('"', '\\"').replace("\t", "\\t") in state or words == STAND_IN


@every_case
def test_live_and_stored_settle_the_same(case: str) -> None:
    stored = settled(replay(folded(case)[1], now_ms=0))
    state, live = SOURCE.start(), Session()
    for number, record in enumerate(records_of(case)):
        state, messages = SOURCE.step(state, record, 1_000 + number)
        for message in messages:
            live = apply(live, message, now_ms=number)
    for message in SOURCE.finish(state):
        live = apply(live, message, now_ms=10_000)
    assert settled(live) == stored


@every_case
def test_a_file_that_is_fed_twice_shows_what_it_showed(case: str) -> None:
    records = records_of(case)
    state, _ = step_all(records)
    again = {each.payload.kind for each in step_all(records, state)[1]}
    assert again <= {"session_meta", "fact"}


@every_case
def test_every_message_points_at_a_record_of_its_own(case: str) -> None:
    positions = []
    for message in folded(case)[1]:
        source = message.transport.source if message.transport else None
        assert source is not None
        assert source.line is not None
        positions.append((source.lane, source.line, source.id, source.ordinal))
    assert len(set(positions)) == len(positions)


@every_case
def test_nothing_in_a_recorded_file_is_unknown(case: str) -> None:
    state, _ = folded(case)
    assert not [reason for reason in SOURCE.counts(state) if reason.startswith("unknown")]


@every_case
def test_the_messages_are_the_expected_ones(case: str) -> None:
    assert messages_text(folded(case)[1]) == expected(case, "messages").read_text(encoding="utf-8")


@every_case
def test_the_view_is_the_expected_one(case: str) -> None:
    assert view_text(folded(case)[1]) == expected(case, "views").read_text(encoding="utf-8")


def test_every_expected_file_belongs_to_an_input() -> None:
    for kind in ("messages", "views"):
        assert sorted(each.stem for each in expected("x", kind).parent.iterdir()) == CASES
