"""The way back: what was decoded is encoded as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from refold.decode import decode, encode, encode_line
from refold.decode.json_lines import json_lines
from refold.decode.messages import decode_strictly
from refold.errors import DecodeError
from refold.json_values import JsonObject
from refold.messages import (
    Abort,
    Message,
    Text,
    TokenCounts,
    TokenUsage,
    TracePosition,
    Transport,
    UnknownPayload,
)
from tests.decode.strategies import envelopes

PENGUIN = Path(__file__).parents[2] / "golden" / "penguin" / "inputs"
RECORDED = sorted(each for each in PENGUIN.rglob("*") if each.is_file())


@settings(max_examples=200)
@given(envelopes)
def test_decoding_what_was_encoded_gives_the_message(envelope: dict[str, Any]) -> None:
    message = decode(envelope)
    again = decode(encode(message))
    assert again == message
    if not message.extra.keys() & {"trace_position", "tracePosition"}:
        assert again.transport == message.transport


@settings(max_examples=150)
@given(envelopes)
def test_a_line_is_one_line_of_utf8_and_means_the_same(envelope: dict[str, Any]) -> None:
    line = encode_line(decode(envelope))
    assert "\n" not in line
    read = decode(json.loads(line.encode("utf-8")))
    assert _joined(encode(read)) == _joined(encode(decode(envelope)))


def _joined(value: Any) -> str:
    """Show a value with surrogates that form a pair as the one character."""
    text = json.dumps(value, ensure_ascii=False)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name.partition("__")[0])
def test_recorded_messages_come_back_as_they_were(path: Path) -> None:
    records = [value for _, value in json_lines([path.read_bytes()])]
    good = [each for each in records if not isinstance(each, DecodeError)]
    assert len(records) - len(good) == path.name.startswith("torn_line")
    for record in good:
        message = decode(record)
        assert message == decode_strictly(record)
        assert not isinstance(message.payload, UnknownPayload)
        assert encode(message) == record
        assert json.loads(encode_line(message)) == record
        assert next(iter(encode(message))) == "timestamp"


def test_fields_stand_in_the_order_of_the_wire() -> None:
    message = Message(
        payload=Text(role="user", text="a", extra=JsonObject({"new": 1})),
        timestamp="t",
        origin=("s",),
        transport=Transport(started_at="t0", trace_position=TracePosition(file_index=0, ordinal=1)),
        extra=JsonObject({"batch": 1}),
    )
    assert encode_line(message) == (
        '{"timestamp":"t","type":"model_msg","payload":{"type":"text","role":"user","text":"a",'
        '"new":1},"origin":["s"],"batch":1,'
        '"trace_position":{"file_index":0,"ordinal":1},"started_at":"t0"}'
    )


def test_unset_fields_are_left_out_and_counts_are_not() -> None:
    usage = TokenUsage(session=TokenCounts(total=5), request=TokenCounts())
    zero = {"cache_read": 0, "cache_write": 0, "output": 0, "total": 0}
    assert encode(Message(payload=usage)) == {
        "type": "event_msg",
        "payload": {"type": "token_usage", "session": zero | {"total": 5}, "request": zero},
    }


def test_what_is_encoded_shares_nothing_with_the_message() -> None:
    message = decode({"type": "event_msg", "payload": {"type": "abort", "x": {"a": [1]}}})
    encode(message)["payload"]["x"]["a"].append(2)
    assert message.payload == Abort(extra=JsonObject({"x": JsonObject({"a": (1,)})}))


@pytest.mark.parametrize(
    ("text", "wire"),
    [
        ("\ud83d", r'"\ud83d"'),
        ("\ud83d\ude00", r'"\ud83d\ude00"'),
        ("\U0001f600é\u2028", '"\U0001f600é\u2028"'),
        ('\x00\n"', r'"\u0000\n\""'),
    ],
)
def test_surrogates_are_escaped_and_the_rest_is_itself(text: str, wire: str) -> None:
    line = encode_line(Message(payload=Text(role="user", text=text)))
    assert f'"text":{wire}}}' in line
    assert line.encode("utf-8")


def test_a_number_that_json_has_not_is_never_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode_line(Message(payload=Abort(extra=JsonObject({"x": float("nan")}))))
