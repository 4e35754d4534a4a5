"""The public names are typed, as a program that uses them sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

SAMPLE = Path(__file__).parent / "sample.py"


def test_a_typed_program_is_accepted_and_a_wrong_one_refused(tmp_path: Path) -> None:
    """Marks of what is wrong are themselves wrong where the checker has nothing to say."""
    api = pytest.importorskip("mypy.api")
    options = ["--strict", "--warn-unused-ignores", "--follow-imports=silent"]
    told, failed, code = api.run([*options, "--cache-dir", str(tmp_path), str(SAMPLE)])
    assert (told.splitlines()[-1:], failed, code) == (
        ["Success: no issues found in 1 source file"],
        "",
        0,
    ), told
