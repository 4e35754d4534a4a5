"""A message as it arrives."""

from __future__ import annotations

import pytest

from refold.maps import EMPTY_MAP
from refold.messages import Message, TracePosition, Transport
from refold.reduce.arrival import Arrival, arrive, started_at_ms
from tests.notation import T, at


def test_arriving_is_making_an_arrival() -> None:
    message = Message(payload=T("a"))
    assert arrive(message, 7, EMPTY_MAP) == Arrival(message=message, now_ms=7, decided=EMPTY_MAP)


@pytest.mark.parametrize(
    ("transport", "ms"),
    [
        (None, None),
        (Transport(trace_position=TracePosition(file_index=0, ordinal=1)), None),
        (Transport(started_at="some time"), None),
        (Transport(started_at="2026-07-05T00:00:01.500Z"), at(1.5)),
    ],
)
def test_a_trace_may_say_when_a_fragment_began(transport: Transport | None, ms: int | None) -> None:
    message = Message(payload=T("a"), transport=transport)
    assert started_at_ms(arrive(message, 0, EMPTY_MAP)) == ms
