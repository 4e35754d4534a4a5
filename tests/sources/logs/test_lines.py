"""Objects are found in log lines, whole, behind prefixes, or printed over several lines."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from refold.sources.logs.lines import NO_LOG, Entry, Log, Noise, read_entry

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=6), VALUES, min_size=1, max_size=4)


def read_all(values: list[Any]) -> list[Entry | Noise]:
    log, found = NO_LOG, []
    for line, value in enumerate(values, 1):
        log, each = read_entry(log, value, line)
        found += [] if each is None else [each]
    return found


def test_an_object_is_an_entry_at_its_line() -> None:
    assert read_all([{"a": 1}]) == [Entry(value={"a": 1}, line=1)]


def test_an_object_behind_a_prefix_keeps_the_prefix() -> None:
    assert read_all(['12:00 IN: {"a": 1}']) == [Entry(value={"a": 1}, prefix="12:00 IN: ", line=1)]


def test_a_printed_object_is_put_together_and_stands_at_its_first_line() -> None:
    lines = ["[out] {", '  "a": [', "    1", "  ],", '  "b": "}{"', "}"]
    assert read_all(lines) == [Entry(value={"a": [1], "b": "}{"}, prefix="[out] ", line=1)]


@given(st.lists(OBJECTS, max_size=4))
def test_printed_objects_one_after_another_all_come_out(objects: list[dict[str, Any]]) -> None:
    lines = "\n".join([json.dumps(each, indent=2) for each in objects]).split("\n")
    found = read_all([each for each in lines if each])
    assert [each.value for each in found if isinstance(each, Entry)] == objects


def test_a_line_that_a_harness_wrapped_is_that_line() -> None:
    wrapped = {"schema_version": "x.log_line.v1", "content": '[+00:01] {"a": 1}'}
    assert read_all([wrapped]) == [Entry(value={"a": 1}, prefix="[+00:01] ", line=1)]


def test_a_line_of_text_is_noise_and_so_is_a_bare_value() -> None:
    assert read_all(["hello", 7, None, [1]]) == [
        Noise(reason="text_line", text="hello"),
        Noise(reason="no_object"),
        Noise(reason="no_object"),
        Noise(reason="no_object"),
    ]


def test_noise_inside_a_printed_object_is_left_out_of_it() -> None:
    found = read_all(["{", '  "a":', "[err] oops", "  1", "}"])
    assert found == [Noise(reason="text_line", text="[err] oops"), Entry(value={"a": 1}, line=1)]


def test_a_torn_object_is_noise_and_the_next_one_is_read() -> None:
    found = read_all(["{", '  "a":', "}", '{"b": 2}'])
    assert found == [Noise(reason="torn_object", text="}"), Entry(value={"b": 2}, line=4)]


def test_an_object_that_begins_inside_another_takes_its_place() -> None:
    found = read_all(["{", '  "a": 1,', "{", '  "b": 2', "}"])
    assert found == [Entry(value={"b": 2}, line=3)]


def test_numbers_that_are_none_are_no_json() -> None:
    assert read_all(['{"a": NaN}']) == [Noise(reason="text_line", text='{"a": NaN}')]


def test_an_object_too_deep_to_parse_is_noise() -> None:
    deep = '{"a":' * 100_000 + "1" + "}" * 100_000
    assert read_all([deep]) == [Noise(reason="text_line", text=deep)]


@given(st.lists(VALUES | st.text(max_size=30) | OBJECTS.map(json.dumps), max_size=8))
def test_any_record_is_taken(values: list[Any]) -> None:
    log = NO_LOG
    for value in values:
        log, _ = read_entry(log, value, None)
    assert isinstance(log, Log)
