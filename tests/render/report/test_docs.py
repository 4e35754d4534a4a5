"""The documentation of the report: its code runs, and its figures are what the program says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from refold.cli import main

ROOT = Path(__file__).parents[3]
BY_HAND = (ROOT / "docs" / "explanation" / "figures-by-hand.md").read_text("utf-8")
HOW_TO = (ROOT / "docs" / "how-to" / "report.md").read_text("utf-8")


def blocks(text: str, kind: str) -> list[str]:
    """Return the code of the blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def run(text: str) -> dict[str, Any]:
    """Run a page's Python, block by block in one scope."""
    scope: dict[str, Any] = {}
    for block in blocks(text, "python"):
        exec(block, scope)
    return scope


def test_the_figures_by_hand_are_what_the_program_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert len(blocks(BY_HAND, "python")) == 4
    assert "tokens" in run(BY_HAND)


def test_the_how_to_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (command,) = blocks(HOW_TO, "console")
    words = command.removeprefix("$ refold ").split()
    assert main([*words[:-1], str(tmp_path / "out.html")]) == 0
    assert 'id="tool_call:call_a1"' in (tmp_path / "out.html").read_text("utf-8")
    assert run(HOW_TO)["page"].startswith("<!doctype html>")
