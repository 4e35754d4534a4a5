"""The documentation of the analysis: its code runs, its reference is what the code says."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from refold.analysis.tables import COLUMNS
from refold.cli import main
from tests.analysis.streams import GOLDEN

ROOT = Path(__file__).parents[2]
MANY = (ROOT / "docs" / "how-to" / "many-traces.md").read_text("utf-8")
BY_HAND = (ROOT / "docs" / "explanation" / "analysis-by-hand.md").read_text("utf-8")
REFERENCE = ROOT / "docs" / "reference" / "rows.md"


def blocks(text: str, kind: str) -> list[str]:
    """Return the code of the blocks whose opening line says just this kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def lay_out(folder: Path) -> None:
    """Lay out what the how-to takes for granted: traces, and a table of prices."""
    (folder / "traces").mkdir()
    for name in GOLDEN:
        shutil.copy(ROOT / "golden" / "analysis" / "inputs" / f"{name}.jsonl", folder / "traces")
    (folder / "prices.json").write_text(blocks(MANY, "json")[0], "utf-8")


def run_commands(folder: Path) -> None:
    """Run the how-to's commands as a shell would."""
    (commands,) = blocks(MANY, "console")
    for command in commands.splitlines():
        words = command.removeprefix("$ refold ").split()
        files = sorted(str(path) for path in folder.glob("traces/*.jsonl"))
        listed = [each for word in words for each in (files if "*" in word else [word])]
        assert main(listed) == 0


def test_the_how_to_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path)
    run_commands(tmp_path)
    assert "Where the time went" in capsys.readouterr().out
    scope: dict[str, Any] = {}
    for block in blocks(MANY, "python"):
        exec(block, scope)
    expected = [
        json.loads((ROOT / f"golden/analysis/expected/{name}.tool.json").read_text("utf-8"))
        for name in GOLDEN
    ]
    ran = [row for rows in expected for row in rows if row["dispatched"]]
    assert sum(calls for _, calls, *_ in scope["slow"]) == len(ran)
    assert sum(run_ms for _, _, run_ms, *_ in scope["slow"]) == sum(row["run_ms"] for row in ran)
    assert [str(day) for day, *_ in scope["costs"]] == ["2026-11-30"]
    assert scope["waiting"]["tasks"].sum() == 8
    assert scope["by_task"]["tools_sum_ms"].sum() <= sum(row["run_ms"] for row in ran)
    assert scope["requests"].num_rows == 3


def test_the_arithmetic_by_hand_is_what_the_analysis_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    scope: dict[str, Any] = {}
    for block in blocks(BY_HAND, "python"):
        exec(block, scope)
    assert "task" in scope


def reference() -> str:
    """Return the reference of all columns, as the code has them."""
    lines = [
        "# Rows",
        "",
        "The columns of `refold stats --by …`, as `--json`, `--csv` and `--parquet` give them. Moments are",
        "Unix milliseconds, durations milliseconds, tokens counts; None (empty in CSV) is unknown. `file` and",
        "`session` name a session; `task`, `request` and `tool` are places in it, from 0.",
    ]
    for by, columns in COLUMNS.items():
        lines += ["", f"## `{by}`", "", "| column | type | meaning |", "|---|---|---|"]
        lines += [f"| `{column.name}` | {column.kind} | {column.meaning} |" for column in columns]
    return "\n".join(lines) + "\n"


def test_the_reference_of_columns_is_what_the_code_says() -> None:
    assert REFERENCE.read_text("utf-8") == reference()
