"""Differences between JSON values: the outermost parts that differ, each with its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from refold.differences.values import ABSENT, Difference, Part, compared
from refold.patches.documents import same
from tests.sources.strategies_json import json_values

PART = Part(path="/a", path_b="/b", label="part")


def found(a: Any, b: Any, ignored: str = "") -> list[tuple[str, Any, Any]]:
    differences = compared(PART, a, b, lambda name: name == ignored)
    return [(each.within, each.a, each.b) for each in differences]


@pytest.mark.parametrize(
    ("a", "b", "differences"),
    [
        (1, 1, []),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
        (1, True, [("", 1, True)]),
        (1, 1.0, [("", 1, 1.0)]),
        ({"a": None}, {}, [("/a", None, ABSENT)]),
        ({}, {"a": None}, [("/a", ABSENT, None)]),
        ({"x/y~z": 1}, {"x/y~z": 2}, [("/x~1y~0z", 1, 2)]),
        ([1, 2, 3], [1, 5], [("/1", 2, 5), ("/2", 3, ABSENT)]),
        ({"a": {"b": [1]}}, {"a": {"b": [2]}}, [("/a/b/0", 1, 2)]),
        ({"a": 1}, [1], [("", {"a": 1}, [1])]),
    ],
)
def test_the_parts_that_differ_are_named(
    a: Any, b: Any, differences: list[tuple[str, Any, Any]]
) -> None:
    assert found(a, b) == differences


def test_what_is_ignored_is_ignored_at_any_depth() -> None:
    assert found({"t": 1, "x": [{"t": 2}]}, {"t": 3, "x": [{"t": 4}]}, "t") == []


def test_a_place_is_that_of_its_part_on_each_side() -> None:
    difference = Difference(part=PART, within="/x", a=1, b=2)
    assert (difference.path, difference.path_b) == ("/a/x", "/b/x")


@given(json_values, json_values)
def test_there_is_a_difference_if_and_only_if_they_differ(a: Any, b: Any) -> None:
    assert bool(found(a, b)) == (not same(a, b))
    assert found(a, a) == []


@given(json_values, json_values)
def test_differences_are_the_same_the_other_way_round(a: Any, b: Any) -> None:
    assert sorted(found(a, b), key=repr) == sorted(
        [(within, left, right) for within, right, left in found(b, a)], key=repr
    )
