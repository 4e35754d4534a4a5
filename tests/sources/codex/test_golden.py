"""Real files fold into what a person who was there would recognise."""

from __future__ import annotations

import json
from typing import Any

import pytest

from refold.sources.codex import SOURCE
from refold.sources.registry import detect
from tests.sources.readings import (
    GOLDEN,
    agrees,
    items,
    messages_of,
    texts,
    view_of_file,
    view_of_messages,
)

INPUTS = GOLDEN / "codex" / "inputs"
NAMES = sorted(each.name for each in INPUTS.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_real_file_gives_the_view_that_is_kept(name: str) -> None:
    agrees(name, "codex")


@pytest.mark.parametrize("name", NAMES)
def test_tokens_agree_with_a_count_of_the_file(name: str) -> None:
    stats = view_of_file(INPUTS / name)["stats"]
    assert stats["session_total"] + stats["subagent_total"] == _counted(name)


def test_a_pair_of_parent_and_fork_is_counted_once() -> None:
    values = [json.loads(line) for each in ("parent", "child") for line in _lines(f"fork_{each}")]
    stats = view_of_messages(messages_of(SOURCE, values))["stats"]
    last = values[-1]["payload"]["info"]["total_token_usage"]["total_tokens"]
    assert stats["session_total"] + stats["subagent_total"] == last == 26_801_911


def test_what_was_said_live_is_what_was_kept() -> None:
    live = view_of_file(INPUTS / "app_server_0_171.jsonl")
    kept = view_of_file(INPUTS / "app_server_0_171_rollout.jsonl")
    assert texts(live) == texts(kept)
    assert _finished(live) == _finished(kept)
    assert {each for each in _outcomes(live).items() if each not in _finished(live).items()} == {
        ("call_7", ("", "aborted"))  # cut before its output came; the rollout got it later
    }
    assert _tokens(live) == _tokens(kept)
    assert [each["reason"] for each in items(live, "abort")] == ["interrupted"]
    assert len(items(live, "compaction")) == len(items(kept, "compaction")) == 1


def test_what_exec_printed_is_what_was_kept_but_for_the_prompt() -> None:
    printed = view_of_file(INPUTS / "exec_0_171.jsonl")
    kept = view_of_file(INPUTS / "exec_0_171_rollout.jsonl")
    assert texts(printed) == texts(kept)[1:]
    assert sorted(_outcomes(printed).values()) == sorted(_outcomes(kept).values())
    assert printed["stats"]["session_total"] == kept["stats"]["session_total"]


def test_a_stream_printed_over_many_lines_is_recognised_by_its_first() -> None:
    values = [json.loads(line) for line in _lines("app_server_printed_0_142")]
    assert detect(values[:32]).name == "codex"


def _lines(name: str) -> list[str]:
    return (INPUTS / f"{name}.jsonl").read_text("utf-8").splitlines()


def _counted(name: str) -> int:
    """Return the last total that a file's text holds, less what it had from its parent."""
    text = (INPUTS / name).read_text("utf-8")
    if name == "app_server_printed_0_142.jsonl":
        lines = [json.loads(line)["content"].strip() for line in text.splitlines()]
        return max([int(each.split(": ")[1].strip(",")) for each in lines if "totalTokens" in each])
    totals = [found for line in text.splitlines() for found in _totals(json.loads(line))]
    return (max(totals) if totals else 0) - _inherited(name)


def _totals(record: dict[str, Any]) -> list[int]:
    if record.get("type") == "turn.completed":
        return [record["usage"]["input_tokens"] + record["usage"]["output_tokens"]]
    if record.get("method") == "thread/tokenUsage/updated":
        return [record["params"]["tokenUsage"]["total"]["totalTokens"]]
    info = record.get("payload", {}).get("info")
    return [info["total_token_usage"]["total_tokens"]] if info else []


def _inherited(name: str) -> int:
    parents = {"fork_child.jsonl": "fork_parent", "fork_0_171_child.jsonl": "fork_0_171_parent"}
    return _counted(f"{parents[name]}.jsonl") if name in parents else 0


def _outcomes(view: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {
        each["tool_call_id"]: (each["output"], each["output_stop_reason"])
        for each in items(view, "tool_call")
    }


def _finished(view: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {name: each for name, each in _outcomes(view).items() if each[1] != "aborted"}


def _tokens(view: dict[str, Any]) -> list[Any]:
    return [
        (each["stats"]["tokens"], each["stats"]["tokens_by_bucket"])
        for each in items(view, "task_stats")
    ]
