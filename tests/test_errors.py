"""Error messages: what was expected, where, and the value, however large it is."""

from __future__ import annotations

from typing import Any

import pytest

from refold.errors import DecodeError, MissingExtraError, shorten, told


def nest(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": [value]}
    return value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "None"),
        ("a", "'a'"),
        ("x" * 61, f"'{'x' * 60}'…"),
        (b"x" * 61, f"b'{'x' * 60}'…"),
        ([], "[]"),
        ({}, "{}"),
        ({"a": [1, {"b": None}], "c": "d"}, "{'a': [1, {'b': None}], 'c': 'd'}"),
        (list(range(10**6)), f"{str(list(range(40)))[:60]}…"),
        (["y" * 10**7], f"['{'y' * 58}…"),
        ({"y" * 10**7: 1}, f"{{'{'y' * 58}…"),
        (10**5000, "<int>"),
        ([10**5000, 1], "[<int>, 1]"),
        (nest(100_000), "{'a': [{'a': [{'a': …}]}]}"),
        ((1, 2), "(1, 2)"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_any_value_is_shown_in_short(value: Any, shown: str) -> None:
    assert shorten(value) == shown


def test_an_error_names_expectation_path_and_value() -> None:
    error = DecodeError("a string", path="$.a", value=5)
    assert str(error) == "expected a string at $.a, got 5"


def test_an_error_can_be_given_its_place() -> None:
    error = DecodeError("a string", path="$.a", value=5).at(line=3, source="f.jsonl")
    assert str(error) == "f.jsonl, line 3: expected a string at $.a, got 5"
    assert (error.line, error.source, error.path, error.value) == (3, "f.jsonl", "$.a", 5)


def test_a_missing_extra_says_how_to_get_it() -> None:
    assert str(MissingExtraError("the table", "cli")) == (
        "the table needs the extra 'cli': pip install 'refold[cli]'"
    )


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(2, "No such file or directory", "f"), "f: No such file or directory"),
        (OSError("odd"), "odd"),
        (OSError(5, "Input/output error"), "[Errno 5] Input/output error"),
        (DecodeError("a string", value=5), "expected a string at $, got 5"),
    ],
)
def test_an_error_is_told_in_one_line(error: Exception, words: str) -> None:
    assert told(error) == words
