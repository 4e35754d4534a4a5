"""Lines read with the ``fast`` extra and without are the same messages."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest
from hypothesis import example, given, settings

from refold.decode.generated import HOT
from refold.decode.messages import decode
from refold.decode.typed import decode_line, line_decoder, line_reader
from refold.errors import DecodeError
from refold.messages import Message, RequestBegin, SourcePosition, ToolListReady, Transport
from tests.decode.strategies import envelopes, faulty_envelopes

msgspec = pytest.importorskip("msgspec")

FAST, PLAIN = line_decoder(), line_decoder(fast=False)
DELTA = (
    '{"timestamp": "2026-07-05T00:00:00.000Z", "type": "model_msg", "payload": '
    '{"type": "partial_text", "role": "assistant", "event_type": "delta", "text": "a"}}'
)
USAGE = '{"type":"event_msg","payload":{"type":"token_usage","session":{},"request":{"total":%s}}}'


def _outcome(decoder: Any, line: str | bytes) -> tuple[object, ...]:
    try:
        message = decoder(line)
    except DecodeError as error:
        return (str(error),)
    return message, message.transport, repr(message)


@settings(max_examples=150)
@given(envelopes)
def test_both_readers_make_the_same_of_a_message(envelope: dict[str, Any]) -> None:
    for line in (json.dumps(envelope), json.dumps(envelope).encode()):
        assert _outcome(FAST, line) == _outcome(PLAIN, line)


@settings(max_examples=300)
@given(faulty_envelopes.map(lambda value: json.dumps(value, default=str)))
@example(DELTA.replace('"text": "a"', '"text": "a", "text": "b"'))
@example(DELTA.replace('"text": "a"', '"text": 1, "text": "b"'))
@example(DELTA.replace('"type": "model_msg"', '"type": "event_msg"'))
@example(DELTA.replace('"type": "model_msg"', '"type": "model_msg", "type": "event_msg"'))
@example(DELTA.replace('"a"}', r'"\ud83d"}'))
@example(DELTA.replace('"a"}', '"a", "stop_reason": null, "fidelity": {"a": 1}}'))
@example(DELTA.replace('"timestamp"', '"future": [1], "timestamp"'))
@example(DELTA.replace('"timestamp"', '"origin": null, "timestamp"'))
@example(DELTA.replace('"timestamp"', f'"origin": {json.dumps(["a"] * 64)}, "timestamp"'))
@example(DELTA.replace('"timestamp"', f'"origin": {json.dumps(["a"] * 65)}, "timestamp"'))
@example(DELTA.replace('"timestamp": "2026-07-05T00:00:00.000Z", ', ""))
@example(f" {DELTA}\r")
@example(f"{DELTA} {DELTA}")
@example(DELTA[:-1])
@example("")
@example(USAGE % "-0")
@example(USAGE % "-1")
@example(USAGE % "1.0")
@example(USAGE % "true")
@example(USAGE % str(2**63))
@example(USAGE % str(10**4001))
def test_both_readers_say_the_same_of_anything(line: str) -> None:
    assert _outcome(FAST, line) == _outcome(PLAIN, line)


def test_every_frequent_kind_of_strings_and_counts_is_read_into_a_struct() -> None:
    reader = line_reader()
    for cls in HOT:
        required = [each.name for each in attrs.fields(cls) if each.default is attrs.NOTHING]
        fields: dict[str, Any] = dict.fromkeys(required, "x")
        if cls.kind == "token_usage":
            fields = {"session": {"total": 1}, "request": {"output": 2}}
        if cls is ToolListReady:
            fields = {"tools": []}
        payload = {"type": cls.kind, **fields}
        value = {"timestamp": "t", "type": cls.category, "payload": payload, "origin": ["s"]}
        read = reader.parse(json.dumps(value))
        assert isinstance(read, msgspec.Struct) is (cls is not ToolListReady), cls
        assert reader.message_of(read) == decode(value)


def test_the_place_of_a_line_becomes_that_of_its_message() -> None:
    reader = line_reader()
    place = Transport(source=SourcePosition(format="omni", lane="a.jsonl", line=3))
    assert reader.message_of(reader.parse(DELTA), place=place).transport is place
    assert reader.message_of(json.loads(DELTA), place=place).transport is place


def test_a_line_is_decoded_from_text_and_from_bytes() -> None:
    line = '{"timestamp": "t", "type": "event_msg", "payload": {"type": "request_begin"}}'
    message = Message(payload=RequestBegin(), timestamp="t")
    assert (decode_line(line), decode_line(line.encode())) == (message, message)


def test_what_is_no_message_is_refused_with_its_path() -> None:
    with pytest.raises(DecodeError, match=r"\$\.payload\.text"):
        decode_line(DELTA.replace('"text": "a"', '"text": 1'))
