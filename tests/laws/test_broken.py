"""Where two JSON values differ first."""

from __future__ import annotations

from typing import Any

import pytest

from refold.laws.broken import first_difference


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({"a": 1}, {"a": 2}, "$.a: 1 or 2"),
        ({"a": 1}, {}, "$.a: only the first has it: 1"),
        ({}, {"b": None}, "$.b: only the second has it: None"),
        ({"a": [1, {"b": "x"}]}, {"a": [1, {"b": "y"}]}, "$.a[1].b: 'x' or 'y'"),
        ([1], [1, 2], "$: 1 or 2 elements"),
        ([1], {"0": 1}, "$: [1] or {'0': 1}"),
        (1, True, "$: 1 or True"),
        ("x" * 200, "y", f"$: '{'x' * 60}'… or 'y'"),
    ],
)
def test_the_first_difference_is_named_with_its_path(one: Any, other: Any, found: str) -> None:
    assert first_difference(one, other) == found


@pytest.mark.parametrize("value", [{"a": [1, None, "x"]}, [], 1.5, None, ""])
def test_equal_values_do_not_differ(value: Any) -> None:
    assert first_difference(value, value) is None


def test_numbers_are_compared_by_value() -> None:
    assert first_difference({"a": 1}, {"a": 1.0}) is None
