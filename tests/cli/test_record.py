"""``refold record``: a live capture as a trace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refold.cli import main
from refold.folding import replay
from refold.sources.files import open_trace
from refold.views import digest
from tests.cli.running import piped
from tests.render.terminal.showing import PENGUIN

STREAM = PENGUIN / "live_streams" / "basic.ndjson"


def test_a_trace_holds_no_partials_and_settles_as_the_stream(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    trace = tmp_path / "trace.jsonl"
    assert main(["record", str(STREAM), "-o", str(trace)]) == 0
    assert capsys.readouterr().out == ""
    kinds = [json.loads(line)["payload"].get("type", "") for line in trace.read_text().splitlines()]
    assert kinds
    assert not [kind for kind in kinds if kind.startswith("partial_")]
    sessions = [replay(open_trace(str(path)).messages, now_ms=0) for path in (STREAM, trace)]
    assert digest(sessions[0]) == digest(sessions[1])


def test_it_goes_to_standard_output(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["record", str(STREAM), "-o", str(tmp_path / "trace.jsonl")]) == 0
    assert main(["record", str(STREAM)]) == 0
    assert capsys.readouterr().out == (tmp_path / "trace.jsonl").read_text("utf-8")
    code, out, err = piped("record", "-", "-o", "-", given=STREAM.read_bytes())
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == len((tmp_path / "trace.jsonl").read_text("utf-8").splitlines())


def test_a_line_that_can_not_be_read_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(STREAM.read_bytes() + b"not JSON\n")
    assert main(["record", str(path)]) == 3
    shown = capsys.readouterr()
    assert "expected a JSON value" in shown.err
    assert len(shown.out.splitlines()) > 5
