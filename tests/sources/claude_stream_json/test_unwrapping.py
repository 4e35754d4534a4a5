from __future__ import annotations

from typing import Any

import pytest

from refold.sources.claude_stream_json.state import Entry
from refold.sources.claude_stream_json.unwrapping import entries_of, is_known, plain
from refold.sources.source import Record

SAID = {"type": "assistant", "message": {"content": []}}


def test_a_record_is_an_object() -> None:
    assert entries_of(Record(value=SAID)) == (Entry(value=SAID),)


def test_an_array_is_its_records() -> None:
    assert entries_of(Record(value=[SAID, {"type": "user"}])) == (
        Entry(value=SAID),
        Entry(value={"type": "user"}),
    )


@pytest.mark.parametrize("noise", ["[DEBUG] log line", 7, None, True, 1.5])
def test_what_is_no_object_is_noise(noise: Any) -> None:
    assert entries_of(Record(value=noise)) == (None,)
    assert entries_of(Record(value=[noise, SAID, [SAID]])) == (None, Entry(value=SAID), None)


def test_a_wrapper_is_the_record_in_it_at_its_time() -> None:
    wrapped = {"type": "assistant", "timestamp": "2026-01-01T00:00:00Z", "data": SAID}

    assert plain(wrapped) is SAID
    assert entries_of(Record(value=wrapped)) == (Entry(value=SAID, at="2026-01-01T00:00:00Z"),)


def test_a_record_with_a_field_named_data_is_no_wrapper() -> None:
    record = {"type": "user", "message": {}, "data": SAID}

    assert plain(record) is record
    assert plain({"type": "x", "data": {"type": "unheard_of"}}) == {
        "type": "x",
        "data": {"type": "unheard_of"},
    }


def test_the_records_own_time_goes_first_and_an_unreadable_one_is_none() -> None:
    inner = {**SAID, "timestamp": "2026-01-01T00:00:01Z"}
    outer = {"type": "x", "timestamp": "2026-01-01T00:00:00Z", "data": inner}

    assert entries_of(Record(value=outer))[0] == Entry(value=inner, at="2026-01-01T00:00:01Z")
    unreadable = {**SAID, "timestamp": "yesterday"}
    assert entries_of(Record(value=unreadable))[0] == Entry(value=unreadable, at=None)


@pytest.mark.parametrize(
    ("lane", "outbound"), [("out", True), ("in", False), (None, None), ("x", None)]
)
def test_the_lane_tells_the_direction(lane: str | None, outbound: bool | None) -> None:
    assert entries_of(Record(value=SAID, lane=lane)) == (Entry(value=SAID, outbound=outbound),)


def test_only_types_of_the_run_are_known() -> None:
    assert is_known(SAID)
    assert not is_known({"type": "message_start"})
    assert not is_known({"type": ["assistant"]})
