"""``refold show``: a session for a person, in a terminal or a pipe."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from refold.cli import main
from refold.cli.show import tell_counts
from refold.render.terminal import Layout, plain, session_lines
from tests.cli.running import WITHOUT_RICH, InTerminal, environment, piped, screen_of
from tests.render.terminal.showing import GOLDEN, golden_session, penguin

PARENT = penguin("subagent")
CODEX = GOLDEN / "codex" / "inputs" / "exec_0_171.jsonl"
UNKNOWN = GOLDEN / "codex" / "inputs" / "record_types_to_0_146.jsonl"


def text_of(path: Path, width: int = 100, *, full: bool = False) -> str:
    layout = Layout(width=width, full=full)
    return "".join(plain(line) + "\n" for line in session_lines(golden_session(path), layout))


def test_a_session_with_nested_ones_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(PARENT), "--utc"]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (text_of(PARENT), "")


@pytest.mark.parametrize("options", [["--width", "60"], ["--width", "60", "--full"]])
def test_width_and_fullness_are_as_asked(
    capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    assert main(["show", str(penguin("bigout")), "--utc", *options]) == 0
    expected = text_of(penguin("bigout"), 60, full="--full" in options)
    assert capsys.readouterr().out == expected


def test_a_width_that_is_none_is_the_least(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(PARENT), "--utc", "--width", "1"]) == 0
    assert capsys.readouterr().out == text_of(PARENT, 24)


def test_the_format_that_was_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(CODEX), "--utc"]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (text_of(CODEX), "refold: read as codex\n")
    assert main(["show", str(CODEX), "--format", "codex"]) == 0
    assert capsys.readouterr().err == ""


def test_shards_are_one_session(capsys: pytest.CaptureFixture[str]) -> None:
    first = penguin("compact")
    second = first.with_name(first.name.replace("_001", "_002"))
    outputs = []
    for files in ([first], [second], [first, second]):
        assert main(["show", *map(str, files)]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] == outputs[2]


def test_a_bad_line_is_reported_and_the_rest_is_shown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "trace.jsonl"
    shutil.copy(penguin("basic"), path)
    path.write_bytes(path.read_bytes() + b"no message\n")
    assert main(["show", str(path), "--utc"]) == 3
    shown = capsys.readouterr()
    assert shown.out == text_of(penguin("basic"))
    assert shown.err == (f"refold: {path}, line 16: expected a JSON value at $, got 'no message'\n")


def test_records_that_were_not_understood_are_counted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "rollout.jsonl"
    odd = [{"type": "hologram", "payload": {}}, {"type": "event_msg", "payload": {"type": "odd"}}]
    path.write_bytes(
        UNKNOWN.read_bytes() + "".join(json.dumps(each) + "\n" for each in odd).encode()
    )
    assert main(["show", str(path)]) == 0
    assert "records show nothing: " in capsys.readouterr().err


def test_one_record_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    tell_counts({"unknown": 1, "dropped": 0})
    assert capsys.readouterr().err == "refold: 1 record shows nothing: 1 unknown\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "No such file"), (b"", "holds no records"), (b"[1]\n", "none of its first 1 records")],
)
def test_what_can_not_be_shown_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes | None, said: str
) -> None:
    path = tmp_path / "what"
    if content is not None:
        path.write_bytes(content)
    assert main(["show", str(path)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("refold: ")
    assert said in shown.err
    assert shown.err.count("\n") == 1


def test_standard_input_is_shown() -> None:
    code, out, err = piped("show", "-", "--utc", given=penguin("deny").read_bytes())
    assert (code, out, err) == (0, text_of(penguin("deny")), "")


# --- pipes and terminals ----------------------------------------------------------------------


def test_a_pipe_has_no_colours_and_100_columns_whatever_the_terminal() -> None:
    code, out, _ = piped("show", PARENT, TERM="xterm-256color", COLUMNS="37")
    assert (code, out) == (0, text_of(PARENT))


def test_a_terminal_has_colours_and_its_own_width() -> None:
    terminal = InTerminal("show", PARENT, columns=72)
    assert terminal.wait() == 0
    assert "\x1b[" in terminal.written
    assert screen_of(terminal.written) == [*text_of(PARENT, 72).split("\n")]


@pytest.mark.parametrize("changes", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_no_colours_has_none(changes: dict[str, str]) -> None:
    terminal = InTerminal("show", PARENT, **changes)
    assert terminal.wait() == 0
    assert "\x1b" not in terminal.written


def test_colours_are_as_asked() -> None:
    terminal = InTerminal("show", PARENT, "--no-color")
    assert terminal.wait() == 0
    assert "\x1b" not in terminal.written
    code, out, _ = piped("show", PARENT, "--color", NO_COLOR="1")
    assert code == 0
    assert "\x1b[" in out
    assert screen_of(out) == text_of(PARENT).split("\n")


def test_without_rich_it_is_the_same_text() -> None:
    code, out, err = piped("show", PARENT, python=["-c", WITHOUT_RICH])
    assert (code, out, err) == (0, text_of(PARENT), "")


def test_without_rich_colours_that_are_asked_for_name_the_extra() -> None:
    code, out, err = piped("show", PARENT, "--color", python=["-c", WITHOUT_RICH])
    assert (code, out) == (2, "")
    assert err == "refold: --color needs the extra 'cli': pip install 'refold[cli]'\n"


def test_a_closed_pipe_is_the_end_and_no_error(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    line = b'{"type":"model_msg","payload":{"type":"text","role":"assistant","text":"words"}}\n'
    path.write_bytes(line * 10_000)
    showing = subprocess.Popen(
        [sys.executable, "-m", "refold", "show", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert showing.stdout is not None
    assert showing.stdout.readline() == b"  words\n"
    showing.stdout.close()
    assert showing.wait(timeout=60) == 0
    assert showing.stderr is not None
    assert showing.stderr.read() == b""
    showing.stderr.close()


def test_an_output_that_has_no_letters_for_it_gets_escapes() -> None:
    code, out, err = piped("show", PARENT, PYTHONIOENCODING="ascii")
    assert (code, err) == (0, "")
    assert "\\u25cf run_subagent" in out


def test_reading_a_large_file_is_counted_where_somebody_looks(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    line = b'{"type":"event_msg","payload":{"type":"request_begin"}}\n'
    path.write_bytes(line * 10_001)
    terminal = InTerminal("show", path)
    assert terminal.wait() == 0
    assert "10,000 messages…" in terminal.written
    assert "messages…" not in terminal.written.rpartition("\x1b[K")[2]
