"""A recorded event stream is read in any of its three shapes, and one bad record costs itself only."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.errors import DecodeError
from refold.sources.event_streams import END_OF_STREAM, event_records
from refold.sources.source import Record

_JSON_LEAVES = st.none() | st.booleans() | st.integers() | st.text()
_EVENTS = st.lists(
    st.dictionaries(st.text(), _JSON_LEAVES | st.lists(_JSON_LEAVES), min_size=1), min_size=1
)


def values(*chunks: bytes | str) -> list[Any]:
    return [each.value for each in event_records(chunks) if isinstance(each, Record)]


def outcomes(text: str) -> list[tuple[int | None, Any]]:
    return [
        (each.line, "error" if isinstance(each, DecodeError) else each.value)
        for each in event_records([text])
    ]


@given(_EVENTS, st.sampled_from(["", "\ufeff"]), st.data())
def test_every_shape_of_the_same_events_gives_the_same_records(
    events: list[dict[str, Any]], mark: str, draw: st.DataObject
) -> None:
    lines = "\n".join(json.dumps(each) for each in events)
    framed = "".join(f"data: {json.dumps(each)}\n\n" for each in events)
    shapes = [lines, json.dumps(events), json.dumps(events, indent=2), framed]
    for shape in shapes:
        whole = (mark + shape).encode()
        cut = draw.draw(st.integers(0, len(whole)))
        assert values(whole[:cut], whole[cut:]) == events


def test_lines_are_numbered_in_every_shape() -> None:
    assert outcomes('\n{"a":1}\n\n{"b":2}') == [(2, {"a": 1}), (4, {"b": 2})]
    assert outcomes('\n[\n {"a":1},\n {"b":\n2}\n]\n') == [(3, {"a": 1}), (4, {"b": 2})]
    assert outcomes('event: x\ndata: {"a":1}\n\ndata: {"b":2}\n\n') == [
        (1, {"type": "x", "a": 1}),
        (4, {"b": 2}),
    ]


def test_a_bad_line_is_an_error_with_its_line_and_reading_goes_on() -> None:
    assert outcomes('{"a":1}\n{"b":\n{"c":3}') == [(1, {"a": 1}), (2, "error"), (3, {"c": 3})]
    assert outcomes("data: no\n\ndata: 1\n\n") == [(1, "error"), (3, 1)]


def test_objects_glued_on_a_line_are_split() -> None:
    assert outcomes('{"a":1}\n{"b":2}{"c":3} {"d":4}x') == [
        (1, {"a": 1}),
        (2, {"b": 2}),
        (2, {"c": 3}),
        (2, {"d": 4}),
        (2, "error"),
    ]


def test_a_torn_array_gives_what_is_whole() -> None:
    assert outcomes('[\n{"a":1},\n{"b":2},\n{"c"') == [(2, {"a": 1}), (3, {"b": 2}), (4, "error")]


def test_a_torn_first_line_costs_itself_only() -> None:
    assert outcomes('{"a":\n{"b":2}\n') == [(1, "error"), (2, {"b": 2})]


def test_an_object_printed_over_lines_is_one_record() -> None:
    assert outcomes('{\n "x": [\n  {"a": 1}\n ]\n}\n') == [(1, {"x": [{"a": 1}]})]


@pytest.mark.parametrize("text", ["data: [DONE]\n\n", "[DONE]\n", '{"a":1}\n[DONE]'])
def test_the_end_of_a_stream_is_a_record(text: str) -> None:
    assert values(text)[-1] == END_OF_STREAM


def test_an_event_without_a_type_takes_the_name_of_its_frame() -> None:
    assert values('event: ping\ndata: {}\n\nevent: a\ndata: {"type":"b"}\n\n') == [
        {"type": "ping"},
        {"type": "b"},
    ]


@pytest.mark.parametrize(
    "text",
    ['{"a":NaN}', "data: NaN\n\n", "[" * 200_000, '{"a":' * 200_000, "data: " + "[" * 200_000],
)
def test_hostile_json_is_an_error(text: str) -> None:
    assert [value for _, value in outcomes(text)] == ["error"]


def test_an_error_shows_little_of_what_it_refuses() -> None:
    (error,) = event_records(["data: " + "x" * 10_000 + "\n\n"])
    assert len(str(error)) < 200


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff", ": only a comment\n\n", "data:\n\n"])
def test_nothing_is_no_record(text: str) -> None:
    assert outcomes(text) == []


@given(st.lists(st.binary()))
def test_any_bytes_can_be_read(chunks: list[bytes]) -> None:
    """Law 3."""
    list(event_records(chunks))
