"""What an envelope tells of how its message came."""

from __future__ import annotations

import pytest

from refold.messages import Message, TracePosition, Transport
from refold.reduce.arrival import started_at_ms
from tests.notation import T, at


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
    assert started_at_ms(message) == ms
