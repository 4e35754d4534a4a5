"""Golden cases: what is compared, and that a wrong view is found."""

from __future__ import annotations

from typing import Any

import pytest

from refold.conformance import comparable, run_case
from refold.errors import DecodeError

_STATS = {
    "context_now": 0,
    "context_stale": False,
    "session_total": 0,
    "subagent_total": 0,
    "session_elapsed_ms": 0,
}


def _message(kind: str, **fields: Any) -> dict[str, Any]:
    category = "event_msg" if kind in ("request_end", "approval_decision") else "model_msg"
    return {"type": category, "payload": {"type": kind, **fields}}


_DO = _message("text", role="user", text="do it")
_START = _message("partial_text", role="assistant", event_type="start", text="a")
_SAID = _message("text", role="assistant", text="ab")
_CALL = _message("tool_call", role="assistant", name="n", arguments="{}", tool_call_id="t1")
_ALLOW = _message("approval_decision", decision="allow", tool_call_id="t1")
_ASKS = {"kind": "user_text", "text": "do it"}
_ROW = {"kind": "task_stats", "assistant_text": "ab"}
_SHOWN = {"kind": "assistant_text", "text": "ab", "streaming": False}


def _view(*items: dict[str, Any], **frame: Any) -> dict[str, Any]:
    return {"items": list(items), "stats": _STATS, "task_open": False, **frame}


def _push(message: dict[str, Any], now_ms: int = 0, **fields: Any) -> dict[str, Any]:
    return {"op": "push", "message": message, "now_ms": now_ms, **fields}


_OPEN = {"task_open": True, "task_start_local_ms": 0}


@pytest.mark.parametrize(
    ("steps", "view"),
    [
        ([], _view()),
        ([_push(_DO, 9)], _view(_ASKS, task_open=True, task_start_local_ms=9)),
        ([{"op": "push", "message": _DO}], _view(_ASKS, **_OPEN)),
        (
            [{"op": "push_many", "messages": [_DO, _SAID], "now_ms": 9}],
            _view(_ASKS, _SHOWN, task_open=True, task_start_local_ms=9),
        ),
        (
            [
                {
                    "op": "push_many",
                    "messages": [{**_DO, "timestamp": "1970-01-01T00:00:01Z"}],
                    "now_ms": 9000,
                    "server_now_ms": 3000,
                }
            ],
            _view({**_ASKS, "at_ms": 1000}, task_open=True, task_start_local_ms=7000),
        ),
        ([_push(_DO), _push(_SAID), {"op": "idle"}], _view(_ASKS, _SHOWN, _ROW)),
        ([_push(_DO), _push(_SAID), {"op": "finalize"}], _view(_ASKS, _SHOWN, _ROW)),
        ([_push(_START), {"op": "discard", "message": _SAID}], _view()),
    ],
)
def test_every_op_does_what_its_rule_says(steps: list[Any], view: dict[str, Any]) -> None:
    assert run_case({"name": "n", "steps": steps, "view": view}) is None


def test_a_local_decision_makes_an_approval_manual() -> None:
    for steps, source in (
        ([], "remote"),
        ([{"op": "local_decision", "tool_call_id": "t1"}], "manual"),
    ):
        card = {
            "kind": "tool_call",
            "tool_call_id": "t1",
            "name": "n",
            "arguments_text": "{}",
            "call_streaming": False,
            "call_complete": True,
            "output": "",
            "output_streaming": False,
            "output_complete": False,
            "decision": "allow",
            "decision_source": source,
        }
        case = {"steps": [*steps, _push(_CALL), _push(_ALLOW)], "view": _view(card)}
        assert run_case(case) is None


def test_a_view_that_differs_is_told_with_its_place() -> None:
    case = {"steps": [_push(_DO)], "view": _view({**_ASKS, "text": "other"}, **_OPEN)}
    found = run_case(case)
    assert found is not None
    assert "$.items[0].text" in found
    assert found.endswith("(ours, or the case's)")


def test_a_step_that_differs_is_told_with_its_number() -> None:
    steps = [_push(_DO, view=_view(_ASKS, **_OPEN)), _push(_SAID, view=_view(_ASKS, **_OPEN))]
    found = run_case({"steps": steps})
    assert found is not None
    assert found.startswith("step 2 (push): $.items")


def test_a_step_without_a_view_is_not_compared() -> None:
    assert run_case({"steps": [_push(_DO)]}) is None


def test_what_implementations_may_lack_is_not_compared() -> None:
    view = {
        "binding": "none",
        "goal": {"outcome": "done"},
        "meta": None,
        "items": [
            {"kind": "task_stats", "key": "task_stats:1", "forkable": False, "at_ms": None},
            {"kind": "task_stats", "forkable": True},
            {"kind": "reconnect", "retrying": True, "arrived_at_ms": 1},
            {"kind": "reconnect", "retrying": False, "gave_up": True, "arrived_at_ms": 1},
            {"kind": "reconnect", "retrying": False, "arrived_at_ms": 1},
        ],
    }
    assert comparable(view) == {
        "items": [
            {"kind": "task_stats"},
            {"kind": "task_stats", "forkable": True},
            {"kind": "reconnect", "retrying": True},
            {"kind": "reconnect", "retrying": False, "gave_up": True},
            {"kind": "reconnect", "retrying": False, "arrived_at_ms": 1},
        ]
    }


@pytest.mark.parametrize("value", [0, "", False, [], {}, "text", 1.5])
def test_zeros_and_empty_values_stay(value: Any) -> None:
    assert comparable({"a": value, "b": None}) == {"a": value}


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ({}, r"a list of steps at \$\.steps"),
        ({"steps": {}}, r"a list of steps at \$\.steps"),
        ({"steps": [7]}, r"a step with op push, .* at \$\.steps\[0\], got 7"),
        ({"steps": [{"op": "idle"}, {"op": "jump"}]}, r"a step with op push, .* at \$\.steps\[1\]"),
        ({"steps": [{}]}, r"a step with op push"),
        ({"steps": [{"op": "push"}]}, r"a step with 'message' at \$\.steps\[0\]"),
        ({"steps": [{"op": "push_many"}]}, r"a step with 'messages' at \$\.steps\[0\]"),
        ({"steps": [{"op": "local_decision"}]}, r"a step with 'tool_call_id'"),
        ({"steps": [{"op": "push", "message": {}}]}, r"expected"),
    ],
)
def test_what_is_no_case_is_refused(case: dict[str, Any], says: str) -> None:
    with pytest.raises(DecodeError, match=says):
        run_case(case)
