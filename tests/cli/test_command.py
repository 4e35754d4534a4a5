"""What every subcommand shares: usage, exit codes, closed pipes, ``python -m refold``."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.metadata import version

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
