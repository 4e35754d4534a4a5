"""Rows: the same values in every form, with nothing lost on the way."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refold.analysis import analyse, price_table
from refold.analysis.rows import Table, csv_text, joined, json_rows, table_of
from refold.analysis.tables import COLUMNS, By
from refold.messages import Message
from tests.analysis.streams import GOLDEN, at, call, golden_stream, output, user
from tests.strategies import chaotic_streams, disciplined_streams

PRICES = price_table(
    {"deepseek-v4-flash": {"cache_read": "0.028", "cache_write": "0.28", "output": "0.42"}}
)
EXPECTED = Path(__file__).parents[2] / "golden" / "analysis" / "expected"
KINDS: list[By] = ["session", "task", "request", "tool"]


def _column(table: Table, name: str) -> list[Any]:
    place = [column.name for column in table.columns].index(name)
    return [row[place] for row in table.rows]


@pytest.mark.parametrize("by", KINDS)
@pytest.mark.parametrize("stream", GOLDEN)
def test_rows_of_recorded_sessions_are_as_worked_out(stream: str, by: By) -> None:
    rows = json_rows(table_of(analyse(golden_stream(stream), prices=PRICES), by, file=stream))
    assert rows == json.loads((EXPECTED / f"{stream}.{by}.json").read_text("utf-8"))


@pytest.mark.parametrize("by", KINDS)
def test_columns_have_distinct_names_with_units_and_meanings(by: By) -> None:
    columns = COLUMNS[by]
    assert len({column.name for column in columns}) == len(columns)
    assert all(column.meaning for column in columns)
    for column in columns:
        if "ms" in column.meaning.split():
            assert column.name.endswith("_ms")
        if column.meaning.startswith("USD"):
            assert column.name.endswith("_usd")
            assert column.kind == "decimal"


TYPES = {
    "text": str,
    "integer": int,
    "number": float,
    "decimal": Decimal,
    "flag": bool,
}


@settings(max_examples=60)
@given(st.one_of(disciplined_streams(), chaotic_streams(max_size=60)), st.sampled_from(KINDS))
def test_every_value_is_of_its_columns_type(messages: list[Message], by: By) -> None:
    table = table_of(analyse(messages, prices=price_table({"m": {"output": 3}})), by, file="f")
    for row in table.rows:
        for column, value in zip(table.columns, row, strict=True):
            assert value is None or type(value) is TYPES[column.kind]


@settings(max_examples=60)
@given(st.one_of(disciplined_streams(), chaotic_streams(max_size=60)), st.sampled_from(KINDS))
def test_csv_and_json_say_the_same(messages: list[Message], by: By) -> None:
    table = table_of(analyse(messages), by, file='a,"b"\n\ud800')
    rows = json.loads(json.dumps(json_rows(table)))
    read = list(csv.DictReader(io.StringIO(csv_text(table), newline="")))
    assert len(read) == len(rows) == len(table.rows)
    for mine, theirs in zip(rows, read, strict=True):
        assert theirs == {name: _as_cell(value) for name, value in mine.items()}


def _as_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return json.dumps(value)
    return str(value).encode("utf-8", "backslashreplace").decode()


@pytest.mark.parametrize(
    ("price", "cost"), [("0.07", "0.000021"), ("0.070", "0.000021"), ("0", "0"), ("1e9", "300000")]
)
def test_money_is_a_decimal_text_without_padding(price: str, cost: str) -> None:
    prices = {"cache_read": price, "cache_write": 0, "output": 0}
    analysis = analyse(
        golden_stream("forbidden_call"), prices=price_table({"deepseek/deepseek-v4-flash": prices})
    )
    (row,) = json_rows(table_of(analysis, "session"))
    assert (row["cost_usd"], row["unpriced_tokens"]) == (cost, 0)


def test_what_is_unpriced_shows_no_money() -> None:
    analysis = analyse(golden_stream("forbidden_call"), prices=price_table({}))
    (row,) = json_rows(table_of(analysis, "session"))
    assert (row["cost_usd"], row["unpriced_tokens"]) == (None, 2571)


def test_tables_of_many_traces_join() -> None:
    tables = [table_of(analyse(golden_stream(stream)), "tool", file=stream) for stream in GOLDEN]
    together = joined("tool", tables)
    assert _column(together, "file") == [
        stream for stream, table in zip(GOLDEN, tables, strict=True) for _ in table.rows
    ]


def test_parallel_tools_have_lanes_of_their_own() -> None:
    analysis = analyse(
        [
            at(0, user()),
            at(0, call("a")),
            at(10, call("b")),
            at(20, call("refused", stop_reason="failed")),
            at(30, output("a")),
            at(30, call("c")),
            at(40, output("b")),
            at(40, output("c")),
        ]
    )
    assert _column(table_of(analysis, "tool"), "lane") == [0, 1, None, 0]
