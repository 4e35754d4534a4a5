"""Times of logs become ISO 8601, or unknown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.sources.logs.clocks import absolute, elapsed, prefixed, started
from refold.times import parse_ms

START_MS = 1_783_221_819_916


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-07-05T03:23:39.916Z", "2026-07-05T03:23:39.916Z"),
        ("2025-11-14 19:57:12,975", "2025-11-14T19:57:12.975"),
        (1_783_224_376_656, "2026-07-05T04:06:16.656Z"),
        (1_783_224_376, "2026-07-05T04:06:16.000Z"),
        (1_783_224_376.5, "2026-07-05T04:06:16.500Z"),
        ("[trimmed]", None),
        ("00:05", None),
        (0, None),
        (1320.1, None),
        (True, None),
        (None, None),
        (float("nan"), None),
        (float("inf"), None),
        (10**40, None),
    ],
)
def test_an_absolute_time_is_kept_and_anything_else_unknown(value: Any, expected: Any) -> None:
    assert absolute(value) == expected


@pytest.mark.parametrize(
    ("value", "start_ms", "expected"),
    [
        (1320.1, None, "1970-01-01T00:00:01.320Z"),
        ("00:05", None, "1970-01-01T00:00:05.000Z"),
        ("00:09", START_MS, "2026-07-05T03:23:48.916Z"),
        ("+01:02:03.5", None, "1970-01-01T01:02:03.500Z"),
        (-1, None, None),
        (True, None, None),
        ("soon", None, None),
        (float("nan"), None, None),
        ({}, None, None),
    ],
)
def test_a_time_since_the_start_stands_behind_the_start(
    value: Any, start_ms: int | None, expected: Any
) -> None:
    assert elapsed(value, start_ms) == expected


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        (
            "2025-11-14 19:57:12,975 [     34]   FINE - AcpTransport - OUT: ",
            "2025-11-14T19:57:12.975",
        ),
        ("[+00:07] [stdout] ", "1970-01-01T00:00:07.000Z"),
        ("[1320] <- ", "1970-01-01T00:00:01.320Z"),
        ("[12.5 ms] -> ", "1970-01-01T00:00:00.012Z"),
        ("[1.2.3] ", None),
        ("IN: ", None),
        ("", None),
    ],
)
def test_a_prefix_gives_its_time(prefix: str, expected: str | None) -> None:
    assert prefixed(prefix, None) == expected


def test_a_header_line_tells_when_the_log_started() -> None:
    assert started("# started: 2026-07-05T03:23:39.916Z") == START_MS
    assert started("# attempt: 1") is None
    assert started("# started: soon") is None


@given(st.integers() | st.floats() | st.text() | st.booleans())
def test_what_comes_out_is_a_readable_time_or_none(value: Any) -> None:
    for found in (absolute(value), elapsed(value, None), prefixed(str(value), 5)):
        assert found is None or parse_ms(found) is not None
