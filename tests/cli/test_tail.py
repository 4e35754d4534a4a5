"""``refold tail``: a growing file, in a terminal or a pipe."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from refold.cli import main
from tests.cli.running import InTerminal, environment, piped, screen_of
from tests.render.terminal.showing import GOLDEN, PENGUIN, penguin

STREAM = PENGUIN / "live_streams" / "basic.ndjson"
BASIC = penguin("basic")
QUICK = ("--interval", "0.02", "--utc")


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "trace.jsonl"


class Piped:
    """``refold tail`` in a pipe, line by line."""

    def __init__(self, *words: str | Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "refold", "tail", *QUICK, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            encoding="utf-8",
        )

    def next_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def interrupted(self) -> tuple[int, str, str]:
        """Interrupt it; return its exit code, what else it said, and its diagnostics."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


# --- pipes ------------------------------------------------------------------------------------


def test_piped_it_is_a_line_for_each_settled_item() -> None:
    code, out, err = piped("tail", "-", "--utc", given=BASIC.read_bytes())
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "19:24:20  ❯ [[script:basic]] Create hello.txt containing hi",
        "19:24:20  ✻ The user wants a file. I will write it.",
        "19:24:20    I'll create hello.txt.",
        "19:24:20  ● exec_command  printf hi > hello.txt && cat hello.txt  allowed · 69 ms → hi",
        "19:24:20    Done: hello.txt contains hi.",
        "19:24:20  ∑ 2,571 tokens (300 cached, 121 out) · 7,118/s · 79 ms · context 1,511 (+1,511)",
    ]


def test_lines_come_while_the_file_grows_and_an_interrupt_is_quiet(path: Path) -> None:
    trace = lines(BASIC)
    path.write_bytes(b"".join(trace[:2]))
    tailing = Piped(path)
    assert tailing.next_line() == "19:24:20  ❯ [[script:basic]] Create hello.txt containing hi"
    append(path, b"".join(trace[2:6]))
    assert tailing.next_line() == "19:24:20  ✻ The user wants a file. I will write it."
    append(path, trace[6][:30])
    append(path, b"".join([trace[6][30:], *trace[7:]]))
    rest = [tailing.next_line() for _ in range(3)]
    assert rest[-1] == "19:24:20    Done: hello.txt contains hi."
    assert tailing.interrupted() == (130, "", "")


def test_a_file_that_is_replaced_begins_anew(path: Path) -> None:
    shutil.copy(BASIC, path)
    tailing = Piped(path)
    assert [tailing.next_line() for _ in range(5)][-1].endswith("contains hi.")
    shutil.copy(penguin("deny"), path)
    assert [tailing.next_line() for _ in range(2)] == ["", f"── {path} begins anew ──"]
    assert tailing.next_line() == "19:24:21  ❯ [[script:deny]] clean up"
    assert tailing.interrupted()[0] == 130


def test_a_shard_that_appears_is_followed(tmp_path: Path) -> None:
    first = penguin("compact")
    path = tmp_path / "s_001.jsonl"
    shutil.copy(first, path)
    tailing = Piped(path)
    while "compaction completed" not in tailing.next_line():
        pass
    second = first.with_name(first.name.replace("_001", "_002"))
    shutil.copy(second, tmp_path / "s_002.jsonl")
    while "and another task" not in tailing.next_line():
        pass
    assert tailing.interrupted()[0] == 130


@pytest.mark.parametrize(("tasks", "shown"), [("0", 0), ("1", 1), ("2", 2), ("-1", 2)])
def test_it_begins_with_the_last_tasks(tasks: str, shown: int) -> None:
    trace = b"".join(each.read_bytes() for each in sorted(PENGUIN.glob("compact__*")))
    code, out, _ = piped("tail", "-", "-n", tasks, given=trace)
    assert code == 0
    assert out.count("❯") == shown


def test_at_length_it_is_what_show_shows() -> None:
    given = BASIC.read_bytes()
    _, told, _ = piped("tail", "-", "--utc", "--no-brief", given=given)
    _, shown, _ = piped("show", "-", "--utc", given=given)
    assert told.strip() == shown.partition("\n\n────")[0].strip()


def test_another_agents_session_is_told_and_its_format_too() -> None:
    given = (GOLDEN / "codex" / "inputs" / "exec_0_171.jsonl").read_bytes()
    code, out, err = piped("tail", "-", given=given)
    assert (code, err) == (0, "refold: read as codex\n")
    assert "●" in out


def test_bad_lines_are_reported_and_the_exit_code_says_so() -> None:
    code, out, err = piped("tail", "-", given=BASIC.read_bytes() + b"no message\n")
    assert (code, len(out.splitlines())) == (3, 6)
    assert err == "refold: <stdin>, line 16: expected a JSON value at $, got 'no message'\n"


def test_a_file_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str], path: Path
) -> None:
    assert main(["tail", str(path)]) == 2
    assert capsys.readouterr().err == f"refold: {path}: No such file or directory\n"


def test_input_of_no_known_format_is_refused() -> None:
    code, out, err = piped("tail", "-", given=b'{"what": "is this"}\n')
    assert (code, out) == (2, "")
    assert "none of its first 1 records is of a known format" in err


# --- terminals --------------------------------------------------------------------------------


def test_in_a_terminal_what_streams_stands_below_until_it_is_settled(path: Path) -> None:
    stream = lines(STREAM)
    delta = next(at for at, line in enumerate(stream) if b'"delta"' in line and b"hello" in line)
    path.write_bytes(stream[0])
    terminal = InTerminal("tail", path, *QUICK, columns=100)
    terminal.wait_for("0 tokens · context 0")
    append(path, b"".join(stream[1 : delta + 1]))
    terminal.wait_for("I'll create hello")
    append(path, b"".join(stream[delta + 1 :]))
    terminal.wait_for("Done: hello.txt contains hi.\n\n· 2,571 tokens · context 1,511")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.wait() == 130
    screen = [line for line in screen_of(terminal.written) if line]
    assert screen == [
        "✻ The user wants a file. I will write it.",
        "  I'll create hello.txt.",
        "● exec_command  printf hi > hello.txt && cat hello.txt                               allowed · 69 ms",
        "  └ hi",
        "  Done: hello.txt contains hi.",
    ]


def test_a_call_that_runs_is_shown_as_it_runs(path: Path) -> None:
    stream = lines(PENGUIN / "live_streams" / "subagent.ndjson")
    at = next(at for at, line in enumerate(stream) if b'"tool_call_output"' in line)
    path.write_bytes(b"".join(stream[:at]))
    terminal = InTerminal("tail", path, *QUICK)
    terminal.wait_for("○ run_subagent")
    append(path, b"".join(stream[at:]))
    terminal.wait_for("Both helpers reported.")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.wait() == 130
    assert not any("○" in line or "running" in line for line in screen_of(terminal.written))
