"""``refold convert``: any format as OmniMessages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refold.cli import main
from refold.folding import replay
from refold.sources.files import open_trace
from refold.views import digest
from tests.render.terminal.showing import GOLDEN, penguin

FOREIGN = GOLDEN / "codex" / "inputs" / "exec_0_171.jsonl"


@pytest.mark.parametrize("path", [penguin("basic"), FOREIGN], ids=["omni", "foreign"])
def test_what_is_converted_folds_to_the_same_session(path: Path, tmp_path: Path) -> None:
    converted = tmp_path / "messages.jsonl"
    assert main(["convert", str(path), "-o", str(converted)]) == 0
    sessions = [replay(open_trace(str(each)).messages, now_ms=0) for each in (path, converted)]
    assert digest(sessions[0]) == digest(sessions[1])


def test_each_line_is_a_message_that_says_where_it_came_from(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["convert", str(FOREIGN)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["source"]["format"] for line in lines} == {"codex"}
    assert all({"type", "payload"} <= set(line) for line in lines)


def test_a_format_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(FOREIGN), "--format", "no_such_format"]) == 2
    assert "no_such_format" in capsys.readouterr().err
