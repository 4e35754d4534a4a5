"""Recorded streams give the views that were looked at and kept in ``golden/anthropic_sse``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refold import to_json
from refold.sources.anthropic_sse import SOURCE
from tests.sources.folding import counted, folded, inputs_of, read, recorded_view, view_path

INPUTS = inputs_of("anthropic_sse")


def tokens(events: list[dict[str, Any]]) -> int:
    """Count a stream's tokens without the source: the last usage of every message, and what
    its compactions used."""
    total, usage = 0, dict[str, Any]()
    for event in [*events, {"type": "message_start", "message": {}}]:
        if event["type"] == "message_start":
            total += sum(
                usage.get(name) or 0
                for name in (
                    "input_tokens",
                    "output_tokens",
                    "cache_read_input_tokens",
                    "cache_creation_input_tokens",
                )
            )
            total += sum(
                each["input_tokens"] + each["output_tokens"]
                for each in usage.get("iterations", [])
                if each["type"] == "compaction"
            )
            usage = dict(event["message"].get("usage", {}))
        usage.update(event.get("usage", {}))
    return total


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_a_recording_gives_its_view(path: Path) -> None:
    assert to_json(recorded_view(SOURCE, path)) == json.loads(view_path(path).read_text())


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_a_recording_is_recognised_and_understood(path: Path) -> None:
    events = [each.value for each in read(path)]
    assert SOURCE.recognises(events[:3])
    assert counted(SOURCE, events) == {}


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_tokens_equal_an_independent_count(path: Path) -> None:
    events = [each.value for each in read(path)]
    assert folded(SOURCE, events).stats.session_total == tokens(events) > 0


def test_every_recording_has_a_view_and_every_view_a_recording() -> None:
    assert {view_path(each).name for each in INPUTS} == {
        each.name for each in view_path(INPUTS[0]).parent.iterdir()
    }
