"""``refold report``: a page in a file, and what couldn't be read named beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from refold.cli import main
from tests.render.report.pages import parsed

GOLDEN = Path(__file__).parents[2] / "golden"
PARALLEL = str(GOLDEN / "analysis" / "inputs" / "parallel_tools.jsonl")
SHARDS = sorted(map(str, (GOLDEN / "penguin" / "inputs").glob("compact__*.jsonl")))


def report(tmp_path: Path, *words: str) -> tuple[int, str]:
    path = tmp_path / "out.html"
    code = main(["report", *words, "-o", str(path)])
    return code, path.read_text("utf-8")


def test_a_page_is_written_and_its_size_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, markup = report(tmp_path, PARALLEL)
    said = capsys.readouterr()
    assert (code, said.out) == (0, "")
    assert said.err.startswith(f"refold: {tmp_path / 'out.html'}: 8 items, ")
    assert said.err.endswith(" bytes\n")
    assert "filesparallel_tools.jsonl" in parsed(markup).text


def test_a_page_goes_to_standard_output_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", PARALLEL, "-o", "-"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("<!doctype html>\n")
    assert said.err.startswith("refold: -: 8 items")


def test_several_files_are_one_session(tmp_path: Path) -> None:
    _, markup = report(tmp_path, *reversed(SHARDS))
    assert f"files{', '.join(Path(each).name for each in SHARDS)}" in parsed(markup).text


def test_prices_are_optional(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"deepseek-*": {"cache_read": 0.028, "cache_write": 0.28, "output": 0.42}}')
    assert "cost$0.0011" in parsed(report(tmp_path, PARALLEL, "--prices", str(prices))[1]).text
    assert "cost" not in parsed(report(tmp_path, PARALLEL)[1]).text


def test_the_title_may_be_given(tmp_path: Path) -> None:
    _, markup = report(tmp_path, PARALLEL, "--title", "Ours & theirs")
    assert "<title>Ours &amp; theirs</title>" in markup


def test_long_outputs_are_cut_unless_the_whole_is_asked_for(tmp_path: Path) -> None:
    trace = tmp_path / "long.jsonl"
    text = "x" * 300_000
    trace.write_text(
        '{"timestamp":"2026-07-05T00:00:00Z","type":"model_msg","payload":'
        f'{{"type":"text","role":"assistant","text":"{text}"}}}}\n'
    )
    assert len(report(tmp_path, str(trace))[1]) < 200_000
    assert text in report(tmp_path, str(trace), "--whole")[1]


def test_what_can_t_be_read_is_named_and_the_rest_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "torn.jsonl"
    trace.write_text(Path(PARALLEL).read_text("utf-8") + '{"type": "model_msg", "payl')
    code, markup = report(tmp_path, str(trace))
    assert code == 3
    assert "torn.jsonl" in capsys.readouterr().err.splitlines()[0]
    assert "exec_command" in markup


def test_a_file_that_isn_t_there_leaves_no_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path / "none.jsonl"), "-o", str(tmp_path / "out.html")]) == 2
    assert not (tmp_path / "out.html").exists()
    assert "none.jsonl" in capsys.readouterr().err
