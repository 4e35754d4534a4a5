"""Real logs fold into what a person who was there would recognise."""

from __future__ import annotations

import json
from typing import Any

import pytest

from refold.sources.files.opening import open_trace
from refold.sources.registry import detect
from tests.sources.readings import (
    GOLDEN,
    agrees,
    all_sessions,
    items,
    texts,
    view_of_file,
    view_of_messages,
)

PAIR = ("codex_acp_2_6_live.ndjson", "codex_acp_2_6_load.ndjson")
INPUTS = sorted(each.name for each in (GOLDEN / "acp" / "inputs").iterdir())


@pytest.mark.parametrize("name", INPUTS)
def test_a_real_log_gives_the_view_that_is_kept(name: str) -> None:
    agrees(name, "acp")


@pytest.mark.parametrize("name", INPUTS)
def test_tokens_agree_with_a_count_of_the_file(name: str) -> None:
    text = (GOLDEN / "acp" / "inputs" / name).read_text("utf-8")
    counted = 0
    for line in text.split("\n"):
        if '"token_count"' in line:
            wrapped = json.loads(line)
            result = wrapped.get("msg", wrapped.get("message"))["result"]
            quota = result["_meta"]["quota"]["token_count"]
            counted += quota.get("totalTokens") or quota["input_tokens"] + quota["output_tokens"]
    sessions = all_sessions(view_of_file(GOLDEN / "acp" / "inputs" / name))
    assert sum(each["stats"]["session_total"] for each in sessions) == counted


def test_what_a_real_agent_tells_again_is_what_was_seen() -> None:
    live, loaded = (view_of_file(GOLDEN / "acp" / "inputs" / name) for name in PAIR)
    banner = "Warning: Model metadata"
    seen = [each for each in texts(live) if not each.startswith(banner)]
    assert [_squeezed(each) for each in seen] == [_squeezed(each) for each in texts(loaded)]
    assert _outputs(live) == _outputs(loaded)


def test_a_load_behind_what_was_seen_changes_nothing() -> None:
    inputs = [GOLDEN / "acp" / "inputs" / name for name in PAIR]
    both = view_of_messages(open_trace(*inputs).messages)
    assert both["items"] == view_of_file(inputs[0])["items"]


def _squeezed(words: str) -> str:
    return "".join(words.split())


def _outputs(view: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    return {
        each["tool_call_id"]: (each["name"], each["arguments_text"], each["output"])
        for each in items(view, "tool_call")
    }


def test_a_log_of_objects_printed_one_after_another_is_recognised_by_its_lines() -> None:
    text = (GOLDEN / "acp" / "inputs" / "codex_acp_load_session_history.json").read_text("utf-8")
    assert detect(text.split("\n")[:12]).name == "acp"
