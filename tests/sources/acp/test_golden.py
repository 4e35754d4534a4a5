"""Real logs fold into what a person who was there would recognise."""

from __future__ import annotations

import json

import pytest

from refold.sources.registry import detect
from tests.sources.readings import GOLDEN, agrees, all_sessions, view_of_file

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
            quota = json.loads(line)["msg"]["result"]["_meta"]["quota"]["token_count"]
            counted += quota["input_tokens"] + quota["output_tokens"]
    sessions = all_sessions(view_of_file(GOLDEN / "acp" / "inputs" / name))
    assert sum(each["stats"]["session_total"] for each in sessions) == counted


def test_a_log_of_objects_printed_one_after_another_is_recognised_by_its_lines() -> None:
    text = (GOLDEN / "acp" / "inputs" / "codex_acp_load_session_history.json").read_text("utf-8")
    assert detect(text.split("\n")[:12]).name == "acp"
