"""Transport extras ride along; they are no part of a message and can't break one."""

from __future__ import annotations

from typing import Any

import pytest

from refold.decode import decode, encode
from refold.errors import DecodeError
from refold.json_values import JsonObject
from refold.messages import MAX_HOPS, Abort, Message, SourcePosition, TracePosition, Transport

ABORT: dict[str, Any] = {"timestamp": "t", "type": "event_msg", "payload": {"type": "abort"}}


@pytest.mark.parametrize(
    ("extras", "transport"),
    [
        ({}, None),
        ({"trace_position": None, "started_at": None, "source": None}, None),
        (
            {"trace_position": {"file_index": 1, "ordinal": 2}},
            Transport(trace_position=TracePosition(file_index=1, ordinal=2)),
        ),
        (
            {"tracePosition": {"fileIndex": 1, "ordinal": 2}},
            Transport(trace_position=TracePosition(file_index=1, ordinal=2)),
        ),
        (
            {
                "trace_position": {"file_index": 0, "ordinal": 1},
                "tracePosition": {"fileIndex": 8, "ordinal": 9},
            },
            Transport(trace_position=TracePosition(file_index=0, ordinal=1)),
        ),
        ({"started_at": "2026-07-05T00:00:00Z"}, Transport(started_at="2026-07-05T00:00:00Z")),
        ({"started_at": "soon"}, Transport(started_at="soon")),
        ({"source": {"format": "acp"}}, Transport(source=SourcePosition(format="acp"))),
        (
            {"source": {"format": "f", "lane": "l", "id": "i", "ordinal": 2, "line": 3, "new": 4}},
            Transport(source=SourcePosition(format="f", lane="l", id="i", ordinal=2, line=3)),
        ),
    ],
)
def test_transport_extras_are_no_part_of_identity(
    extras: dict[str, Any], transport: Transport | None
) -> None:
    message = decode({**ABORT, **extras})
    assert message == decode(ABORT) == Message(payload=Abort(), timestamp="t")
    assert message.transport == transport


@pytest.mark.parametrize(
    "extras",
    [
        {"source": "cli"},
        {"source": {"lane": "l"}},
        {"source": {"format": "f", "line": -1}},
        {"source": {"format": "f", "ordinal": True}},
        {"source": {"format": "f", "id": 5}},
        {"started_at": 5},
        {"trace_position": 7},
        {"trace_position": {"file_index": 0}},
        {"trace_position": {"fileIndex": 0, "ordinal": 0}},
        {"tracePosition": {"fileIndex": 0.5, "ordinal": 0}},
        {"trace_position": [], "source": {}},
    ],
)
def test_one_of_another_shape_is_an_unknown_field(extras: dict[str, Any]) -> None:
    message = decode({**ABORT, **extras})
    assert message.transport is None
    assert set(message.extra) == set(extras)
    assert encode(message) == {**ABORT, **extras}


def test_an_unknown_field_beside_them_is_kept() -> None:
    message = decode({**ABORT, "started_at": "t0", "batch": 1, "source": 5})
    assert message.transport == Transport(started_at="t0")
    assert message.extra == JsonObject({"batch": 1, "source": 5})


def test_what_the_reader_knows_fills_in_what_the_message_leaves_out() -> None:
    place = Transport(source=SourcePosition(format="omni", lane="a", line=9))
    message = decode({**ABORT, "started_at": "t0"}, place=place)
    assert message.transport == Transport(started_at="t0", source=place.source)


def test_an_origin_is_as_long_as_sessions_may_nest() -> None:
    chain = [str(number) for number in range(MAX_HOPS)]
    assert decode({**ABORT, "origin": chain}).origin == tuple(chain)
    with pytest.raises(DecodeError, match=r"at most 64 nested sessions at \$\.origin, got"):
        decode({**ABORT, "origin": [*chain, "one more"]})
