"""Event ids of a stream."""

from __future__ import annotations

import pytest

from refold.live.event_ids import EventId, parse_event_id


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("e-7", EventId(epoch="e", seq=7)),
        ("1719-0", EventId(epoch="1719", seq=0)),
        ("a-b-c-12", EventId(epoch="a-b-c", seq=12)),
        ("e-007", EventId(epoch="e", seq=7)),
        ("--1", EventId(epoch="-", seq=1)),
        ("e-" + "9" * 18, EventId(epoch="e", seq=10**18 - 1)),
    ],
)
def test_an_id_is_an_epoch_and_a_number(text: str, found: EventId) -> None:
    assert parse_event_id(text) == found


@pytest.mark.parametrize(
    "text", [None, "", "7", "e", "e-", "-7", "e-x", "e-1.5", "e-\u0661", "e- 1", "e-" + "9" * 19]
)
def test_anything_else_says_nothing(text: str | None) -> None:
    assert parse_event_id(text) is None
