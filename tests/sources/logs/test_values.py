"""Fields are read whatever they hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from refold.messages import Notice, SourcePosition, Transport
from refold.sources.logs.spots import Spot, sketched, stamped
from refold.sources.logs.values import compact, first, first_text, number, objects


def test_the_first_name_that_holds_something_counts() -> None:
    assert first({"a": None, "b": 0, "c": 1}, "a", "b", "c") == 0
    assert first({}, "a") is None
    assert first_text({"a": 1, "b": "", "c": "x"}, "a", "b", "c") == "x"
    assert first_text({"a": 1}, "a") is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [(3, 3), (3.0, 3), (3.5, None), (-1, None), (True, None), ("3", None), (None, None)],
)
def test_a_count_is_a_whole_number_from_0(value: Any, expected: int | None) -> None:
    assert number(value) == expected


def test_the_objects_of_a_list_are_its_objects() -> None:
    assert objects([{"a": 1}, 2, None, [{}]]) == [{"a": 1}]
    assert objects({"a": 1}) == []


def test_compact_text_reads_back_and_keeps_the_order_of_names() -> None:
    value = {"b": ["é", 1.5, None], "a": {}}
    assert compact(value) == '{"b":["é",1.5,null],"a":{}}'
    assert json.loads(compact(value)) == value


def test_compact_text_of_a_value_of_any_depth_is_bounded() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert len(compact(deep)) < 1000


def test_sketches_become_messages_that_say_where_they_come_from() -> None:
    first_spot, spot = Spot(timestamp="t1", line=3), Spot(timestamp="t2", line=9)
    said = sketched(Notice(name="n"), spot, "m", first_spot)
    (message,) = stamped([said], source="acp", lane="s", origin=("s",))
    assert (message.timestamp, message.origin) == ("t2", ("s",))
    assert message.transport == Transport(
        started_at="t1", source=SourcePosition(format="acp", lane="s", id="m", ordinal=0, line=3)
    )
