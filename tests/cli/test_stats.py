"""``refold stats``: tables for people, rows for programs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from refold.cli import main
from tests.analysis.streams import GOLDEN

INPUTS = Path(__file__).parents[2] / "golden" / "analysis" / "inputs"
EXPECTED = Path(__file__).parents[2] / "golden" / "analysis" / "expected"
ALL = [str(INPUTS / f"{name}.jsonl") for name in GOLDEN]


@pytest.fixture
def prices(tmp_path: Path) -> str:
    path = tmp_path / "prices.json"
    path.write_text(
        '{"deepseek-*": {"cache_read": 0.028, "cache_write": 0.28, "output": 0.42}}', "utf-8"
    )
    return str(path)


def test_people_get_tables(capsys: pytest.CaptureFixture[str], prices: str) -> None:
    assert main(["stats", str(INPUTS / "parallel_tools.jsonl"), "--prices", prices]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "cost        $0.0011" in shown.out
    assert "\x1b" not in shown.out


def test_many_files_are_summed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", *ALL, "--width", "120"]) == 0
    shown = capsys.readouterr().out
    assert "5  182 messages" in shown
    assert "Longest traces of 5" in shown


@pytest.mark.parametrize("by", ["session", "task", "request", "tool"])
def test_json_rows_are_the_golden_rows(
    capsys: pytest.CaptureFixture[str], prices: str, by: str
) -> None:
    assert main(["stats", *ALL, "--by", by, "--json", "--prices", prices]) == 0
    rows = json.loads(capsys.readouterr().out)
    expected = [
        row
        for name in GOLDEN
        for row in json.loads((EXPECTED / f"{name}.{by}.json").read_text("utf-8"))
    ]
    assert [{**row, "file": Path(row["file"]).stem} for row in rows] == expected


def test_csv_has_a_row_for_each_session(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", *ALL, "--csv", "--jobs", "2"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [Path(row["file"]).stem for row in rows if row["depth"] == "0"] == GOLDEN


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "tools.parquet"
    assert main(["stats", *ALL, "--by", "tool", "--parquet", str(out)]) == 0
    assert parquet.read_table(out).num_rows == sum(
        len(json.loads((EXPECTED / f"{name}.tool.json").read_text("utf-8"))) for name in GOLDEN
    )


def test_rows_for_people_are_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", ALL[GOLDEN.index("parallel_tools")], "--by", "tool"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "4 tools"
    assert len(lines) == 3 + 4
    assert "460 ms" in lines[3]


def test_what_cant_be_read_is_named_and_the_rest_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("no trace\n")
    assert main(["stats", str(bad), *ALL]) == 3
    shown = capsys.readouterr()
    assert str(bad) in shown.err
    assert "Longest traces of 5" in shown.out


def test_nothing_that_can_be_read_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(tmp_path / "missing")]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("refold: ")


def test_a_bad_price_table_is_an_error_with_its_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"m": {"output": -1}}')
    assert main(["stats", ALL[0], "--prices", str(prices)]) == 2
    assert "at $.m.output, got -1" in capsys.readouterr().err


def test_only_one_form_of_rows_can_be_asked_for() -> None:
    with pytest.raises(SystemExit) as caught:
        main(["stats", ALL[0], "--json", "--csv"])
    assert caught.value.code == 2
