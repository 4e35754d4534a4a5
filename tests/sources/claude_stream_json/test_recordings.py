"""Recorded runs give the views that were looked at and kept in ``golden/claude_stream_json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refold import to_json
from refold.sources.claude_stream_json import SOURCE
from tests.sources.claude_stream_json.strategies import JsonRecord, without_partials
from tests.sources.folding import counted, folded, inputs_of, view, view_path

INPUTS = inputs_of("claude_stream_json")
BUCKETS = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
)
CAMEL = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "outputTokens")


def values_of(path: Path) -> list[Any]:
    text = path.read_text()
    if path.suffix == ".json":
        return [json.loads(text)]
    return [json.loads(line) for line in text.splitlines()]


def records_of(path: Path) -> list[JsonRecord]:
    values = values_of(path)
    return values[0] if path.suffix == ".json" else values


def tokens(usage: dict[str, Any]) -> int:
    return sum(usage.get(each) or 0 for each in BUCKETS)


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_a_recording_gives_its_view(path: Path) -> None:
    assert to_json(view(SOURCE, values_of(path))) == json.loads(view_path(path).read_text())


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_a_recording_is_recognised(path: Path) -> None:
    assert SOURCE.recognises(values_of(path)[:8])


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_a_recording_is_understood(path: Path) -> None:
    hidden = {"synthetic user text": 1} if path.stem.startswith("error_max_turns") else {}

    assert counted(SOURCE, values_of(path)) == hidden


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_one_array_of_its_records_gives_the_same_view(path: Path) -> None:
    assert view(SOURCE, [records_of(path)]) == view(SOURCE, records_of(path))


def test_every_recording_has_a_view_and_every_view_a_recording() -> None:
    assert {view_path(each).name for each in INPUTS} == {
        each.name for each in view_path(INPUTS[0]).parent.iterdir()
    }


def test_a_run_recorded_with_partials_has_the_view_of_the_run_without() -> None:
    values = values_of(_input("partials_complete_before_stop"))
    stored = without_partials(values)

    assert len(stored) < len(values)
    assert view(SOURCE, stored) == view(SOURCE, values)


@pytest.mark.parametrize(
    "name",
    [
        "partials_complete_before_stop",
        "error_max_turns_without_is_error",
        "summary_before_result_and_stale_output",
        "one_message_over_several_records",
        "duplex_both_directions",
    ],
)
def test_tokens_equal_the_sum_of_the_results(name: str) -> None:
    records = records_of(_input(name))
    expected = sum(tokens(each["usage"]) for each in records if each["type"] == "result")

    assert folded(SOURCE, records).stats.session_total == expected > 0


def test_a_messages_inputs_are_exact_and_only_its_output_is_stale() -> None:
    records = records_of(_input("summary_before_result_and_stale_output"))
    messages = {each["message"]["id"]: each["message"]["usage"] for each in _spoken(records)}
    stale = sum(map(tokens, messages.values()))
    told = records[-1]["usage"]["output_tokens"]
    seen = sum(each["output_tokens"] for each in messages.values())

    assert (seen, told) == (10, 122)
    assert folded(SOURCE, records).stats.session_total == stale - seen + told


def test_tokens_of_messages_that_came_whole_are_in_the_account_by_model() -> None:
    records = records_of(_input("long_run_with_retries_and_denials"))
    result = records[-1]
    whole = {
        each["message"]["id"]: each["message"]["usage"]
        for each in _spoken(records)
        if each["message"]["stop_reason"] is not None
    }
    (account,) = result["modelUsage"].values()
    expected = sum(account[each] for each in CAMEL)

    assert tokens(result["usage"]) == 2_464_981
    assert sum(map(tokens, whole.values())) == 59_154
    assert tokens(result["usage"]) + 59_154 == expected == 2_524_135
    assert folded(SOURCE, records).stats.session_total == expected


def test_tokens_of_messages_without_ids_count_once_between_two_user_records() -> None:
    records = records_of(_input("array_with_a_nested_session"))
    main = [each for each in _spoken(records) if each["parent_tool_use_id"] is None]
    child = [each for each in _spoken(records) if each["parent_tool_use_id"] is not None]
    stats = folded(SOURCE, records).stats

    assert len(main) == len(child) == 2
    assert stats.session_total == tokens(main[0]["message"]["usage"]) == 7910
    assert stats.subagent_total == tokens(child[0]["message"]["usage"]) == 8549


def test_every_denial_of_a_result_is_on_its_card() -> None:
    records = records_of(_input("long_run_with_retries_and_denials"))
    denied = {each["tool_use_id"] for each in records[-1]["permission_denials"]}
    items = to_json(folded(SOURCE, records))["items"]

    assert len(denied) == 21
    assert {each["tool_call_id"] for each in items if each.get("decision") == "deny"} == denied


def _input(name: str) -> Path:
    return next(each for each in INPUTS if each.stem == name)


def _spoken(records: list[JsonRecord]) -> list[JsonRecord]:
    return [each for each in records if each["type"] == "assistant"]
