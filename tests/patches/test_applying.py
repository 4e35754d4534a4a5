"""Operations applied to documents (RFC 6902, RFC 6901)."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from refold.errors import RefoldError
from refold.patches import PatchError, patch


def _patched(document: Any, *operations: Any) -> Any:
    before = copy.deepcopy(document)
    after = patch(document, operations)
    assert document == before
    return after


@pytest.mark.parametrize(
    ("document", "operation", "after"),
    [
        ({}, {"op": "add", "path": "/a", "value": 1}, {"a": 1}),
        ({"a": 1}, {"op": "add", "path": "/a", "value": 2}, {"a": 2}),
        ([1, 3], {"op": "add", "path": "/1", "value": 2}, [1, 2, 3]),
        ([1], {"op": "add", "path": "/1", "value": 2}, [1, 2]),
        ([1], {"op": "add", "path": "/-", "value": 2}, [1, 2]),
        ({"a": 1}, {"op": "add", "path": "", "value": [7]}, [7]),
        ({"a": 1, "b": 2}, {"op": "remove", "path": "/a"}, {"b": 2}),
        ([1, 2, 3], {"op": "remove", "path": "/1"}, [1, 3]),
        ({"a": [1]}, {"op": "replace", "path": "/a/0", "value": None}, {"a": [None]}),
        ({"a": 1}, {"op": "replace", "path": "", "value": 2}, 2),
        ({"a": {"b": 1}}, {"op": "move", "from": "/a/b", "path": "/c"}, {"a": {}, "c": 1}),
        ([1, 2, 3], {"op": "move", "from": "/0", "path": "/2"}, [2, 3, 1]),
        ([1, 2], {"op": "move", "from": "/0", "path": "/0"}, [1, 2]),
        ({"a": 1}, {"op": "move", "from": "", "path": ""}, {"a": 1}),
        ({"a": [1]}, {"op": "copy", "from": "/a", "path": "/b"}, {"a": [1], "b": [1]}),
        ({"a": 1}, {"op": "test", "path": "/a", "value": 1.0}, {"a": 1}),
        ({"a": {"b": [1]}}, {"op": "test", "path": "/a", "value": {"b": [1]}}, {"a": {"b": [1]}}),
        ({"a": "x"}, {"op": "append", "path": "/a", "value": "yz"}, {"a": "xyz"}),
        ("x", {"op": "append", "path": "", "value": "y"}, "xy"),
        ({"a/b": 1, "m~n": 2}, {"op": "remove", "path": "/a~1b"}, {"m~n": 2}),
        ({"a/b": 1, "m~n": 2}, {"op": "remove", "path": "/m~0n"}, {"a/b": 1}),
        ({"~1": 1}, {"op": "remove", "path": "/~01"}, {}),
        ({"": {"": 1}}, {"op": "replace", "path": "//", "value": 2}, {"": {"": 2}}),
        ({"0": 1}, {"op": "replace", "path": "/0", "value": 2}, {"0": 2}),
    ],
)
def test_an_operation_does_what_its_standard_says(
    document: Any, operation: Any, after: Any
) -> None:
    assert _patched(document, operation) == after


@pytest.mark.parametrize(
    ("document", "operation"),
    [
        ({}, {"op": "remove", "path": "/a"}),
        ({}, {"op": "remove", "path": ""}),
        ({}, {"op": "replace", "path": "/a", "value": 1}),
        ({}, {"op": "add", "path": "/a/b", "value": 1}),
        ([], {"op": "add", "path": "/1", "value": 1}),
        ([1], {"op": "add", "path": "/01", "value": 1}),
        ([1], {"op": "add", "path": "/-1", "value": 1}),
        ([1], {"op": "add", "path": "/1e0", "value": 1}),
        ([1], {"op": "add", "path": "/\u0661", "value": 1}),
        ([1], {"op": "remove", "path": "/-"}),
        ([1], {"op": "replace", "path": "/1", "value": 1}),
        ([1], {"op": "remove", "path": f"/{'9' * 5000}"}),
        ({"a": "x"}, {"op": "add", "path": "/a/0", "value": 1}),
        ({"a": 1}, {"op": "append", "path": "/a", "value": "x"}),
        ({"a": "x"}, {"op": "append", "path": "/a", "value": 1}),
        ({"a": "x"}, {"op": "append", "path": "/b", "value": "y"}),
        ({"a": {}}, {"op": "move", "from": "/a", "path": "/a/b"}),
        ({"a": {}}, {"op": "move", "from": "", "path": "/a"}),
        ({"a": {}}, {"op": "move", "from": "/b", "path": "/b"}),
        ({"a": {}}, {"op": "copy", "from": "/b", "path": "/c"}),
        ({"a": 1}, {"op": "test", "path": "/a", "value": 2}),
        ({"a": 1}, {"op": "test", "path": "/a", "value": True}),
        ({"a": [0]}, {"op": "test", "path": "/a", "value": [False]}),
        ({"a": []}, {"op": "test", "path": "/a", "value": {}}),
        ({"a": 1}, {"op": "test", "path": "/b", "value": 1}),
        ({"a": 1}, {"op": "remove", "path": "a"}),
        ({"~": 1}, {"op": "remove", "path": "/~"}),
        ({"~2": 1}, {"op": "remove", "path": "/~2"}),
        ({"a": 1}, {"op": "add", "path": "/a"}),
        ({"a": 1}, {"op": "remove"}),
        ({"a": 1}, {"op": "remove", "path": 7}),
        ({"a": 1}, {"op": "remove", "path": ["a"]}),
        ({"a": 1}, {"op": "increment", "path": "/a"}),
        ({"a": 1}, {}),
        ({"a": 1}, "remove"),
        ({"a": 1}, None),
        (7, {"op": "remove", "path": "/a"}),
    ],
)
def test_an_operation_that_does_not_fit_is_refused(document: Any, operation: Any) -> None:
    before = copy.deepcopy(document)
    with pytest.raises(PatchError, match="expected an operation that fits the document, got "):
        patch(document, [operation])
    assert document == before


def test_what_comes_before_a_refused_operation_leaves_the_document_alone() -> None:
    document: Any = {"a": [1]}
    with pytest.raises(RefoldError):
        patch(document, [{"op": "add", "path": "/a/-", "value": 2}, {"op": "remove", "path": "/b"}])
    assert document == {"a": [1]}


def test_operations_apply_in_order() -> None:
    operations = [
        {"op": "add", "path": "/a", "value": []},
        {"op": "add", "path": "/a/-", "value": {"b": "x"}},
        {"op": "append", "path": "/a/0/b", "value": "y"},
        {"op": "copy", "from": "/a/0", "path": "/a/-"},
        {"op": "append", "path": "/a/1/b", "value": "z"},
        {"op": "replace", "path": "/a/0/b", "value": "w"},
    ]
    assert _patched({}, *operations) == {"a": [{"b": "w"}, {"b": "xyz"}]}


def test_a_copy_is_apart_from_what_it_was_copied_from() -> None:
    operations = [
        {"op": "replace", "path": "/a/b", "value": [1]},
        {"op": "copy", "from": "/a", "path": "/c"},
        {"op": "add", "path": "/a/b/-", "value": 2},
        {"op": "add", "path": "/c/b/-", "value": 3},
    ]
    assert _patched({"a": {"b": []}}, *operations) == {"a": {"b": [1, 2]}, "c": {"b": [1, 3]}}


def test_the_values_of_operations_stay_as_they_were() -> None:
    value: list[Any] = [1]
    operations = [
        {"op": "add", "path": "/a", "value": value},
        {"op": "add", "path": "/a/-", "value": 2},
    ]
    assert patch({}, operations) == {"a": [1, 2]}
    assert value == [1]


def test_what_a_patch_does_not_touch_is_shared() -> None:
    document: Any = {"a": [1], "b": {"c": [2]}}
    after = patch(document, [{"op": "add", "path": "/b/d", "value": 3}])
    assert after["a"] is document["a"]
    assert after["b"]["c"] is document["b"]["c"]


def test_no_operations_change_nothing() -> None:
    document = {"a": 1}
    assert patch(document, []) is document
