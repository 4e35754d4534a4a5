"""``refold conform``: what it prints of cases that are right, wrong and none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refold.cli import main

RIGHT = {
    "name": "nothing",
    "steps": [],
    "view": {
        "items": [],
        "task_open": False,
        "stats": {
            "context_now": 0,
            "context_stale": False,
            "session_total": 0,
            "subagent_total": 0,
            "session_elapsed_ms": 0,
        },
    },
}
WRONG = {"name": "something", "steps": [], "view": {"items": [{}]}}


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        ([json.dumps(RIGHT)], 0, ["1 passed, 0 failed"]),
        (
            [json.dumps(RIGHT), json.dumps(WRONG)],
            1,
            ["something: $.items: 0 or 1 elements (ours, or the case's)", "1 passed, 1 failed"],
        ),
        (
            ["no case", '{"steps": 1}'],
            1,
            [
                "FILE, line 1: expected a JSON value at $, got 'no case'",
                "FILE, line 2: expected a list of steps at $.steps, got 1",
                "0 passed, 2 failed",
            ],
        ),
        ([], 2, ["0 passed, 0 failed"]),
    ],
)
def test_a_line_for_each_that_fails_and_a_count(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    lines: list[str],
    code: int,
    said: list[str],
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(f"{each}\n" for each in lines))
    assert main(["conform", str(file)]) == code
    printed = capsys.readouterr().out.replace(str(file), "FILE").splitlines()
    assert printed == said
