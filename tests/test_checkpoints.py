"""Checkpoints carry everything, and refuse what they didn't write."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.checkpoints import VERSION, dumps, loads
from refold.errors import CheckpointError
from refold.folding import apply, idle, register_decision, replay
from refold.messages import MAX_HOPS, Message, Text
from refold.session import Session
from tests.strategies import any_streams, chaotic_streams, timed

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda each: (
        st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=4), each, max_size=3)
    ),
    max_leaves=6,
)


def _checkpoint(*sessions: Any) -> str:
    return json.dumps({"refold_checkpoint": VERSION, "sessions": sessions})


@given(chaotic_streams(), st.booleans())
def test_what_is_loaded_is_what_was_written(stream: list[Message], rest: bool) -> None:
    session = register_decision(replay(stream, now_ms=7), "t1")
    session = idle(session) if rest else session
    loaded = loads(dumps(session))
    assert loaded == session
    assert list(loaded.items) == list(session.items)
    assert list(loaded.subagents) == list(session.subagents)
    assert dumps(loaded) == dumps(session)


def test_an_empty_session_is_next_to_nothing() -> None:
    assert dumps(Session()) == '{"refold_checkpoint":1,"sessions":[{"origin":[]}]}'
    assert loads(dumps(Session())) == Session()


def test_sessions_nested_as_deep_as_may_be_are_flat_in_the_text() -> None:
    origin = tuple(f"c{hop}" for hop in range(MAX_HOPS))
    session = replay(timed([Text(role="user", text="do it")], origin), now_ms=0)
    written = json.loads(dumps(session))["sessions"]
    assert [each["origin"] for each in written] == [list(origin[:hop]) for hop in range(65)]
    assert loads(dumps(session)) == session


def test_streaming_goes_on_where_it_was() -> None:
    stream = [
        {"role": "assistant", "type": "partial_text", "event_type": event, "text": text}
        for event, text in (("start", "a"), ("delta", "\ud83d"), ("delta", "\ude00"))
    ]
    messages: list[Any] = [{"type": "model_msg", "payload": payload} for payload in stream]
    session = replay(messages[:2], now_ms=0)
    resumed = apply(loads(dumps(session)), messages[2], now_ms=0)
    assert resumed == replay(messages, now_ms=0)
    assert resumed.items[0].text == "a\U0001f600"  # type: ignore[union-attr]


@pytest.mark.parametrize("version", [0, 2, True, 1.0, "1", None, [1], 10**100])
def test_another_version_is_named(version: Any) -> None:
    text = json.dumps({"refold_checkpoint": version, "sessions": []})
    with pytest.raises(CheckpointError, match="expected a checkpoint of version 1, got version"):
        loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "null",
        "1",
        "[]",
        "{}",
        '"refold_checkpoint"',
        "not json",
        "\ud800",
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"refold_checkpoint": 1}',
        '{"refold_checkpoint": 1, "sessions": null}',
        '{"refold_checkpoint": 1, "sessions": {}}',
        '{"refold_checkpoint": 1, "sessions": []}',
        '{"refold_checkpoint": 1, "sessions": [null]}',
        '{"refold_checkpoint": 1, "sessions": [{}]}',
        '{"refold_checkpoint": 1, "sessions": ["a"]}',
        '{"refold_checkpoint": 1, "sessions": "origin"}',
        # A child without its parent, one session twice, no ids, and a stranger's fields.
        _checkpoint({"origin": ["c1"]}),
        _checkpoint({"origin": []}, {"origin": ["c1", "d1"]}),
        _checkpoint({"origin": []}, {"origin": []}),
        _checkpoint({"origin": []}, {"origin": ["c1"]}, {"origin": ["c1"]}),
        _checkpoint({"origin": 7}),
        _checkpoint({"origin": ""}),
        _checkpoint({"origin": []}, {"origin": [7]}),
        _checkpoint({"origin": [], "strange": 1}),
        _checkpoint({"origin": [], "subagents": {}}),
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(CheckpointError, match="expected a refold checkpoint"):
        loads(text)


@pytest.mark.parametrize(
    "fields",
    [
        {"placed": [{"kind": "user_text", "key": "k"}]},
        {"placed": [{"kind": "user_text", "key": 1, "text": "a"}]},
        {"placed": [{"kind": "strange", "key": "k"}]},
        {"placed": [{"key": "k", "text": "a"}]},
        {"placed": [7]},
        {"placed": 7},
        {"standing": "a"},
        {"standing": ["a"]},
        {"standing": [-1]},
        {"standing": [0]},
        {"standing": [10**15]},
        {"standing": [10**100]},
        {"numbers": {"thinking": "1"}},
        {"numbers": {"thinking": True}},
        {"numbers": {"thinking": 1.5}},
        {"numbers": {"strange": 1}},
        {"numbers": []},
        {"nest": {"first_seen_local_ms": 0, "last_activity_local_ms": 0, "binding": "odd"}},
        {"totals": {"context_stale": 1}},
        {"previous_ms": "now"},
        {"text": {"phase": "open"}},
        {"calls": {"cards": [["t1"]]}},
        {"calls": {"cards": {"t1": {}}}},
        {"task": {"first_ms": 1}},
        {"marks": {"goal": []}},
    ],
    ids=str,
)
def test_a_field_of_the_wrong_type_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(CheckpointError, match="expected a refold checkpoint"):
        loads(_checkpoint({"origin": [], **fields}))


@given(any_streams(), st.data())
def test_a_truncated_checkpoint_is_refused(stream: list[Message], data: st.DataObject) -> None:
    text = dumps(replay(stream, now_ms=0))
    with pytest.raises(CheckpointError):
        loads(text[: data.draw(st.integers(0, len(text) - 1))])


@given(st.text() | _JSON.map(json.dumps))
def test_foreign_text_is_refused_and_never_anything_else(text: str) -> None:
    with pytest.raises(CheckpointError):
        loads(text)


def _spoiled(value: Any, path: list[int], strange: Any) -> Any:
    """Put a strange value somewhere into plain JSON data."""
    if not path or not isinstance(value, dict | list) or not value:
        return strange
    names = list(value) if type(value) is dict else list(range(len(value)))
    name = names[path[0] % len(names)]
    spoiled = dict(value) if type(value) is dict else list(value)
    spoiled[name] = _spoiled(value[name], path[1:], strange)
    return spoiled


@given(chaotic_streams(12), st.lists(st.integers(0, 30), max_size=6), _JSON)
def test_a_hostile_checkpoint_is_refused_or_loads(
    stream: list[Message], path: list[int], strange: Any
) -> None:
    """Whatever stands anywhere in it, nothing but a CheckpointError comes out."""
    written = json.loads(dumps(replay(stream, now_ms=0)))
    try:
        loaded = loads(json.dumps(_spoiled(written, path, strange)))
    except CheckpointError:
        return
    assert type(loaded) is Session
