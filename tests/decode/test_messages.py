"""protocol.md, sentence by sentence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from refold.decode import decode
from refold.errors import DecodeError
from refold.json_values import JsonObject
from refold.messages import (
    Abort,
    Message,
    PartialText,
    RequestEnd,
    Text,
    UnknownPayload,
)
from tests.decode.strategies import envelopes, faulty_envelopes
from tests.decode.wires import COUNTS, event, meta, model


@pytest.mark.parametrize(
    ("wire", "category"),
    [
        (model("hologram", depth=3), "model_msg"),
        (event("hologram", depth=3), "event_msg"),
        (event("text", role="user", text="hi"), "event_msg"),
        ({"type": "future_msg", "payload": {"depth": 3}}, "future_msg"),
        ({"type": "future_msg", "payload": {"type": 5}}, "future_msg"),
    ],
)
def test_an_unknown_payload_is_kept_whole(wire: dict[str, Any], category: str) -> None:
    body = JsonObject(wire["payload"])
    assert decode(wire).payload == UnknownPayload(category=category, body=body)


@pytest.mark.parametrize("timestamp", ["2026-07-05T00:00:00Z", "yesterday", "", "25:00", "9" * 99])
def test_a_timestamp_is_any_string(timestamp: str) -> None:
    assert decode({**event("abort"), "timestamp": timestamp}).timestamp == timestamp


@pytest.mark.parametrize(
    "wire",
    [event("abort") | {"timestamp": None}, {"type": "event_msg", "payload": {"type": "abort"}}],
)
def test_a_missing_timestamp_is_unknown(wire: dict[str, Any]) -> None:
    assert decode(wire) == Message(payload=Abort())


def test_roles_and_event_types_outside_the_list_are_kept() -> None:
    payload = decode(model("partial_text", role="robot", event_type="pause", text="a")).payload
    assert payload == PartialText(role="robot", event_type="pause", text="a")


def test_lone_surrogates_are_part_of_a_string() -> None:
    assert decode(model("text", role="user", text="\ud83d")).payload == Text(
        role="user", text="\ud83d"
    )


@pytest.mark.parametrize(
    ("given_count", "count"), [(0, 0), (3.0, 3), (-0.0, 0), (10**400, 10**400)]
)
def test_a_count_is_a_whole_number(given_count: object, count: int) -> None:
    payload = decode(event("request_end", status="failed", attempt=given_count)).payload
    assert payload == RequestEnd(status="failed", attempt=count)
    assert isinstance(payload, RequestEnd)
    assert type(payload.attempt) is int


def test_null_on_an_optional_field_is_an_absent_field() -> None:
    nulls = model("text", role="user", text="a", sender=None, stop_reason=None, fidelity=None)
    assert decode({**nulls, "origin": None}) == decode(model("text", role="user", text="a"))


def test_unknown_fields_are_kept_on_payload_and_envelope() -> None:
    wire = {**event("abort", why={"a": [1, 2.5]}), "batch": 7}
    assert decode(wire) == Message(
        payload=Abort(extra=JsonObject({"why": JsonObject({"a": (1, 2.5)})})),
        timestamp="t",
        extra=JsonObject({"batch": 7}),
    )


def test_unknown_fields_are_part_of_identity() -> None:
    assert decode(event("abort", why="a")) != decode(event("abort", why="b"))


def test_the_order_of_keys_is_no_part_of_identity() -> None:
    first = decode(event("abort", why={"a": 1, "b": 2}, x=1))
    second = decode(event("abort", x=1, why={"b": 2, "a": 1}))
    assert (first, hash(first)) == (second, hash(second))


def test_a_parent_call_named_by_a_nested_sessions_first_message_is_kept() -> None:
    payload = decode(model("text", role="user", text="go", parent_tool_call_id="c")).payload
    assert payload.extra == JsonObject({"parent_tool_call_id": "c"})  # type: ignore[union-attr]


def test_a_failure_without_a_known_field_is_decoded() -> None:
    payload = decode(event("request_end", status="failed", message="boom")).payload
    assert payload == RequestEnd(status="failed", extra=JsonObject({"message": "boom"}))


@pytest.mark.parametrize(
    "origin", [["a"], ["a", "b", "c"], ["", "\ud800"], [str(n) for n in range(64)]]
)
def test_an_origin_is_a_chain_outer_to_inner(origin: list[str]) -> None:
    assert decode({**event("abort"), "origin": origin}).origin == tuple(origin)


@pytest.mark.parametrize("wire", [event("abort"), event("abort") | {"origin": []}])
def test_an_absent_or_empty_origin_is_the_main_session(wire: dict[str, Any]) -> None:
    assert decode(wire).origin == ()


TEXT = model("text", role="user", text="a")
FAULTS: list[tuple[Any, str]] = [
    ([], "expected an object at $, got []"),
    (None, "expected an object at $, got None"),
    ("x", "expected an object at $, got 'x'"),
    ({}, "expected a string at $.type, got nothing"),
    ({"type": 5, "payload": {}}, "expected a string at $.type, got 5"),
    ({"type": "event_msg"}, "expected an object at $.payload, got nothing"),
    ({"type": "event_msg", "payload": []}, "expected an object at $.payload, got []"),
    ({"type": "event_msg", "payload": {}}, "expected a string at $.payload.type, got nothing"),
    (event("abort") | {"timestamp": 5}, "expected a string at $.timestamp, got 5"),
    (event("abort") | {"origin": "a"}, "expected a list at $.origin, got 'a'"),
    (event("abort") | {"origin": ["a", 1]}, "expected a string at $.origin[1], got 1"),
    (event("abort", reason=1), "expected a string at $.payload.reason, got 1"),
    (model("text", role="user"), "expected a string at $.payload.text, got nothing"),
    (model("text", role="user", text=None), "expected a string at $.payload.text, got None"),
    (model("text", role=True, text="a"), "expected a string at $.payload.role, got True"),
    (
        model("text", role="user", text="a", fidelity=[]),
        "expected an object at $.payload.fidelity, got []",
    ),
    (
        model("tool_call", role="a", name="n", arguments={"a": 1}, tool_call_id="c"),
        "expected a string at $.payload.arguments, got {'a': 1}",
    ),
    (
        model("tool_call_output", role="u", output="o", tool_call_id="c", images="u"),
        "expected a list at $.payload.images, got 'u'",
    ),
    (
        model("tool_call_output", role="u", output="o", tool_call_id="c", images=["u", 7]),
        "expected a string at $.payload.images[1], got 7",
    ),
    (
        event("request_end", status="failed", attempt=True),
        "expected a whole number of at least 0 at $.payload.attempt, got True",
    ),
    (
        event("request_end", status="failed", attempt=1.5),
        "expected a whole number of at least 0 at $.payload.attempt, got 1.5",
    ),
    (
        event("request_end", status="failed", retry_in_ms=-1),
        "expected a whole number of at least 0 at $.payload.retry_in_ms, got -1",
    ),
    (
        event("request_end", status="failed", attempt=10**5000),
        "expected an integer of at most 4000 digits at $.payload.attempt, got <int>",
    ),
    (
        event("token_usage", session=COUNTS, request=COUNTS | {"output": "3"}),
        "expected a whole number of at least 0 at $.payload.request.output, got '3'",
    ),
    (
        event("token_usage", session=5, request=COUNTS),
        "expected an object at $.payload.session, got 5",
    ),
    (
        event("tool_list_ready", tools=[{"name": "a"}, {"description": "b"}]),
        "expected a string at $.payload.tools[1].name, got nothing",
    ),
    (
        event("tool_list_ready", tools={"name": "a"}),
        "expected a list at $.payload.tools, got {'name': 'a'}",
    ),
    (
        event(
            "mcp_connect_end",
            status="s",
            results=[{"server": "a", "transport": "t", "status": "s"}],
        ),
        "expected a whole number of at least 0 at $.payload.results[0].duration_ms, got nothing",
    ),
    (event("fact", name="n"), "expected a JSON value at $.payload.value, got nothing"),
    (meta(session_id=7), "expected a string at $.payload.session_id, got 7"),
    (event("abort", x=float("nan")), "expected a JSON value at $.payload.x, got nan"),
    (event("abort") | {"x": {1: 2}}, "expected a string at $.x, got 1"),
    (
        model("text", role="user", text="a", sender="x" * 100, fidelity=3),
        "expected an object at $.payload.fidelity, got 3",
    ),
    (
        model("text", role="user", text=["y" * 100]),
        f"expected a string at $.payload.text, got ['{'y' * 58}…",
    ),
]


@pytest.mark.parametrize(("wire", "text"), FAULTS, ids=[text for _, text in FAULTS])
def test_what_is_wrong_is_named_with_its_path(wire: Any, text: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(wire)
    assert str(caught.value) == text


def test_a_path_says_where_the_message_stands() -> None:
    with pytest.raises(DecodeError, match=r"at \$\[3\]\.payload\.text, got 1"):
        decode(model("text", role="user", text=1), path="$[3]")


def nest(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("depth", [129, 100_000])
@pytest.mark.parametrize("place", ["payload", "envelope", "fidelity", "unknown"])
def test_nesting_too_deep_is_an_error(depth: int, place: str) -> None:
    wires = {
        "payload": event("abort", x=nest(depth)),
        "envelope": event("abort") | {"x": nest(depth)},
        "fidelity": model("text", role="user", text="a", fidelity={"x": nest(depth)}),
        "unknown": event("hologram", x=nest(depth)),
    }
    with pytest.raises(DecodeError, match="expected at most 128 levels of nesting at"):
        decode(wires[place])


def test_nesting_too_deep_in_place_of_a_string_is_an_error() -> None:
    with pytest.raises(DecodeError) as caught:
        decode(model("text", role="user", text=nest(100_000)))
    assert str(caught.value) == "expected a string at $.payload.text, got [[[[[…]]]]]"


def test_nesting_within_the_bound_can_be_walked_by_everything() -> None:
    message = decode(event("abort", x=nest(126)))
    assert message == decode(event("abort", x=nest(126)))
    assert hash(message) == hash(decode(event("abort", x=nest(126))))
    assert repr(message).count("(") > 126


@settings(max_examples=150)
@given(envelopes)
def test_decoding_keeps_and_changes_nothing_of_its_input(envelope: dict[str, Any]) -> None:
    before = repr(envelope)
    assert decode(envelope) == decode(envelope)
    assert repr(envelope) == before


@settings(max_examples=150)
@given(faulty_envelopes)
def test_nothing_but_a_decode_error_is_ever_raised(value: Any) -> None:
    try:
        message = decode(value)
    except DecodeError as error:
        assert str(error).startswith("expected ")
    else:
        assert isinstance(message, Message)
