"""``refold diff``: what differs between two sessions, and whether anything does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refold.cli import main
from tests.cli.running import piped
from tests.render.terminal.showing import GOLDEN, PENGUIN, penguin

DENY = penguin("deny")
LIVE = PENGUIN / "live_streams" / "deny.ndjson"


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    path = tmp_path / "changed.jsonl"
    text = DENY.read_text("utf-8").replace("I only ran echo", "I ran just echo")
    path.write_text(text, "utf-8")
    return path


def test_a_session_is_the_same_as_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(DENY), str(DENY)]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("no differences\n", "")


def test_what_differs_is_shown(capsys: pytest.CaptureFixture[str], changed: Path) -> None:
    assert main(["diff", str(DENY), str(changed)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "assistant_text  /items/3",
        "  text",
        "  - …emoval was denied, so I only ran echo.",
        "  + …emoval was denied, so I ran just echo.",
        "",
        "1 difference",
    ]


def test_what_differs_is_json_if_asked(capsys: pytest.CaptureFixture[str], changed: Path) -> None:
    assert main(["diff", "--json", str(DENY), str(changed)]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {
            "path": "/items/3/text",
            "a": "The removal was denied, so I only ran echo.",
            "b": "The removal was denied, so I ran just echo.",
        }
    ]
    assert main(["diff", "--json", str(DENY), str(DENY)]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_live_and_stored_differ_by_what_only_the_trace_has(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["diff", "--json", "--ignore-times", str(LIVE), str(DENY)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(each["path"], each["b"]["kind"]) for each in found] == [
        ("/items/0", "user_text"),
        ("/items/4", "task_stats"),
    ]


def test_two_runs_of_one_script_are_the_same_but_for_times_and_ids(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    again = tmp_path / "again.jsonl"
    text = DENY.read_text("utf-8").replace('"call_', '"id_').replace("-11-30", "-12-01")
    again.write_text(text, "utf-8")
    assert main(["diff", str(DENY), str(again)]) == 1
    assert main(["diff", "--ignore-times", str(DENY), str(again)]) == 1
    assert main(["diff", "--ignore-times", "--ignore-ids", str(DENY), str(again)]) == 0
    assert capsys.readouterr().out.endswith("no differences\n")


def test_files_of_different_formats_are_compared_and_their_formats_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = GOLDEN / "codex" / "inputs" / "exec_0_171.jsonl"
    assert main(["diff", str(other), str(DENY)]) == 1
    assert capsys.readouterr().err == "refold: read as codex\n"


def test_one_of_them_may_be_standard_input() -> None:
    code, out, err = piped("diff", "-", DENY, given=DENY.read_bytes())
    assert (code, out, err) == (0, "no differences\n", "")


def test_a_bad_line_is_reported_and_decides_if_nothing_else_does(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(DENY.read_bytes() + b"no message\n")
    assert main(["diff", str(path), str(DENY)]) == 3
    assert "line 17" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["diff", str(DENY), str(tmp_path / "no")]) == 2
    assert capsys.readouterr().err.startswith("refold: ")
