"""What the documentation shows is what happens: its code runs, its commands print what they say.

Rules of this file:

- A page's blocks run in their order, in one folder that holds nothing but ``golden``.
- In what a command should print, a line ``…`` stands for any lines, and ``…`` at a line's end for
  any end. A command with nothing behind it only has to exit as the block says.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT, Block, blocks, name_of, pages

ELSEWHERE = {
    "docs/how-to/many-traces.md": "tests/analysis/test_docs.py lays out what it takes for granted",
}
TESTED = [page for page in pages() if name_of(page) not in ELSEWHERE]


def with_blocks(kind: str) -> list[Path]:
    """Return the tested pages that have a block of a kind."""
    return [page for page in TESTED if any(each.kind.startswith(kind) for each in blocks(page))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that a reader stands in."""
    (tmp_path / "golden").symlink_to(ROOT / "golden", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [page for page in TESTED if blocks(page)], ids=name_of)
def test_a_page_does_what_it_shows(
    page: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope: dict[str, Any] = {"__name__": "snippet"}
    for block in blocks(page):
        place = f"{name_of(page)}, line {block.line}"
        if block.kind == "python":
            exec(compile("\n" * block.line + block.text, name_of(page), "exec"), scope)
            out = capsys.readouterr().out
            assert block.printed is None or out == block.printed, place
        elif block.kind.startswith("console"):
            run_commands(block, folder, place)


def test_no_kind_of_block_is_a_misspelt_one() -> None:
    kinds = {block.kind for page in pages() for block in blocks(page)}
    known = {"python", "python spark", "console", "text", "sh", "js", "json", "jsonl", "toml"}
    assert {kind for kind in kinds if not re.fullmatch(r"console exits \d", kind)} <= known


def test_pages_left_out_exist() -> None:
    assert all((ROOT / name).exists() for name in ELSEWHERE)


def test_a_wrong_output_is_found() -> None:
    assert fits("a\nb…\n…\nz\n", "a\nbcd\ne\nf\nz\n")
    assert not fits("a\nb\n", "a\nc\n")
    assert not fits("a\n", "a\nb\n")


def run_commands(block: Block, folder: Path, place: str) -> None:
    """Run a block's commands in a shell, and compare where it shows what they print."""
    commands = [each for each in re.split(r"^\$ ", block.text, flags=re.MULTILINE) if each]
    expected = int(block.kind.split()[-1]) if "exits" in block.kind else 0
    for number, text in enumerate(commands, 1):
        command, _, shown = text.partition("\n")
        if not command.startswith("refold "):
            continue
        ran = in_shell(command, folder)
        code = expected if number == len(commands) else 0
        assert ran.returncode == code, f"{place}: {command}\n{ran.stdout}"
        assert not shown or fits(shown, ran.stdout), f"{place}: {command}\n{ran.stdout}"


def in_shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as somebody would who types it."""
    scripts = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "TZ": "UTC",
        "PYTHONUTF8": "1",
    }
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def fits(shown: str, printed: str) -> bool:
    """Tell whether a text is what is shown, whose … stand for anything."""
    pattern = ""
    for line in shown.rstrip("\n").split("\n"):
        if line == "…":
            pattern += r"(?:.*\n)*?"
        elif line.endswith("…"):
            pattern += re.escape(line[:-1].rstrip()) + r".*\n"
        else:
            pattern += re.escape(line.rstrip()) + r"[ ]*\n"
    return re.fullmatch(pattern, f"{printed.rstrip()}\n") is not None
