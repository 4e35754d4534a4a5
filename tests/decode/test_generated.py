"""The generated path and the strict converter are one decoder."""

from __future__ import annotations

from typing import Any

import attrs
from hypothesis import example, given, settings

from refold.decode.generated import BUILDERS, HOT
from refold.decode.messages import decode, decode_strictly
from refold.errors import DecodeError
from refold.messages import (
    Message,
    PartialText,
    RequestBegin,
    SourcePosition,
    TokenCounts,
    TokenUsage,
    Transport,
)
from tests.decode.strategies import envelopes, faulty_envelopes

DELTA = {
    "timestamp": "2026-07-05T00:00:00.000Z",
    "type": "model_msg",
    "payload": {"type": "partial_text", "role": "assistant", "event_type": "delta", "text": "a"},
}


def _outcome(decoder: Any, value: Any) -> tuple[object, object]:
    try:
        message = decoder(value)
    except DecodeError as error:
        return str(error), None
    return message, message.transport


@settings(max_examples=150)
@given(envelopes)
def test_both_paths_decode_a_message_alike(envelope: dict[str, Any]) -> None:
    assert _outcome(decode, envelope) == _outcome(decode_strictly, envelope)


@settings(max_examples=300)
@given(faulty_envelopes)
@example({**DELTA, "payload": {**DELTA["payload"], "stop_reason": None, "fidelity": None}})
@example({**DELTA, "origin": None})
@example({**DELTA, "origin": ["a", 1]})
@example({**DELTA, "timestamp": None})
@example({**DELTA, "payload": {**DELTA["payload"], "type": []}})
@example({**DELTA, "type": "event_msg"})
def test_both_paths_say_the_same_of_anything(value: Any) -> None:
    assert _outcome(decode, value) == _outcome(decode_strictly, value)


def test_every_frequent_kind_takes_the_generated_path() -> None:
    for cls in HOT:
        required = [each.name for each in attrs.fields(cls) if each.default is attrs.NOTHING]
        fields = {name: _plain(cls.__annotations__[name]) for name in required}
        payload = {"type": cls.kind, **fields}
        envelope = {"timestamp": "t", "type": cls.category, "payload": payload}
        made = BUILDERS[cls.kind](envelope, payload, None)
        assert made is not None, cls
        assert made == decode_strictly(envelope)


def _plain(annotation: str) -> Any:
    counts = {"cache_read": 1, "cache_write": 2, "output": 3, "total": 6}
    tools = [{"name": "n", "parameters": {"type": "object"}}]
    plain = {"str": "x", "TokenCounts": counts, "tuple[ToolDescription, ...]": tools}
    return plain[annotation]


def test_generated_objects_are_the_frozen_classes() -> None:
    message = decode(DELTA)
    assert message == Message(
        payload=PartialText(role="assistant", event_type="delta", text="a"),
        timestamp="2026-07-05T00:00:00.000Z",
    )
    assert (type(message), type(message.payload)) == (Message, PartialText)
    assert hash(message) == hash(decode_strictly(DELTA))


def test_generated_objects_cant_be_changed() -> None:
    message = decode(DELTA)
    for part, name in ((message, "timestamp"), (message.payload, "text")):
        try:
            setattr(part, name, "b")
        except attrs.exceptions.FrozenInstanceError:
            continue
        raise AssertionError(f"{name} was changed")


def test_two_messages_share_no_state() -> None:
    first, second = decode(DELTA), decode({**DELTA, "timestamp": "later"})
    assert (first.timestamp, second.timestamp) == ("2026-07-05T00:00:00.000Z", "later")


def test_the_place_of_a_message_is_kept_unless_it_says_one_itself() -> None:
    place = Transport(source=SourcePosition(format="omni", lane="a.jsonl", line=3))
    told = {**DELTA, "source": {"format": "acp"}}
    assert decode(DELTA, place=place).transport is place
    assert decode(told, place=place).transport == Transport(source=SourcePosition(format="acp"))


def test_nested_counts_may_miss_buckets() -> None:
    usage = {"type": "token_usage", "session": {"total": 7}, "request": {"output": 1.0}}
    assert decode({"type": "event_msg", "payload": usage}).payload == TokenUsage(
        session=TokenCounts(total=7), request=TokenCounts(output=1)
    )


def test_a_kind_without_fields_is_decoded() -> None:
    begin = {"timestamp": "t", "type": "event_msg", "payload": {"type": "request_begin"}}
    assert decode(begin) == Message(payload=RequestBegin(), timestamp="t")
