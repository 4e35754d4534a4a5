"""What changed between two JSON documents."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.patches import diff, patch
from refold.patches.documents import diff_documents, diff_strings, same

leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(allow_nan=False), st.text(max_size=5)
)
documents = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(documents, documents, st.booleans())
def test_a_diff_leads_from_any_document_to_any_other(one: Any, other: Any, pure: bool) -> None:
    patched = patch(one, diff_documents(one, other, "", pure))
    assert same(patched, other)


@given(documents)
def test_equal_documents_need_no_operation(document: Any) -> None:
    assert diff(document, document) == []


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (0, False), (1, 1.0), ([], {}), ("", None), ([1], [True])]
)
def test_what_python_takes_for_equal_may_differ(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert diff_documents(one, other, "/a", True) != []


def test_each_change_stands_at_its_own_place() -> None:
    before = {"a": [1, {"b": "x"}], "gone": 1, "kept": [2]}
    after = {"a": [1, {"b": "xy"}, 3], "kept": [2], "new": None}
    assert diff_documents(before, after, "", False) == [
        {"op": "remove", "path": "/gone"},
        {"op": "append", "path": "/a/1/b", "value": "y"},
        {"op": "add", "path": "/a/2", "value": 3},
        {"op": "add", "path": "/new", "value": None},
    ]


def test_a_list_gets_shorter_from_its_end() -> None:
    assert diff_documents([1, 2, 3], [1], "", False) == [
        {"op": "remove", "path": "/2"},
        {"op": "remove", "path": "/1"},
    ]


def test_only_a_text_that_grew_is_appended_to() -> None:
    assert diff_strings("ab", "abc", "/t", False) == [{"op": "append", "path": "/t", "value": "c"}]
    assert diff_strings("ab", "ac", "/t", False) == [{"op": "replace", "path": "/t", "value": "ac"}]
    assert diff_strings("", "ab", "/t", False) == [{"op": "replace", "path": "/t", "value": "ab"}]
    assert diff_strings("ab", "abc", "/t", True) == [
        {"op": "replace", "path": "/t", "value": "abc"}
    ]
    assert diff_strings("ab", "ab", "/t", False) == []
