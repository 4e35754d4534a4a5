"""OmniMessages as a source."""

from __future__ import annotations

from typing import Any

import pytest

from refold.decode import decode
from refold.messages import SourcePosition, Transport
from refold.sources.omni import SOURCE
from refold.sources.source import Record

ABORT: dict[str, Any] = {"timestamp": "t", "type": "event_msg", "payload": {"type": "abort"}}


@pytest.mark.parametrize(
    "values",
    [
        [ABORT],
        [{"anything": 1}, "prose", ABORT],
        [{"type": "model_msg", "payload": {"type": "text", "role": "user", "text": "a"}}],
        [{"type": "session_meta", "payload": {"session_id": "s"}}],
        [
            {
                "type": "session_meta",
                "payload": {"session_id": "s", "agent_state": "/a", "tools": []},
            }
        ],
    ],
)
def test_one_listed_payload_tells_the_format(values: list[Any]) -> None:
    assert SOURCE.recognises(values)


@pytest.mark.parametrize(
    "values",
    [
        [],
        [None, "prose", 5, []],
        [{"type": "event_msg", "payload": {"type": "agent_message", "message": "codex"}}],
        [{"type": "session_meta", "payload": {"id": "codex", "cwd": "/w"}}],
        [{"type": "session_meta", "payload": {"session_id": "codex", "cwd": "/w"}}],
        [{"type": "response_item", "payload": {"type": "message"}}],
        [{"type": "user", "message": {"role": "user", "content": "claude"}}],
    ],
)
def test_other_formats_that_share_the_envelope_are_not_taken(values: list[Any]) -> None:
    assert not SOURCE.recognises(values)


def test_a_record_is_its_message_with_its_place() -> None:
    state, messages = SOURCE.step(SOURCE.start(), Record(value=ABORT, line=3, lane="f"), None)
    assert messages == (decode(ABORT),)
    place = SourcePosition(format="omni", lane="f", line=3)
    assert messages[0].transport == Transport(source=place)
    assert (SOURCE.counts(state), SOURCE.finish(state)) == ({}, ())


def test_what_is_no_message_is_counted() -> None:
    state = SOURCE.start()
    for value in [{"type": "event_msg"}, "prose", None, {1: 2}]:
        state, messages = SOURCE.step(state, Record(value=value), None)
        assert messages == ()
    assert SOURCE.counts(state) == {"undecodable": 4}
