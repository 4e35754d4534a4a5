"""``refold verify``: the laws on a user's own files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from refold.cli import main, verify
from refold.laws import LAWS, Broken
from refold.messages import Message
from tests.cli.running import piped
from tests.notation import T, stream
from tests.render.terminal.showing import PENGUIN, penguin

FILES = sorted(PENGUIN.glob("**/*.*l")) + sorted(PENGUIN.glob("live_streams/*.ndjson"))


@pytest.mark.parametrize("path", sorted(set(FILES)), ids=lambda path: path.name.partition("__")[0])
def test_every_law_holds_on_every_recorded_session(
    capsys: pytest.CaptureFixture[str], path: Path
) -> None:
    assert main(["verify", str(path)]) in (0, 3)
    assert capsys.readouterr().out.splitlines()[0].endswith("11 of 11 laws hold")


def test_a_broken_law_is_shown_with_a_small_counterexample(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(messages: Any) -> list[Broken]:
        few: tuple[Message, ...] = tuple(stream(*[T("a")] * 15))
        return [Broken(law=LAWS[3], difference="$.items: 1 or 2 elements", messages=few)]

    monkeypatch.setattr(verify, "check", broken)
    assert main(["verify", str(penguin("basic"))]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("10 of 11 laws hold")
    assert lines[1].startswith("  law 4, live = replay: ")
    assert lines[2] == "    $.items: 1 or 2 elements"
    assert lines[3] == "    broken by 15 messages:"
    assert len([line for line in lines if line.startswith("      {")]) == 12
    assert lines[-1] == "      … and 3 more"


def test_standard_input_is_a_file() -> None:
    code, out, err = piped("verify", "-", given=penguin("deny").read_bytes())
    assert (code, err) == (0, "")
    assert out.startswith("-: 16 messages, ")


def test_a_line_that_can_not_be_read_is_reported_and_the_rest_tried(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(penguin("deny").read_bytes() + b'{"type": 7}\n')
    assert main(["verify", str(path)]) == 3
    shown = capsys.readouterr()
    assert shown.err.startswith("refold: ")
    assert "16 messages, 11 of 11 laws hold" in shown.out


def test_a_file_that_can_not_be_read_is_named_and_the_others_tried(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"hello": 1}\n')
    assert main(["verify", "nowhere.jsonl", str(penguin("deny")), str(other)]) == 3
    shown = capsys.readouterr()
    assert shown.out.endswith("16 messages, 11 of 11 laws hold\n")
    first, second = shown.err.splitlines()
    assert first == "refold: nowhere.jsonl: No such file or directory"
    assert "other.jsonl: none of its first 1 records is of a known format" in second
    assert main(["verify", "nowhere.jsonl"]) == 2
