"""Values printed over lines, and arrays of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.decode.documents import json_documents
from refold.errors import DecodeError


def values(text: str) -> list[tuple[int, Any]]:
    return [
        (line, str(value) if isinstance(value, DecodeError) else value)
        for line, value in json_documents(text, name="f.json")
    ]


A, B, C = {"a": 1}, {"b": [{"c": 2}, []]}, {"d": {"e": "[{"}}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (json.dumps([A, B, C]), [1, 1, 1]),
        (json.dumps([A, B, C], indent=2), [2, 5, 13]),
        ("\ufeff" + json.dumps([A, B, C], indent=2), [2, 5, 13]),
        ("\n".join(json.dumps(each, indent=2) for each in (A, B, C)), [1, 4, 12]),
        ("\n".join(map(json.dumps, (A, B, C))), [1, 2, 3]),
        ("\n\n" + "".join(map(json.dumps, (A, B, C))), [3, 3, 3]),
        (json.dumps([A]) + "\n" + json.dumps([B, C]), [1, 2, 2]),
    ],
)
def test_values_come_with_the_line_they_begin_on(text: str, lines: list[int]) -> None:
    assert values(text) == list(zip(lines, [A, B, C], strict=True))


@pytest.mark.parametrize("text", ["", " \n ", "[]", "[\n]"])
def test_nothing_is_nothing(text: str) -> None:
    assert values(text) == []


def test_a_cut_array_gives_its_whole_elements() -> None:
    text = json.dumps([A, B], indent=2)[:-8]
    assert [type(value) for _, value in json_documents(text)] == [dict, DecodeError]


def test_behind_a_bad_element_reading_goes_on() -> None:
    text = json.dumps([A, B, C], indent=2).replace('"c": 2', '"c": oops')
    begin = text.index('{\n    "b"')
    got = f"{text[begin : begin + 60]!r}…"
    assert values(text) == [
        (2, A),
        (5, f"f.json, line 5: expected a JSON value at $, got {got}"),
        (13, C),
    ]


def test_behind_a_bad_value_reading_goes_on() -> None:
    text = json.dumps(A, indent=2)[:-2] + "\n" + json.dumps(B, indent=2)
    assert [(line, type(value)) for line, value in json_documents(text)] == [
        (1, DecodeError),
        (3, dict),
    ]


@pytest.mark.parametrize("text", ["[" * 5000, "[" + "[" * 500 + "]" * 500 + "]"])
def test_nesting_too_deep_is_an_error(text: str) -> None:
    ((line, error),) = json_documents(text)
    assert line == 1
    assert str(error).startswith("line 1: expected at most 128 levels of nesting at $")


def test_hopeless_texts_are_given_up() -> None:
    assert len(values('\n{"a": ' * 10_000)) == 256


@given(st.lists(st.sampled_from([A, B, C]), max_size=5), st.sampled_from([None, 1, 2, "\t"]))
def test_an_array_is_its_elements(elements: list[Any], indent: Any) -> None:
    text = json.dumps(elements, indent=indent)
    assert [value for _, value in json_documents(text)] == elements
