"""Timestamps are read to whole milliseconds, or are unknown; none is ever filled in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.times import format_ms, parse_ms

_START = 1_783_209_600_000  # 2026-07-05T00:00:00Z
_HOUR = 3_600_000
_FIRST = -62_135_596_800_000  # 0001-01-01T00:00Z
_LAST = 253_402_300_799_999  # 9999-12-31T23:59:59.999Z
_DAY = 24 * _HOUR - 60_000

_READABLE = {
    "2026-07-05T00:00:00Z": 0,
    "2026-07-05T00:00:01.250Z": 1250,
    # Digits past the millisecond are cut, never rounded.
    "2026-07-05T00:00:00.0009Z": 0,
    "2026-07-05T00:00:00.1239999Z": 123,
    "2026-07-05T00:00:00.999999999Z": 999,
    "2026-07-05T00:00:00.5Z": 500,
    "2026-07-05T00:00:00,5Z": 500,
    # Any offset is legal; none is UTC.
    "2026-07-05T02:00:00+02:00": 0,
    "2026-07-04T18:30:00-05:30": 0,
    "2026-07-05T02:00:00+0200": 0,
    "2026-07-05T02:00:00+02": 0,
    "2026-07-05T00:00:00+00:00": 0,
    "2026-07-05T00:00:00": 0,
    "2026-07-05 00:00:01": 1000,
    "2026-07-05T00:00": 0,
    "2026-07-05T01": _HOUR,
    # The basic format, weeks and ordinal days.
    "20260705T000001Z": 1000,
    "20260705T000001.250Z": 1250,
    "2026-W27-7T00:00:00Z": 0,
    "2026W277T000000Z": 0,
    "2026-186T00:00:00Z": 0,
}

_UNREADABLE = [
    # A date alone is no time.
    "2026-07-05",
    "20260705",
    "2026-W27-7",
    "2026-186",
    "2026-07",
    "2026",
    # No clock shows these.
    "2026-07-05T24:00",
    "2026-07-05T24:00:00Z",
    "2026-07-05T24:00:00.000+02:00",
    "2026-07-05 24:00:00",
    "20260705T240000Z",
    "20260705T24Z",
    "2026-W27-7T24:00:00Z",
    "2026-186T24:00:00Z",
    "2026-07-05T00:00:60Z",
    "2026-06-30T23:59:60Z",
    "2026-07-05T25:00:00Z",
    "2026-07-05T00:60:00Z",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    # No calendar has these years.
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "+012026-07-05T00:00:00Z",
    "-2026-07-05T00:00:00Z",
    # What dateutil.parser.parse would fill in today for.
    "",
    " ",
    "now",
    "yesterday",
    "10:00",
    "T10:00:00Z",
    "July",
    "Sunday",
    "5 July 2026 00:00:00",
    "1783209600",
    "1783209600000",
    "2026-07-05T00:00:00Z" * 1000,
    "9" * 10_000,
    "\ud800",
]


@pytest.mark.parametrize("timestamp", _READABLE)
def test_what_iso_8601_says_is_read(timestamp: str) -> None:
    assert parse_ms(timestamp) == _START + _READABLE[timestamp]


@pytest.mark.parametrize("timestamp", _UNREADABLE, ids=lambda each: ascii(each[:30]))
def test_what_says_no_time_is_unknown(timestamp: str) -> None:
    assert parse_ms(timestamp) is None


def test_no_timestamp_is_unknown() -> None:
    assert parse_ms(None) is None


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        ("1969-12-31T23:59:59.9991Z", -1),
        ("1969-12-31T23:59:59.9999Z", -1),
        ("0001-01-01T00:00:00Z", _FIRST),
        ("9999-12-31T23:59:59.999999Z", _LAST),
        ("0001-01-01T00:00:00+23:59", _FIRST - _DAY),
        ("9999-12-31T23:59:59.999-23:59", _LAST + _DAY),
    ],
)
def test_times_in_front_of_the_epoch_and_at_the_ends_of_the_calendar(
    timestamp: str, expected: int
) -> None:
    assert parse_ms(timestamp) == expected


@given(
    st.datetimes(timezones=st.just(UTC)),
    st.integers(-23 * 60, 23 * 60).map(lambda minutes: timedelta(minutes=minutes)),
)
def test_an_offset_says_how_far_the_clock_is_from_utc(moment: datetime, offset: timedelta) -> None:
    ms = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    minutes = round(abs(offset).total_seconds()) // 60
    sign = "-" if offset < timedelta(0) else "+"
    written = moment.replace(tzinfo=None).isoformat(timespec="microseconds")
    shift = round(offset.total_seconds() * 1000)
    assert parse_ms(f"{written}{sign}{minutes // 60:02}:{minutes % 60:02}") == ms - shift
    assert parse_ms(written) == ms


@given(st.integers(_FIRST - _DAY, _LAST + _DAY))
def test_what_is_written_is_read_back(ms: int) -> None:
    assert parse_ms(format_ms(ms)) == ms


@pytest.mark.parametrize("ms", [_FIRST - _DAY, _FIRST - 1, _FIRST, -1, 0, _LAST, _LAST + 1])
def test_the_ends_of_what_can_be_written_are_read_back(ms: int) -> None:
    assert parse_ms(format_ms(ms)) == ms


def test_a_time_is_written_in_utc_with_milliseconds() -> None:
    assert format_ms(_START + 1250) == "2026-07-05T00:00:01.250Z"
    assert format_ms(-1) == "1969-12-31T23:59:59.999Z"


@pytest.mark.parametrize("ms", [_FIRST - _DAY - 1, _LAST + _DAY + 1, 10**30, -(10**30)])
def test_a_moment_that_no_timestamp_says_is_refused(ms: int) -> None:
    with pytest.raises(OverflowError):
        format_ms(ms)


@given(st.text(max_size=70) | st.text("0123456789-:.TZW+ ", max_size=40))
def test_no_text_is_an_error(text: str) -> None:
    found = parse_ms(text)
    assert found is None or _FIRST - 2 * _DAY < found < _LAST + 2 * _DAY
