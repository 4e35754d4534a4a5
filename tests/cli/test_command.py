"""What every subcommand shares: usage, exit codes, closed pipes, ``python -m refold``."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

from refold.cli import main
from refold.cli.command import SUBCOMMANDS
from tests.cli.running import environment, piped
from tests.render.terminal.showing import penguin


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"refold {version('refold')}\n"


def test_python_m_refold_is_the_command() -> None:
    code, out, _ = piped("--version")
    assert (code, out) == (0, f"refold {version('refold')}\n")


@pytest.mark.parametrize(
    "words", [[], ["no-such-command"], ["json"], ["conform"], ["json", "--no"]]
)
def test_wrong_usage_is_told_and_has_its_own_code(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.startswith("usage: refold")) == ("", True)


@pytest.mark.parametrize("command", ["json", "record", "convert", "verify", "show", "conform"])
def test_a_file_that_is_not_there_is_one_line(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, "/no/such/file.jsonl"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("refold: ")
    assert "/no/such/file.jsonl" in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_says_what_it_does(capsys: pytest.CaptureFixture[str], name: str) -> None:
    module = import_module(f"refold.cli.{name}")
    assert {"add_arguments", "run"} <= set(module.__all__)
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: refold {name}")


def test_help_lists_every_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in SUBCOMMANDS)


@pytest.mark.parametrize("words", [["json", "--indent", "1"], ["record"], ["show"]])
def test_a_closed_pipe_is_no_traceback(words: list[str]) -> None:
    """The reader goes away before anything is written."""
    ran = subprocess.Popen(
        [sys.executable, "-m", "refold", *words, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert ran.stdout is not None
    ran.stdout.close()
    ran.stdout = None
    _, said = ran.communicate(penguin("bigout").read_bytes() * 50, timeout=60)
    assert (ran.returncode, said) == (0, b"")


def run_by_a_shell(line: str) -> tuple[int, str, str]:
    ran = subprocess.run(
        ["bash", "-c", line, "bash", sys.executable, str(penguin("deny"))],
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
        encoding="utf-8",
    )
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [("show -", 2), ("tail -", 2), ("json -", 2), ("stats -", 2), ("conform -", 2)],
)
def test_a_closed_standard_input_holds_nothing(words: str, code: int) -> None:
    shown = run_by_a_shell(f'"$1" -m refold {words} <&-')
    assert (shown[0], "Traceback" in shown[2]) == (code, False)


@pytest.mark.parametrize("streams", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["show", "json", "stats", "verify", "record"])
def test_a_closed_output_takes_everything(words: str, streams: str) -> None:
    code, _, told = run_by_a_shell(f'"$1" -m refold {words} "$2" {streams}')
    assert (code, told) == (0, "")


@pytest.mark.parametrize("words", ["show", "json", "record", "convert", "stats", "verify", "tail"])
def test_a_named_pipe_is_read_once(words: str) -> None:
    piped_in = run_by_a_shell(f'"$1" -m refold {words} <(cat "$2")')
    assert piped_in[0] == 0
    given = run_by_a_shell(f'"$1" -m refold {words} - < "$2"')
    assert len(piped_in[1].splitlines()) == len(given[1].splitlines()) > 0


def test_two_named_pipes_are_compared() -> None:
    code, told, _ = run_by_a_shell('"$1" -m refold diff <(cat "$2") <(cat "$2")')
    assert (code, told) == (0, "no differences\n")


def test_a_diagnostic_is_one_harmless_line_whatever_a_file_is_called(tmp_path: Path) -> None:
    path = tmp_path / "a\nb\x1b[31m.jsonl"
    path.write_bytes(penguin("deny").read_bytes() + b"no JSON\n")
    code, _, told = piped("json", path)
    assert code == 3
    assert told.endswith("a b␛[31m.jsonl, line 17: expected a JSON value at $, got 'no JSON'\n")
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("interval", ["-1", "nan", "1e99", "soon"])
def test_an_interval_that_is_none_is_wrong_usage(interval: str) -> None:
    code, _, told = piped("tail", f"--interval={interval}", "-", given=b"")
    assert (code, "Traceback" in told) == (2, False)
