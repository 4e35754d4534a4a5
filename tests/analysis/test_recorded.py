"""A live capture and the trace of the same session have the same figures (laws.md, law 4)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from refold import record
from refold.analysis import analyse
from refold.analysis.rows import json_rows, table_of
from refold.analysis.tables import COLUMNS, By
from refold.messages import Message
from tests.analysis.streams import golden_stream
from tests.strategies import disciplined_streams

KINDS: list[By] = list(COLUMNS)


def _figures(messages: list[Message], by: By) -> list[dict[str, Any]]:
    """Return rows without the places in the stream: a trace has fewer messages."""
    rows = json_rows(table_of(analyse(messages), by))
    return [
        {name: value for name, value in row.items() if not name.endswith("ordinal")} for row in rows
    ]


@pytest.mark.parametrize("by", KINDS)
@settings(max_examples=30)
@given(disciplined_streams())
def test_a_capture_and_its_trace_have_the_same_figures(by: By, messages: list[Message]) -> None:
    assert _figures(list(record(messages)), by) == _figures(messages, by)


@pytest.mark.parametrize("by", KINDS)
def test_a_recorded_capture_and_its_trace_have_the_same_figures(by: By) -> None:
    live = golden_stream("two_parallel_subagents_live")
    assert _figures(list(record(live)), by) == _figures(live, by)
