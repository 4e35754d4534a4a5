"""``refold conform``: golden cases, run by anyone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refold.cli import main
from tests.cli.running import piped
from tests.render.terminal.showing import GOLDEN

SEED = GOLDEN / "vectors" / "seed.jsonl"


def _case(**fields: object) -> str:
    message = {"type": "model_msg", "payload": {"type": "text", "role": "user", "text": "q"}}
    steps = [{"op": "push", "message": message, "now_ms": 0}]
    return json.dumps({"name": "a case", "steps": steps, **fields})


def test_public_vectors_pass(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(path) for path in sorted(SEED.parent.glob("*.jsonl"))]
    assert main(["conform", *files]) == 0
    assert capsys.readouterr().out == "210 passed, 0 failed\n"


def test_a_case_that_fails_says_what_differs_first(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(f"{_case(view={'items': []})}\n{_case()}\n")
    assert main(["conform", str(path)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("a case: $.items: 1 or 0 elements")
    assert last == "1 passed, 1 failed"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[]", "expected a case: an object with steps"),
        ("{}", "expected a list of steps at $.steps"),
        ("not JSON", "expected a JSON value"),
        ('{"steps": [{"op": "fly"}]}', "$.steps[0]"),
        ('{"steps": [{"op": "push"}]}', "expected a step with 'message' at $.steps[0]"),
        ('{"steps": [{"op": "push", "message": 7}]}', "expected an object"),
        ('{"steps": [7]}', "$.steps[0]"),
    ],
)
def test_what_is_no_case_fails_with_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str, said: str
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(f"{line}\n{_case()}\n")
    assert main(["conform", str(path)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert said in first
    assert last == "1 passed, 1 failed"


def test_cases_come_from_standard_input() -> None:
    code, out, err = piped("conform", "-", given=SEED.read_bytes())
    assert (code, out, err) == (0, "94 passed, 0 failed\n", "")


def test_a_file_that_is_not_there_can_not_be_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "/no/such/file"]) == 2
    assert "/no/such/file" in capsys.readouterr().err


def test_no_cases_at_all_are_a_mistake(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text("")
    assert main(["conform", str(path)]) == 2
    assert capsys.readouterr().out == "0 passed, 0 failed\n"


def test_what_has_no_name_is_told_by_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('no case\n{"steps": 1}\n')
    assert main(["conform", str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{path}, line 1: expected a JSON value at $, got 'no case'",
        f"{path}, line 2: expected a list of steps at $.steps, got 1",
        "0 passed, 2 failed",
    ]


def test_a_file_that_is_not_there_is_named_and_the_others_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(f"{_case()}\n")
    assert main(["conform", "nowhere.jsonl", str(path)]) == 3
    shown = capsys.readouterr()
    assert shown.out == "1 passed, 0 failed\n"
    assert shown.err == "refold: nowhere.jsonl: No such file or directory\n"
