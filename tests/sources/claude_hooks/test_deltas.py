"""Reading delta records: all four fields, of their types, or none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from refold.sources.claude_hooks.deltas import Delta, read_delta
from tests.sources.claude_hooks.strategies import any_json

GOOD = {"message_id": "m1", "index": 0, "final": False, "delta": "Hello "}


def test_each_delta_passes_with_all_four_fields() -> None:
    assert read_delta(GOOD) == Delta(message_id="m1", index=0, final=False, text="Hello ")
    assert read_delta({**GOOD, "index": 1, "final": True, "later": 1}) == Delta(
        message_id="m1", index=1, final=True, text="Hello "
    )


@pytest.mark.parametrize(
    "change",
    [
        {"message_id": ""},
        {"message_id": 3},
        {"index": True},
        {"index": -1},
        {"index": 1.0},
        {"final": 0},
        {"final": None},
        {"delta": None},
        {"delta": ["x"]},
    ],
)
def test_a_field_of_the_wrong_type_makes_it_no_delta(change: dict[str, Any]) -> None:
    assert read_delta({**GOOD, **change}) is None


@pytest.mark.parametrize("missing", list(GOOD))
def test_a_missing_field_makes_it_no_delta(missing: str) -> None:
    assert read_delta({name: value for name, value in GOOD.items() if name != missing}) is None


@given(any_json)
def test_reading_any_json_never_raises(value: Any) -> None:
    assert read_delta(value) is None
