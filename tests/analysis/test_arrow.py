"""Arrow and Parquet: the same values, typed."""

from __future__ import annotations

import sys
from decimal import Decimal
from pathlib import Path

import pytest

from refold.analysis import analyse, price_table
from refold.analysis.arrow import ColumnError, arrow_schema, arrow_table, write_parquet
from refold.analysis.rows import table_of
from refold.analysis.tables import COLUMNS, By
from refold.errors import MissingExtraError
from tests.analysis.streams import GOLDEN, at, golden_stream, meta, usage, user

parquet = pytest.importorskip("pyarrow.parquet")

PRICES = price_table({"m": {"cache_write": "1e9", "output": "0.000000000001"}})
KINDS: list[By] = ["session", "task", "request", "tool"]


@pytest.mark.parametrize("by", KINDS)
@pytest.mark.parametrize("stream", GOLDEN)
def test_parquet_gives_back_every_value(stream: str, by: By, tmp_path: Path) -> None:
    table = table_of(analyse(golden_stream(stream)), by, file=stream)
    path = tmp_path / "rows.parquet"
    write_parquet(table, path)
    read = parquet.read_table(path)
    assert read.schema.equals(arrow_schema(COLUMNS[by]), check_metadata=False)
    assert [tuple(row.values()) for row in read.to_pylist()] == list(table.rows)


def test_columns_say_what_they_mean() -> None:
    schema = arrow_schema(COLUMNS["tool"])
    assert schema.field("run_ms").metadata == {b"meaning": b"ms it ran"}


def test_money_is_exact() -> None:
    analysis = analyse([at(0, meta()), at(0, user()), at(0, usage(0, 3, 1, 4))], prices=PRICES)
    (row,) = arrow_table(table_of(analysis, "session")).to_pylist()
    assert row["cost_usd"] == Decimal("3000.000000000000000001")


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (2**63, "expected 64 bits in column cache_write_tokens, got about 9.223e+18"),
        (
            10**18,
            "expected at most 20 digits before the point in column cost_usd, got about 1.000e+21",
        ),
    ],
)
def test_what_a_column_cant_hold_is_an_error_with_its_name(tokens: int, message: str) -> None:
    stream = [at(0, meta()), at(0, user()), at(0, usage(0, tokens, 0, tokens))]
    with pytest.raises(ColumnError) as caught:
        arrow_table(table_of(analyse(stream, prices=PRICES), "session"))
    assert str(caught.value) == message


def test_lone_surrogates_are_escaped() -> None:
    (row,) = arrow_table(table_of(analyse([at(0, user("\ud800"))]), "task")).to_pylist()
    assert row["label"] == "\\ud800"


def test_without_pyarrow_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'refold\[arrow\]'"):
        arrow_table(table_of(analyse([]), "session"))
