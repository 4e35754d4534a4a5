"""Rows for people: the columns that matter, humanised."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refold.analysis import analyse, price_table
from refold.analysis.rows import table_of
from refold.analysis.tables import COLUMNS, By
from refold.messages import Message
from refold.render.rows_table import section_of
from refold.render.text_tables import plain_text
from tests.analysis.streams import golden_stream
from tests.strategies import chaotic_streams, disciplined_streams

KINDS: list[By] = ["session", "task", "request", "tool"]
PRICES = price_table({"deepseek-v4-flash": {"cache_read": 1, "cache_write": 2, "output": 3}})


def test_requests_read_like_this() -> None:
    table = table_of(analyse(golden_stream("parallel_tools"), prices=PRICES), "request", file="t")
    lines = plain_text([section_of(table)], width=130).splitlines()
    assert lines[0] == "3 requests"
    assert lines[3].split() == [
        *("t", "0", "0", "0", "2026-11-30", "19:24:20", "21", "ms", "1", "ms", "0", "ms"),
        *("0", "ms", "15", "ms", "completed", "1,060", "60", "3,000/s", "$0.0021"),
    ]


@pytest.mark.parametrize("by", KINDS)
def test_no_rows_are_an_empty_table(by: By) -> None:
    table = table_of(analyse([]), by)
    assert section_of(table).title in ("0 tasks", "0 requests", "0 tools", "1 session")


@settings(max_examples=40)
@given(st.one_of(disciplined_streams(), chaotic_streams(max_size=40)), st.sampled_from(KINDS))
def test_any_rows_can_be_shown_and_none_is_left_out(messages: list[Message], by: By) -> None:
    table = table_of(analyse(messages, prices=PRICES), by, file="t")
    section = section_of(table)
    assert len(section.rows) == len(table.rows)
    assert all(len(row) == len(section.heads) for row in section.rows)
    assert len(section.heads) <= len(COLUMNS[by])
