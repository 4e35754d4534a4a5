"""What nests too deep is cut at the same depth everywhere, the rest is left alone."""

from __future__ import annotations

from typing import Any

from refold.sources.depth import clipped


def test_a_value_that_fits_is_the_same_object() -> None:
    value = {"a": [1, {"b": None}]}
    assert clipped(value, 3) is value


def test_what_nests_deeper_is_an_ellipsis() -> None:
    assert clipped({"a": [1, {"b": None}]}, 2) == {"a": [1, "…"]}
    assert clipped([[]], 1) == ["…"]
    assert clipped("text", 0) == "text"


def test_depth_is_no_matter_of_the_stack() -> None:
    value: Any = 0
    for _ in range(200_000):
        value = {"a": value}
    cut, levels = clipped(value), 0
    while isinstance(cut, dict):
        cut, levels = cut["a"], levels + 1
    assert (cut, levels) == ("…", 100)
