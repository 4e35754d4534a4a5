"""JSON Patch on frozen values (RFC 6902): the standard's cases, totality, and bounds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.json_values import JsonObject, freeze, thaw
from refold.sources.json_patch import patched
from tests.sources.strategies_json import json_values


def after(document: Any, *operations: Any) -> Any:
    result = patched(freeze(document), list(operations))
    return thaw(result.document) if result.applied else "refused"


def op(kind: str, path: str, **fields: Any) -> dict[str, Any]:
    return {"op": kind, "path": path, **fields}


@pytest.mark.parametrize(
    ("document", "operations", "expected"),
    [
        # RFC 6902, appendix A
        ({"foo": "bar"}, [op("add", "/baz", value="qux")], {"baz": "qux", "foo": "bar"}),
        (
            {"foo": ["bar", "baz"]},
            [op("add", "/foo/1", value="qux")],
            {"foo": ["bar", "qux", "baz"]},
        ),
        ({"baz": "qux", "foo": "bar"}, [op("remove", "/baz")], {"foo": "bar"}),
        ({"foo": ["bar", "qux", "baz"]}, [op("remove", "/foo/1")], {"foo": ["bar", "baz"]}),
        ({"baz": "qux"}, [op("replace", "/baz", value="boo")], {"baz": "boo"}),
        (
            {"foo": {"bar": "baz", "waldo": "fred"}, "qux": {"corge": "grault"}},
            [{"op": "move", "from": "/foo/waldo", "path": "/qux/thud"}],
            {"foo": {"bar": "baz"}, "qux": {"corge": "grault", "thud": "fred"}},
        ),
        (
            {"foo": ["all", "grass", "cows", "eat"]},
            [{"op": "move", "from": "/foo/1", "path": "/foo/3"}],
            {"foo": ["all", "cows", "eat", "grass"]},
        ),
        (
            {"baz": "qux", "foo": ["a", 2, "c"]},
            [op("test", "/baz", value="qux"), op("test", "/foo/1", value=2)],
            {"baz": "qux", "foo": ["a", 2, "c"]},
        ),
        ({"baz": "qux"}, [op("test", "/baz", value="bar")], "refused"),
        (
            {"foo": "bar"},
            [op("add", "/child", value={"grandchild": {}})],
            {"foo": "bar", "child": {"grandchild": {}}},
        ),
        ({"foo": "bar"}, [op("add", "/baz", value="qux", xyz=123)], {"foo": "bar", "baz": "qux"}),
        ({"foo": "bar"}, [op("add", "/baz/bat", value="qux")], "refused"),
        ({"/": 9, "~1": 10}, [op("test", "/~01", value=10)], {"/": 9, "~1": 10}),
        (
            {"foo": ["bar"]},
            [op("add", "/foo/-", value=["abc", "def"])],
            {"foo": ["bar", ["abc", "def"]]},
        ),
        # the whole document, escapes, indices
        ({"a": 1}, [op("replace", "", value=[1])], [1]),
        ({"a": 1}, [op("remove", "")], None),
        ({"a/b": 1}, [op("replace", "/a~1b", value=2)], {"a/b": 2}),
        ({"a": [1]}, [{"op": "copy", "from": "/a", "path": "/b"}], {"a": [1], "b": [1]}),
        ([1, 2], [op("replace", "/01", value=0)], "refused"),
        ([1, 2], [op("replace", "/2", value=0)], "refused"),
        ([1, 2], [op("add", "/2", value=3)], [1, 2, 3]),
        ([1, 2], [op("add", "/3", value=3)], "refused"),
        ([1, 2], [op("replace", "/-", value=3)], "refused"),
        ([1], [op("remove", "/" + "9" * 5000)], "refused"),
        ({"a": 1}, [op("replace", "/b", value=3)], "refused"),
        ({"a": 1}, [op("remove", "/b")], "refused"),
        ({"a": 1}, [op("add", "/b")], "refused"),
        ({"a": 1}, [op("add", "b", value=1)], "refused"),
        ({"a": 1}, [op("append", "/a", value=1)], "refused"),
        ({"a": {"b": 1}}, [{"op": "move", "from": "/a", "path": "/a/b"}], "refused"),
        ({"a": 1}, [op("replace", "/a", value=2), op("remove", "/nope")], "refused"),
        ("text", [op("add", "/0", value=1)], "refused"),
    ],
)
def test_a_patch_does_what_the_standard_says(document: Any, operations: Any, expected: Any) -> None:
    assert after(document, *operations) == expected


@pytest.mark.parametrize("operations", [None, {}, "x", 5, [None], [[]], [{}], [{"op": []}]])
def test_what_is_no_patch_is_refused(operations: Any) -> None:
    document = JsonObject({"a": 1})
    result = patched(document, operations)
    assert (result.document, result.applied) == (document, False)


_OPERATIONS = st.lists(
    st.fixed_dictionaries(
        {"op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"])},
        optional={
            "path": st.sampled_from(["", "/a", "/a/0", "/a/-", "/id", "/text/a"]) | json_values,
            "from": st.sampled_from(["", "/a", "/id"]) | json_values,
            "value": json_values,
        },
    ),
    max_size=6,
)


@given(json_values, _OPERATIONS)
def test_any_patch_gives_a_document(document: Any, operations: list[Any]) -> None:
    """Law 3; and a refused patch leaves the document as it was."""
    before = freeze(document)
    result = patched(before, operations)
    hash(result.document)
    assert result.applied or result.document is before


def test_what_a_patch_does_not_touch_is_shared() -> None:
    before = freeze({"a": {"x": [1]}, "b": {"y": 1}})
    result = patched(before, [op("add", "/b/z", value=2)])
    assert isinstance(before, JsonObject)
    assert isinstance(result.document, JsonObject)
    assert result.document["a"] is before["a"]


def test_a_document_can_not_be_doubled_for_ever() -> None:
    result = patched(freeze({"a": [1] * 10}), [])
    for number in range(60):
        copy = {"op": "copy", "from": "", "path": f"/{number}"}
        result = patched(result.document, [copy], result.copied)
    assert result.copied <= 1_000_000
    assert not result.applied


def test_a_document_can_not_be_nested_for_ever() -> None:
    result = patched(freeze({"a": {}}), [])
    path = ""
    for _ in range(200):
        path += "/a"
        result = patched(result.document, [op("add", path, value={})])
    assert not result.applied
    assert repr(result.document).count("JsonObject") <= 101
