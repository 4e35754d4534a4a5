"""JSON values that can't change: equal by structure, hashable, and back again the same."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.json_values import EMPTY, JsonObject, freeze, thaw

_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda each: (
        st.lists(each, max_size=4) | st.dictionaries(st.text(max_size=3), each, max_size=4)
    ),
    max_leaves=12,
)


def _all_within(value: Any) -> list[Any]:
    if isinstance(value, JsonObject):
        return [value, *[inner for each in value.values() for inner in _all_within(each)]]
    if isinstance(value, tuple):
        return [value, *[inner for each in value for inner in _all_within(each)]]
    return [value]


@given(_JSON)
def test_what_is_frozen_thaws_to_what_it_was(value: Any) -> None:
    assert thaw(freeze(value)) == value
    assert repr(thaw(freeze(value))) == repr(value)


@given(_JSON)
def test_nothing_within_a_frozen_value_can_change(value: Any) -> None:
    kinds = {type(each) for each in _all_within(freeze(value))}
    assert kinds <= {JsonObject, tuple, str, int, float, bool, type(None)}


@given(_JSON, _JSON)
def test_frozen_values_are_equal_and_hashed_as_the_plain_ones_are(one: Any, other: Any) -> None:
    assert (freeze(one) == freeze(other)) is (one == other)
    if one == other:
        assert hash(freeze(one)) == hash(freeze(other))


@given(_JSON)
def test_a_frozen_value_is_its_own_copy(value: Any) -> None:
    frozen = freeze(value)
    assert freeze(thaw(frozen)) == frozen
    assert pickle.loads(pickle.dumps(frozen)) == frozen


def test_the_order_of_keys_is_kept_and_does_not_matter() -> None:
    one, other = freeze({"a": 1, "b": [2]}), freeze({"b": [2], "a": 1})
    assert one == other
    assert hash(one) == hash(other)
    assert list(thaw(one)) == ["a", "b"]
    assert list(thaw(other)) == ["b", "a"]


def test_freezing_does_not_hold_on_to_what_was_frozen() -> None:
    plain: dict[str, Any] = {"a": [1], "b": {}}
    frozen = freeze(plain)
    plain["a"].append(2)
    plain["b"]["c"] = 3
    plain["d"] = 4
    assert thaw(frozen) == {"a": [1], "b": {}}


def test_thawing_gives_a_value_of_its_own() -> None:
    frozen = freeze({"a": [1]})
    thaw(frozen)["a"].append(2)
    assert thaw(frozen) == {"a": [1]}


def test_an_object_is_a_mapping_that_takes_no_item() -> None:
    made: Any = JsonObject({"a": 1})
    assert (dict(made), len(made), "a" in made, made.get("b", 7)) == ({"a": 1}, 1, True, 7)
    with pytest.raises(TypeError):
        made["a"] = 2
    with pytest.raises(KeyError, match="b"):
        made["b"]
    assert JsonObject({}) == EMPTY
    assert len(EMPTY) == 0


def test_an_object_equals_no_dict_and_no_list() -> None:
    assert JsonObject({}) != {}
    assert freeze([]) != []
    assert repr(JsonObject({"a": 1})) == "JsonObject({'a': 1})"
