"""What changed between two versions of a record, field by field."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refold.items import McpTool, Stats, TokenBuckets, ToolCallItem
from refold.json_values import JsonObject
from refold.patches import patch
from refold.patches.fields import diff_values, differ, shown_fields
from refold.records import evolve
from refold.texts import grow, rope
from refold.views import plain

CARD = ToolCallItem(key="tool_call:1", tool_call_id="1", output=rope("x"))

_TEXTS = st.one_of(
    st.none(),
    st.text("ab", max_size=3),
    st.text("ab", max_size=3).map(rope),
    st.text("ab", max_size=3).map(lambda text: grow(rope("a"), text)),
)
_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, 2),
    st.floats(0, 2),
    st.text("ab", max_size=3),
    st.tuples(st.text("ab", max_size=1)),
    st.sampled_from([TokenBuckets(output=1), TokenBuckets(), McpTool(name="a")]),
    st.sampled_from([JsonObject({"a": 1}), JsonObject({"a": True, "b": ()})]),
)


def _diff(old: Any, new: Any, *, pure: bool = False) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = []
    diff_values(old, new, "/f", pure, operations)
    return operations


def _member(value: Any) -> dict[str, Any]:
    return {} if value is None else {"f": plain(value)}


@given(st.one_of(st.tuples(_TEXTS, _TEXTS), st.tuples(_VALUES, _VALUES)), st.booleans())
def test_any_value_of_a_field_leads_to_any_other(values: tuple[Any, Any], pure: bool) -> None:
    old, new = values
    assume(old is not new)
    operations = _diff(old, new, pure=pure)
    patched = patch(_member(old), operations)
    assert repr(patched) == repr(_member(new))
    assert not (pure and "append" in {each["op"] for each in operations})


@pytest.mark.parametrize(
    ("old", "new", "operation"),
    [
        (None, 1, {"op": "add", "path": "/f", "value": 1}),
        (None, rope("ab"), {"op": "add", "path": "/f", "value": "ab"}),
        (1, None, {"op": "remove", "path": "/f"}),
        (1, 2, {"op": "replace", "path": "/f", "value": 2}),
        (1, True, {"op": "replace", "path": "/f", "value": True}),
        ("a", "ab", {"op": "append", "path": "/f", "value": "b"}),
        (rope("a"), grow(rope("a"), "b"), {"op": "append", "path": "/f", "value": "b"}),
        ("a", grow(rope("a"), "b"), {"op": "append", "path": "/f", "value": "b"}),
        (rope("a"), "ab", {"op": "append", "path": "/f", "value": "b"}),
        (rope("a"), "b", {"op": "replace", "path": "/f", "value": "b"}),
        (("a",), ("a", "b"), {"op": "add", "path": "/f/1", "value": "b"}),
        (
            TokenBuckets(),
            TokenBuckets(output=1),
            {"op": "replace", "path": "/f/output", "value": 1},
        ),
    ],
)
def test_a_value_that_differs_is_one_operation(
    old: Any, new: Any, operation: dict[str, Any]
) -> None:
    assert _diff(old, new) == [operation]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (10**9, int("1000000000")),
        (str(b"ab", "ascii"), "ab"),
        (rope("ab"), "ab"),
        (rope("a"), rope("a")),
    ],
)
def test_equal_values_need_none(old: Any, new: Any) -> None:
    assert _diff(old, new) == []


def test_only_the_fields_that_are_named_are_compared() -> None:
    after = evolve(CARD, decision="allow", output_complete=True)
    operations: list[dict[str, Any]] = []
    differ({"decision": "said"})(CARD, after, "/x", False, operations)
    assert operations == [{"op": "add", "path": "/x/said", "value": "allow"}]


def test_operations_are_put_behind_those_that_are_there() -> None:
    operations = [{"op": "remove", "path": "/first"}]
    differ({"name": "name"})(CARD, evolve(CARD, name="ls"), "", False, operations)
    assert [each["path"] for each in operations] == ["/first", "/name"]


def test_fields_are_shown_by_their_names_in_json() -> None:
    names = shown_fields(ToolCallItem, "key")
    assert names["_output"] == "output"
    assert set(names) == {field.name for field in attrs.fields(ToolCallItem)} - {"key"}
    assert set(shown_fields(Stats)) == {field.name for field in attrs.fields(Stats)}
