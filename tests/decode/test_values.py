"""Single values, checked strictly."""

from __future__ import annotations

from typing import Any

import pytest

from refold.decode.values import HUGE, count, frozen, frozen_object, remainder, string
from refold.errors import DecodeError
from refold.json_values import EMPTY, JsonObject, thaw


@pytest.mark.parametrize("value", [0, 1, 10**30, HUGE - 1])
def test_whole_numbers_are_counts(value: int) -> None:
    assert count(value) == value


@pytest.mark.parametrize("value", [True, False, -1, 0.5, "1", None, [], float("inf"), -HUGE])
def test_anything_else_is_no_count(value: Any) -> None:
    with pytest.raises(DecodeError, match="expected a whole number of at least 0"):
        count(value)


def test_a_count_that_cant_be_written_is_refused() -> None:
    with pytest.raises(DecodeError, match="expected an integer of at most 4000 digits"):
        count(HUGE)


@pytest.mark.parametrize("value", [5, None, b"a", ["a"]])
def test_only_strings_are_strings(value: Any) -> None:
    with pytest.raises(DecodeError, match="expected a string"):
        string(value)


@pytest.mark.parametrize(
    "value", [None, True, 1, -1.5, "a", [1, [2]], {"a": {"b": [None]}}, [], {}]
)
def test_json_is_frozen_and_thaws_to_itself(value: Any) -> None:
    assert thaw(frozen(value)) == value


@pytest.mark.parametrize(
    "value", [float("nan"), float("-inf"), (), {1}, b"", object(), {"a": [()]}]
)
def test_what_isnt_json_isnt_frozen(value: Any) -> None:
    with pytest.raises(DecodeError, match="expected a JSON value"):
        frozen(value)


def test_only_objects_are_objects() -> None:
    assert frozen_object({"a": [1]}) == JsonObject({"a": (1,)})
    with pytest.raises(DecodeError, match="expected an object"):
        frozen_object([])


def test_the_remainder_of_an_object_is_what_isnt_known() -> None:
    assert remainder({"a": 1, "b": [2]}, frozenset("a")) == JsonObject({"b": (2,)})
    assert remainder({"a": 1}, frozenset("a")) is EMPTY
