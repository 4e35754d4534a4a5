"""The same message comes out of every envelope found in the wild (sources/census.md A12)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from refold.sources.acp.frames import Frame, frame_of
from refold.sources.logs.lines import NO_LOG, Entry, read_entry
from refold.sources.logs.spots import Spot
from tests.sources.acp.wire import said

MESSAGE = said("hi")
AT = "2026-03-26T23:21:16.005Z"


def frame(value: Any) -> Frame | None:
    _, found = read_entry(NO_LOG, value, 1)
    assert isinstance(found, Entry)
    return frame_of(found, None)


@pytest.mark.parametrize(
    ("value", "toward", "timestamp"),
    [
        (MESSAGE, None, None),
        (
            {"dir": "agent->client", "tMs": 1.1, "msg": MESSAGE},
            "client",
            "1970-01-01T00:00:00.001Z",
        ),
        ({"seq": 5, "at": AT, "direction": "outbound", "message": MESSAGE}, "agent", AT),
        ({"ts": AT, "direction": "in", "json": json.dumps(MESSAGE)}, "client", AT),
        ({"type": "event", "timestamp": AT, "data": MESSAGE}, None, AT),
        (
            f"2025-11-14 19:57:12,975 [ 34] FINE - AcpTransport - IN: {json.dumps(MESSAGE)}",
            "client",
            "2025-11-14T19:57:12.975",
        ),
        (f"[12] <- {json.dumps(MESSAGE)}", "client", "1970-01-01T00:00:00.012Z"),
        (f"[12] -> {json.dumps(MESSAGE)}", "agent", "1970-01-01T00:00:00.012Z"),
        ({"outer": 1, "payload": {"at": AT, "message": MESSAGE}}, None, AT),
    ],
)
def test_a_wrapped_message_is_the_message(value: Any, toward: Any, timestamp: Any) -> None:
    spot = Spot(timestamp=timestamp, line=1)
    assert frame(value) == Frame(message=MESSAGE, toward=toward, spot=spot)


@pytest.mark.parametrize(
    "value",
    [
        {"method": "sessionUpdate", "args": [MESSAGE["params"]]},
        {"jsonrpc": "2.0", "method": "session/update", "params": MESSAGE["params"]},
        MESSAGE["params"],
    ],
)
def test_an_update_in_another_form_is_a_notification(value: Any) -> None:
    found = frame(value)
    assert found is not None
    assert (found.message["method"], found.message["params"]) == (
        "session/update",
        MESSAGE["params"],
    )


def test_an_update_that_a_harness_wrote_its_own_way_is_a_notification() -> None:
    found = frame({"time": "00:09", "event": "assistant_message", "data": {"content": "hi"}})
    assert found is not None
    assert found.spot.timestamp == "1970-01-01T00:00:09.000Z"
    assert found.message["params"]["update"] == {
        "sessionUpdate": "agent_message",
        "content": [{"type": "text", "text": "hi"}],
    }


@pytest.mark.parametrize(
    "value", [{}, {"msg": {}}, {"msg": "{"}, {"update": {"version": 2}}, {"a": {"b": MESSAGE}}]
)
def test_an_object_without_a_message_has_no_frame(value: Any) -> None:
    assert frame(value) is None


def test_wrappers_are_opened_only_so_deep() -> None:
    value: Any = MESSAGE
    for _ in range(5):
        value = {"msg": value}
    assert frame(value) is None
