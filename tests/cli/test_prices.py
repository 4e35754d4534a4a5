"""The table of prices on the command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from decimal import Decimal
from pathlib import Path

import pytest

from refold.analysis import Price
from refold.cli import main
from refold.cli.prices import add_prices_argument, prices_of

FILE = str(Path(__file__).parents[2] / "golden" / "analysis" / "inputs" / "parallel_tools.jsonl")


def parsed(*words: str) -> Namespace:
    parser = ArgumentParser()
    add_prices_argument(parser)
    return parser.parse_args(words)


def test_no_table_prices_nothing() -> None:
    assert prices_of(parsed()) is None


def test_a_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text('{"m": {"output": 0.1}}')
    table = prices_of(parsed("--prices", str(path)))
    assert table is not None
    assert table.of(None, "m") == Price(output=Decimal("0.1"))


@pytest.mark.parametrize("command", [["stats"], ["report", "-o", "never.html"]])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, ": No such file or directory"),
        (b"\xff", ": expected UTF-8 at $, got b'\\xff'"),
        (b"prose", ": expected a JSON text at $, got 'prose'"),
        (b'{"m": {"output": "dear"}}', ": expected a decimal from 0 to 10^9 with up to 12 places"),
    ],
)
def test_one_that_is_none_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
    content: bytes | None,
    said: str,
) -> None:
    path = tmp_path / "prices.json"
    if content is not None:
        path.write_bytes(content)
    assert main([*command, FILE, "--prices", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"refold: {path}{said}")
