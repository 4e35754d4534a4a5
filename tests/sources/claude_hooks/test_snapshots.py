"""What a status line's snapshot says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from refold.sources.claude_hooks.snapshots import Snapshot, read_snapshot, usage
from tests.sources.claude_hooks.strategies import any_json

FLAT = {
    "context_window_size": 1_000_000,
    "current_usage": {"input_tokens": 6, "output_tokens": 50, "cache_read_input_tokens": 900},
    "total_cost_usd": 0.42,
    "model": "claude-opus-4-8",
}


def test_a_snapshot_tells_context_tokens_and_cumulative_cost() -> None:
    found = read_snapshot(FLAT)
    assert found is not None
    assert dict(usage(found)) == {
        "context_window": 1_000_000,
        "context_tokens": 906,
        "input_tokens": 6,
        "output_tokens": 50,
        "cumulative_cost_usd": 0.42,
        "model": "claude-opus-4-8",
    }


def test_without_a_cost_there_is_no_cost_key() -> None:
    found = read_snapshot({name: value for name, value in FLAT.items() if name != "total_cost_usd"})
    assert found is not None and "cumulative_cost_usd" not in usage(found)


def test_the_clients_own_nested_shape_says_the_same() -> None:
    nested = {
        "context_window": {**FLAT, "used_percentage": 12.5},
        "cost": {"total_cost_usd": 0.42},
        "model": {"id": " claude-opus-4-8 ", "display_name": "Opus"},
    }
    assert read_snapshot(nested) == Snapshot(
        window=1_000_000,
        input=6,
        cache_read=900,
        output=50,
        used_percent=12.5,
        cost=0.42,
        model="claude-opus-4-8",
    )


@pytest.mark.parametrize(
    ("cost", "told"),
    [
        *[(0.5, 0.5), (0, 0.0), (-1.0, None), (True, None), ("x", None), (None, None)],
        *[(float("nan"), None), (float("inf"), None), (10**400, None)],
    ],
)
def test_a_cost_is_a_number_of_at_least_0(cost: Any, told: float | None) -> None:
    found = read_snapshot({**FLAT, "total_cost_usd": cost})
    assert found is not None and found.cost == told


def test_a_snapshot_without_a_window_still_tells_its_cost_and_model() -> None:
    assert read_snapshot({"total_cost_usd": 1, "model": "m"}) == Snapshot(cost=1.0, model="m")


@pytest.mark.parametrize("tokens", [None, True, -1, "6", 1.5])
def test_input_tokens_that_are_no_count_are_not_known(tokens: Any) -> None:
    found = read_snapshot({**FLAT, "current_usage": {"input_tokens": tokens}})
    assert found is not None and found.input is None


def test_what_is_no_snapshot_says_nothing() -> None:
    assert read_snapshot({"type": "result", "total_cost_usd": 1}) is None
    assert read_snapshot({"model": "m"}) is None
    assert read_snapshot({}) is None and read_snapshot(None) is None


@given(any_json)
def test_reading_any_json_never_raises(value: Any) -> None:
    assert read_snapshot(value) is None
    assert read_snapshot({**FLAT, "current_usage": value, "model": value}) is not None
