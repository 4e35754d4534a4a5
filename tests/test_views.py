"""Views in the shapes of view.md, and what two sessions at rest agree on."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.figures import SessionStats
from refold.folding import apply, finalize, replay
from refold.items import (
    AbortItem,
    AssistantTextItem,
    CompactionItem,
    Item,
    McpConnectItem,
    McpResult,
    McpTool,
    NoticeItem,
    Position,
    ReconnectItem,
    Stats,
    SubagentItem,
    TaskStatsItem,
    ThinkingItem,
    TokenBuckets,
    ToolCallItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.json_values import freeze
from refold.messages import Fact, GoalFinished, Message, RequestEnd, Subagent, Text
from refold.session import Session
from refold.texts import rope
from refold.views import View, digest, frame_json, item_json, settled, to_json, view_of
from tests.payloads import METAS, START_MS
from tests.strategies import any_streams, timed

_DO = Text(role="user", text="do it")

# Each kind with nothing set, and with everything set: (item, its JSON but for kind and key).
_SHAPES: list[tuple[Item, dict[str, Any]]] = [
    (UserTextItem(key="k", text=""), {"text": ""}),
    (UserTextItem(key="k", text="a", at_ms=0), {"text": "a", "at_ms": 0}),
    (UserSteeringItem(key="k", text="a"), {"text": "a"}),
    (
        UserSteeringItem(key="k", text="a", images=("u",), at_ms=1),
        {"text": "a", "images": ["u"], "at_ms": 1},
    ),
    (UserImageItem(key="k", image_url="u"), {"image_url": "u"}),
    (UserImageItem(key="k", image_url="u", at_ms=1), {"image_url": "u", "at_ms": 1}),
    (AssistantTextItem(key="k", text=""), {"text": "", "streaming": False}),
    (
        AssistantTextItem(
            key="k",
            text=rope("a").append("b"),
            streaming=True,
            stop_reason="aborted",
            at_ms=1,
            trace_position=Position(file_index=0, ordinal=2),
        ),
        {
            "text": "ab",
            "streaming": True,
            "stop_reason": "aborted",
            "at_ms": 1,
            "trace_position": {"file_index": 0, "ordinal": 2},
        },
    ),
    (ThinkingItem(key="k", thinking=""), {"thinking": "", "streaming": False}),
    (
        ThinkingItem(
            key="k",
            thinking=rope("a"),
            streaming=True,
            stop_reason="failed",
            started_at_ms=1,
            duration_ms=0,
        ),
        {
            "thinking": "a",
            "streaming": True,
            "stop_reason": "failed",
            "started_at_ms": 1,
            "duration_ms": 0,
        },
    ),
    (
        ToolCallItem(key="k", tool_call_id="t"),
        {
            "tool_call_id": "t",
            "name": "",
            "arguments_text": "",
            "call_streaming": False,
            "call_complete": False,
            "output": "",
            "output_streaming": False,
            "output_complete": False,
        },
    ),
    (
        ToolCallItem(
            key="k",
            tool_call_id="t",
            name="n",
            arguments_text=rope("{}"),
            call_streaming=True,
            call_complete=True,
            call_stop_reason="c",
            output=rope("o"),
            images=(),
            output_streaming=True,
            output_complete=True,
            output_stop_reason="d",
            decision="allow",
            decision_source="manual",
            subagent_session_id="s",
            arg_started_at_ms=1,
            call_started_at_ms=2,
            approval_at_ms=3,
            duration_ms=4,
        ),
        {
            "tool_call_id": "t",
            "name": "n",
            "arguments_text": "{}",
            "call_streaming": True,
            "call_complete": True,
            "call_stop_reason": "c",
            "output": "o",
            "images": [],
            "output_streaming": True,
            "output_complete": True,
            "output_stop_reason": "d",
            "decision": "allow",
            "decision_source": "manual",
            "subagent_session_id": "s",
            "arg_started_at_ms": 1,
            "call_started_at_ms": 2,
            "approval_at_ms": 3,
            "duration_ms": 4,
        },
    ),
    (SubagentItem(key="k", session_id="s"), {"session_id": "s"}),
    (AbortItem(key="k"), {}),
    (AbortItem(key="k", reason="user"), {"reason": "user"}),
    (
        ReconnectItem(key="k", status="failed", attempt=1),
        {"status": "failed", "attempt": 1, "retrying": False},
    ),
    (
        ReconnectItem(
            key="k",
            status="timeout",
            attempt=2,
            retrying=True,
            gave_up=False,
            planned_delay_ms=0,
            arrived_at_ms=3,
        ),
        {
            "status": "timeout",
            "attempt": 2,
            "retrying": True,
            "gave_up": False,
            "planned_delay_ms": 0,
            "arrived_at_ms": 3,
        },
    ),
    (
        CompactionItem(key="k", reason="manual", mode="discard"),
        {"reason": "manual", "mode": "discard", "running": False},
    ),
    (
        CompactionItem(
            key="k",
            reason="turns",
            mode="summarize",
            running=True,
            status="failed",
            error_message="e",
            begin_ts_ms=1,
            duration_ms=2,
            summary_text=rope("s"),
        ),
        {
            "reason": "turns",
            "mode": "summarize",
            "running": True,
            "status": "failed",
            "error_message": "e",
            "begin_ts_ms": 1,
            "duration_ms": 2,
            "summary_text": "s",
        },
    ),
    (McpConnectItem(key="k", servers=()), {"servers": [], "running": False}),
    (
        McpConnectItem(
            key="k",
            servers=("a",),
            running=True,
            begin_ts_ms=1,
            duration_ms=2,
            tool_count=0,
            results=(McpResult(server="a", status="failed", duration_ms=0, error="e"),),
            tools=(McpTool(name="t"), McpTool(name="u", description="d")),
            failed=("a",),
            aborted=False,
        ),
        {
            "servers": ["a"],
            "running": True,
            "begin_ts_ms": 1,
            "duration_ms": 2,
            "tool_count": 0,
            "results": [{"server": "a", "status": "failed", "duration_ms": 0, "error": "e"}],
            "tools": [{"name": "t"}, {"name": "u", "description": "d"}],
            "failed": ["a"],
            "aborted": False,
        },
    ),
    (NoticeItem(key="k", name="n"), {"name": "n"}),
    (
        NoticeItem(key="k", name="n", text="", data=freeze({"a": [None, {}]}), at_ms=1),
        {"name": "n", "text": "", "data": {"a": [None, {}]}, "at_ms": 1},
    ),
    (TaskStatsItem(key="k"), {"assistant_text": "", "forkable": False}),
    (
        TaskStatsItem(
            key="k",
            stats=Stats(
                context=1,
                context_delta=-2,
                tokens=3,
                tokens_delta=4,
                elapsed_ms=5,
                elapsed_delta_ms=6,
                tokens_by_bucket=TokenBuckets(output=7),
            ),
            assistant_text="a",
            at_ms=8,
            forkable=True,
            fork_position=Position(file_index=1, ordinal=0),
        ),
        {
            "stats": {
                "context": 1,
                "context_delta": -2,
                "tokens": 3,
                "tokens_delta": 4,
                "elapsed_ms": 5,
                "elapsed_delta_ms": 6,
                "tokens_by_bucket": {"cache_read": 0, "cache_write": 0, "output": 7},
            },
            "assistant_text": "a",
            "at_ms": 8,
            "forkable": True,
            "fork_position": {"file_index": 1, "ordinal": 0},
        },
    ),
]

_NO_STATS = {
    "context_now": 0,
    "context_stale": False,
    "session_total": 0,
    "subagent_total": 0,
    "session_elapsed_ms": 0,
}


@pytest.mark.parametrize(("item", "shown"), _SHAPES, ids=lambda each: getattr(each, "kind", ""))
def test_an_item_is_shown_in_its_shape(item: Item, shown: dict[str, Any]) -> None:
    assert item_json(item) == {"kind": item.kind, "key": "k", **shown}
    assert list(item_json(item))[:2] == ["kind", "key"]


def test_every_kind_of_item_has_a_shape() -> None:
    assert {type(item) for item, _ in _SHAPES} == set(get_args(Item))


def test_an_empty_session_shows_its_zeros() -> None:
    assert to_json(Session()) == {"items": [], "stats": _NO_STATS, "task_open": False}


def test_a_session_shows_what_is_set() -> None:
    payloads: list[Any] = [
        Fact(name="title", value="x"),
        GoalFinished(outcome="done", rounds=1, tokens_used=2),
        RequestEnd(status="auth"),
        _DO,
    ]
    shown = frame_json(replay(timed(payloads), now_ms=9))
    assert shown == {
        "stats": _NO_STATS,
        "task_open": True,
        "task_start_local_ms": 9,
        "last_auth_failure_ms": START_MS + 200,
        "goal": {"outcome": "done", "rounds": 1, "tokens_used": 2},
        "facts": {"title": "x"},
    }


def test_nested_sessions_are_shown_under_their_ids() -> None:
    stream = [*timed([_DO, Subagent(session_id="c1")]), *timed([METAS[0], _DO], ("c1",))]
    shown = to_json(replay(stream, now_ms=9))["subagents"]
    assert shown == {
        "c1": {
            "items": [
                {
                    "kind": "user_text",
                    "key": "user_text:1",
                    "text": "do it",
                    "at_ms": START_MS + 100,
                }
            ],
            "stats": _NO_STATS,
            "task_open": True,
            "nested": True,
            "task_start_local_ms": 9,
            "binding": "none",
            "meta": {"provider": "p", "model_id": "m"},
            "first_ts_ms": START_MS,
            "last_activity_ts_ms": START_MS + 100,
            "first_seen_local_ms": 9,
            "last_activity_local_ms": 9,
        }
    }


@given(any_streams())
def test_a_view_shows_what_its_session_shows(stream: list[Message]) -> None:
    session = replay(stream, now_ms=9)
    assert to_json(view_of(session)) == to_json(session)


@given(any_streams())
def test_nothing_shown_is_null_but_in_foreign_values(stream: list[Message]) -> None:
    def nulls(value: Any) -> list[str]:
        if type(value) is list:
            return [name for each in value for name in nulls(each)]
        if type(value) is not dict:
            return []
        inner = [found for name, each in value.items() if name != "facts" for found in nulls(each)]
        return [*inner, *[name for name, each in value.items() if each is None and name != "data"]]

    shown = to_json(replay(stream, now_ms=9))
    assert nulls(shown) == []
    assert json.loads(json.dumps(shown)) == shown


@given(any_streams(), st.integers(0, 10**6))
def test_a_settled_view_is_at_rest_and_knows_no_local_clock(
    stream: list[Message], now_ms: int
) -> None:
    session = replay(stream, now_ms=now_ms)
    view = settled(session)
    assert view == settled(finalize(session))
    assert view == settled(replay(stream, now_ms=0))
    assert "local_ms" not in json.dumps(to_json(view))
    assert not view.task_open


def test_what_a_client_saw_of_a_wait_is_not_settled() -> None:
    stream = timed([_DO, RequestEnd(status="failed", retry_in_ms=500)])
    session = replay(stream, now_ms=9)
    waiting = {"kind": "reconnect", "key": "reconnect:1", "status": "failed", "attempt": 1}
    waiting |= {"retrying": False, "planned_delay_ms": 500}
    assert item_json(session.items[-1]) == {**waiting, "arrived_at_ms": 9}
    assert item_json(settled(session).items[-1]) == waiting


@given(any_streams(), any_streams())
def test_digests_are_equal_as_the_settled_views_are(
    stream: list[Message], other: list[Message]
) -> None:
    one, two = replay(stream, now_ms=0), replay(other, now_ms=5)
    assert (digest(one) == digest(two)) is (settled(one) == settled(two))
    assert digest(one) == digest(settled(one))
    assert digest(replay(stream, now_ms=77)) == digest(one)


@given(any_streams())
def test_one_more_text_is_another_digest(stream: list[Message]) -> None:
    session = replay(stream, now_ms=0)
    later = apply(session, timed([Text(role="user", text="more")])[0], now_ms=0)
    assert (digest(later) == digest(session)) is (settled(later) == settled(session))


def test_the_digest_of_nothing_is_pinned() -> None:
    """Whoever stored digests finds them again with a later version."""
    assert digest(Session()) == "cc679e56f81d7b2a"
    assert digest(View()) == digest(Session())


def test_an_empty_view_is_the_view_of_an_empty_session() -> None:
    assert view_of(Session()) == View()
    assert view_of(Session()).stats == SessionStats()
