"""Recorded AG-UI streams give the views that were looked at and kept in ``golden/ag_ui``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refold import to_json
from refold.sources.ag_ui import SOURCE
from tests.sources.folding import folded, inputs_of, read, recorded_view, view_path

INPUTS = inputs_of("ag_ui")


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_a_recording_gives_its_view(path: Path) -> None:
    assert to_json(recorded_view(SOURCE, path)) == json.loads(view_path(path).read_text())


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_a_recording_is_recognised(path: Path) -> None:
    assert SOURCE.recognises([each.value for each in read(path)[:5]])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("result_of_a_call_in_an_earlier_run", 243 + 172),
        ("parallel_calls_and_results", 495 + 488),
        ("reasoning_then_text", 39 + 345),
    ],
)
def test_tokens_are_those_that_the_runs_report(name: str, expected: int) -> None:
    (path,) = [each for each in INPUTS if each.stem == name]
    session = folded(SOURCE, [each.value for each in read(path)])
    assert session.stats.session_total == expected


def test_every_recording_has_a_view_and_every_view_a_recording() -> None:
    assert {view_path(each).name for each in INPUTS} == {
        each.name for each in view_path(INPUTS[0]).parent.iterdir()
    }
