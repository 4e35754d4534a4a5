"""Recorded streams give the views that were looked at and kept in ``golden/openai_sse``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refold import to_json
from refold.sources.openai_sse import SOURCE
from tests.sources.folding import counted, folded, inputs_of, read, recorded_view, view_path

INPUTS = inputs_of("openai_sse")


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
    events = [json.loads(line) for line in path.read_text().splitlines()]
    used = [each["response"]["usage"] for each in events if each["type"] == "response.completed"]
    expected = sum(each["total_tokens"] for each in used)
    session = folded(SOURCE, [each.value for each in read(path)])
    assert session.stats.session_total == expected > 0


def test_every_recording_has_a_view_and_every_view_a_recording() -> None:
    assert {view_path(each).name for each in INPUTS} == {
        each.name for each in view_path(INPUTS[0]).parent.iterdir()
    }
