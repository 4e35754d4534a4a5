"""Faults seen elsewhere and faults found here stay fixed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refold.conformance import run_case
from refold.decode import decode
from refold.laws import check

GOLDEN = Path(__file__).parents[2] / "golden"
VECTORS = [GOLDEN / "faults" / "vectors.jsonl", GOLDEN / "cases" / "vectors.jsonl"]


def _cases(*files: Path) -> list[Any]:
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    return [pytest.param(json.loads(line), id=json.loads(line)["name"]) for line in lines]


@pytest.mark.parametrize("case", _cases(*VECTORS))
def test_a_case_gives_its_view(case: dict[str, Any]) -> None:
    assert run_case(case) is None


@pytest.mark.parametrize("case", _cases(GOLDEN / "cases" / "laws.jsonl"))
def test_every_law_holds_on_a_stream_that_once_broke_one(case: dict[str, Any]) -> None:
    assert check([decode(message) for message in case["messages"]]) == []


@pytest.mark.parametrize("file", [*VECTORS, GOLDEN / "cases" / "laws.jsonl"], ids=str)
def test_names_are_claims_and_differ(file: Path) -> None:
    names = [json.loads(line)["name"] for line in file.read_text("utf-8").splitlines()]
    assert len(set(names)) == len(names)
    assert all(len(name) > 20 for name in names)
