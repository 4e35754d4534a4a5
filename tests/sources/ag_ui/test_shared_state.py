"""Shared state, activities, and what applications send beside the protocol."""

from __future__ import annotations

from typing import Any

from refold import to_json
from refold.sources.ag_ui import SOURCE
from tests.sources.folding import counted, folded

SNAPSHOT = {"type": "STATE_SNAPSHOT", "snapshot": {"n": 0, "list": []}}
ACTIVITY = {
    "type": "ACTIVITY_SNAPSHOT",
    "messageId": "a",
    "activityType": "PLAN",
    "content": {"done": 0},
}


def facts(*events: dict[str, Any]) -> Any:
    return to_json(folded(SOURCE, events)).get("facts")


def delta(*operations: dict[str, Any]) -> dict[str, Any]:
    return {"type": "STATE_DELTA", "delta": list(operations)}


def test_the_state_is_the_latest_value() -> None:
    first = delta(
        {"op": "replace", "path": "/n", "value": 1}, {"op": "add", "path": "/list/-", "value": 2}
    )
    assert facts(SNAPSHOT, first) == {"state": {"n": 1, "list": [2]}}
    assert facts(SNAPSHOT, first, SNAPSHOT) == {"state": {"n": 0, "list": []}}


def test_a_delta_that_does_not_apply_leaves_the_state() -> None:
    broken = delta({"op": "replace", "path": "/n", "value": 1}, {"op": "remove", "path": "/nope"})
    assert facts(SNAPSHOT, broken) == {"state": {"n": 0, "list": []}}
    assert counted(SOURCE, [SNAPSHOT, broken]) == {"state delta that doesn't apply": 1}


def test_an_activity_is_a_notice_where_it_began_and_a_fact_for_what_it_is_now() -> None:
    patch = {
        "type": "ACTIVITY_DELTA",
        "messageId": "a",
        "activityType": "PLAN",
        "patch": [{"op": "replace", "path": "/done", "value": 1}],
    }
    shown = to_json(folded(SOURCE, [ACTIVITY, patch]))
    assert shown["items"] == [
        {
            "kind": "notice",
            "key": "notice:1",
            "name": "activity",
            "text": "PLAN",
            "data": {"messageId": "a"},
        }
    ]
    assert shown["facts"] == {"activity:a": {"activityType": "PLAN", "content": {"done": 1}}}


def test_a_snapshot_that_does_not_replace_leaves_an_activity() -> None:
    other = {**ACTIVITY, "content": {"done": 9}, "replace": False}
    assert facts(ACTIVITY, other) == facts(ACTIVITY)
    assert facts(other) == {"activity:a": {"activityType": "PLAN", "content": {"done": 9}}}


def test_a_subagents_state_is_its_own() -> None:
    nested = {**SNAPSHOT, "snapshot": "x", "subagentRunId": "s"}
    session = folded(SOURCE, [SNAPSHOT, nested])
    assert dict(session.subagents["s"].facts) == {"state": "x"}


def test_a_custom_event_is_a_notice() -> None:
    shown = to_json(folded(SOURCE, [{"type": "CUSTOM", "name": "feedback", "value": {"stars": 5}}]))
    assert shown["items"] == [
        {
            "kind": "notice",
            "key": "notice:1",
            "name": "custom",
            "text": "feedback",
            "data": {"stars": 5},
        }
    ]
