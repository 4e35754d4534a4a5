"""The strict converter, on types that no message has by itself."""

from __future__ import annotations

from typing import Any

import pytest

from refold.decode.converter import structure
from refold.decode.values import ABSENT
from refold.errors import DecodeError
from refold.messages import TokenCounts, ToolDescription


@pytest.mark.parametrize(
    ("value", "cls", "expected"),
    [
        ("a", str, "a"),
        (None, str | None, None),
        (2.0, int, 2),
        (["a", "b"], tuple[str, ...], ("a", "b")),
        ([], tuple[ToolDescription, ...], ()),
        ({"total": None}, TokenCounts, TokenCounts()),
    ],
)
def test_what_a_type_says_is_structured(value: Any, cls: Any, expected: object) -> None:
    assert structure(value, cls, "$") == expected


@pytest.mark.parametrize(
    ("value", "cls", "text"),
    [
        (ABSENT, str, "expected a string at $.x, got nothing"),
        (5, str | None, "expected a string at $.x, got 5"),
        (("a",), tuple[str, ...], "expected a list at $.x, got ('a',)"),
        ("ab", tuple[str, ...], "expected a list at $.x, got 'ab'"),
        ([["a"], ["a", 1]], tuple[tuple[str, ...], ...], "expected a string at $.x[1][1], got 1"),
        (
            [{"name": "a"}, {"name": "b", "new": {"deep": object}}],
            tuple[ToolDescription, ...],
            "expected a JSON value at $.x[1].new, got <class 'object'>",
        ),
    ],
)
def test_what_it_doesnt_say_is_refused_with_its_path(value: Any, cls: Any, text: str) -> None:
    with pytest.raises(DecodeError) as caught:
        structure(value, cls, "$.x")
    assert str(caught.value) == text
