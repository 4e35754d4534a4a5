"""``refold json``: the view."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refold.cli import main
from refold.folding import replay
from refold.sources.files import open_trace
from refold.views import settled, to_json
from tests.cli.running import piped
from tests.render.terminal.showing import PENGUIN, penguin

FILE = penguin("basic")


def test_the_view_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["json", str(FILE), "--now-ms", "5"]) == 0
    shown = capsys.readouterr()
    session = replay(open_trace(str(FILE)).messages, now_ms=5)
    assert (json.loads(shown.out), shown.err) == (to_json(session), "")
    assert shown.out.count("\n") == 1


def test_the_settled_view_knows_no_clock(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for now_ms in ("5", "7"):
        assert main(["json", str(FILE), "--settled", "--now-ms", now_ms]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    session = replay(open_trace(str(FILE)).messages, now_ms=0)
    assert json.loads(printed[0]) == to_json(settled(session))


def test_it_is_indented_if_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["json", str(FILE), "--settled", "--indent", "2"]) == 0
    assert capsys.readouterr().out.startswith('{\n  "items": [\n')


def test_several_files_are_one_session(capsys: pytest.CaptureFixture[str]) -> None:
    shards = sorted(PENGUIN.glob("compact__*"))
    assert main(["json", "--settled", *map(str, shards)]) == 0
    assert len(json.loads(capsys.readouterr().out)["items"]) > 5


def test_standard_input_is_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = piped("json", "-", "--settled", given=FILE.read_bytes())
    assert (code, err) == (0, "")
    assert main(["json", str(FILE), "--settled"]) == 0
    assert out == capsys.readouterr().out


def test_nested_sessions_beside_a_trace_are_in_its_view(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["json", str(penguin("subagent")), "--settled"]) == 0
    assert len(json.loads(capsys.readouterr().out)["subagents"]) == 2


def test_a_line_that_can_not_be_read_is_reported_and_the_rest_is_shown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = FILE.read_text("utf-8").splitlines()
    path = tmp_path / "torn.jsonl"
    path.write_text("\n".join([*lines[:3], '{"type": 7}', *lines[3:], lines[-1][:20]]), "utf-8")
    assert main(["json", str(path), "--settled"]) == 3
    torn = capsys.readouterr()
    assert f"{path}, line 4: expected a string at $.type, got 7" in torn.err
    assert len(torn.err.splitlines()) == 2
    assert main(["json", str(FILE), "--settled"]) == 0
    assert torn.out == capsys.readouterr().out


def test_a_lone_surrogate_is_printed_as_json_has_it(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(
        '{"type":"model_msg","payload":{"type":"text","role":"user","text":"\\ud83d"}}\n', "utf-8"
    )
    code, out, _ = piped(
        "json", path, "--settled", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"
    )
    assert code == 0
    assert json.loads(out)["items"][0]["text"] == "\ud83d"
