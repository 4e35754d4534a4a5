"""Fields of foreign records read as the type that was asked for, whatever they hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from refold.json_values import JsonObject
from refold.sources import fields
from tests.sources.strategies_json import json_values


@given(json_values)
def test_every_reading_takes_every_value(value: Any) -> None:
    """Law 3."""
    assert isinstance(fields.text(value), str)
    assert fields.name(value) != ""
    assert isinstance(fields.mapping(value), dict)
    assert isinstance(fields.listing(value), list)
    assert isinstance(fields.position(value), str)
    assert isinstance(fields.frozen_object(value), JsonObject)
    hash(fields.frozen(value))
    fields.moment(value)


@pytest.mark.parametrize(
    ("value", "unit_ms", "expected"),
    [
        (1_783_209_600_000, 1, "2026-07-05T00:00:00.000Z"),
        (1_783_209_600.25, 1000, "2026-07-05T00:00:00.250Z"),
        ("2026-07-05T00:00:00+02:00", 1, "2026-07-05T00:00:00+02:00"),
        ("yesterday", 1, None),
        (True, 1, None),
        (None, 1, None),
        (10**30, 1, None),
        (float("nan"), 1, None),
    ],
)
def test_a_moment_is_a_number_or_a_timestamp(
    value: Any, unit_ms: int, expected: str | None
) -> None:
    assert fields.moment(value, unit_ms) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, "0"), (7, "7"), (-1, "-1"), (True, ""), ("0", ""), (0.0, ""), (None, ""), (1 << 70, "")],
)
def test_a_position_is_an_integer(value: Any, expected: str) -> None:
    assert fields.position(value) == expected


def test_what_nests_too_deep_is_clipped_before_it_is_frozen() -> None:
    value: Any = "deep"
    for _ in range(5000):
        value = [value]
    frozen = fields.frozen(value)
    assert repr(frozen).count("(") == 100
