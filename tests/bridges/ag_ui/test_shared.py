"""The view as shared state."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from refold import Session, apply, diff, replay, to_json
from refold.bridges.ag_ui import OperationError, state_delta, state_snapshot
from refold.json_values import freeze, thaw
from refold.messages import Message, Text
from refold.sources.json_patch import patched
from tests.bridges.ag_ui.reading import check_shapes
from tests.strategies import chaotic_streams

SESSION = replay([Message(payload=Text(role="user", text="hi"))], now_ms=0)


def test_a_snapshot_is_the_views_json() -> None:
    event = state_snapshot(SESSION)
    check_shapes([event])
    assert event == {"type": "STATE_SNAPSHOT", "snapshot": to_json(SESSION)}


def test_a_delta_carries_operations_as_they_are() -> None:
    operations = [
        {"op": "add", "path": "/items/-", "value": {}},
        {"op": "move", "from": "/items/0", "path": "/items/1"},
    ]
    event = state_delta(operations)
    check_shapes([event])
    assert event == {"type": "STATE_DELTA", "delta": operations}


def test_an_operation_that_the_standard_lacks_is_refused_with_its_place() -> None:
    operations = [{"op": "remove", "path": "/a"}, {"op": "append", "path": "/b", "value": "x"}]
    with pytest.raises(OperationError) as error:
        state_delta(operations)
    assert str(error.value) == (
        "expected an operation of RFC 6902 at $[1].op, got 'append'; make the diff with pure=True"
    )


@settings(max_examples=30)
@given(chaotic_streams())
def test_a_front_end_that_patches_its_state_has_the_view(messages: list[Message]) -> None:
    session, events = Session(), [state_snapshot(Session())]
    for message in messages:
        after = apply(session, message, now_ms=0)
        events.append(state_delta(diff(session, after, pure=True)))
        session = after
    check_shapes(events)
    state = patched(
        freeze(events[0]["snapshot"]), [each for one in events[1:] for each in one["delta"]]
    )
    assert state.applied
    assert thaw(state.document) == to_json(session)
