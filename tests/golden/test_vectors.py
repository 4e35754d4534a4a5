"""Every public golden vector gives the view it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refold.cli import main
from refold.conformance import run_case

VECTORS = Path(__file__).parents[2] / "golden" / "vectors"
FILES = sorted(VECTORS.glob("*.jsonl"))


def _cases() -> list[Any]:
    cases = []
    for file in FILES:
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            cases.append(pytest.param(case, id=case["name"]))
    return cases


@pytest.mark.parametrize("case", _cases())
def test_a_vector_gives_its_views(case: dict[str, Any]) -> None:
    assert run_case(case) is None


def test_conform_says_how_many_passed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", *map(str, FILES)]) == 0
    assert capsys.readouterr().out == "210 passed, 0 failed\n"


def test_conform_says_what_differs_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = json.loads(FILES[0].read_text(encoding="utf-8").splitlines()[0])
    case["view"]["task_open"] = not case["view"]["task_open"]
    del case["steps"][-1]["view"]
    file = tmp_path / "wrong.jsonl"
    file.write_text(json.dumps(case) + "\n", encoding="utf-8")
    assert main(["conform", str(file)]) == 1
    ours, theirs = not case["view"]["task_open"], case["view"]["task_open"]
    difference = f"$.task_open: {ours} or {theirs} (ours, or the case's)"
    assert capsys.readouterr().out.splitlines() == [
        f"{case['name']}: {difference}",
        "0 passed, 1 failed",
    ]
