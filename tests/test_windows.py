"""Where a history may be cut, case by case (live.md, "Windows")."""

from __future__ import annotations

from typing import Any

import pytest

from refold.folding import replay
from refold.items import CompactionItem, ReconnectItem
from refold.json_values import JsonObject
from refold.messages import (
    ApprovalDecision,
    CompactionBegin,
    CompactionEnd,
    GoalFinished,
    ImageUrl,
    McpConnectBegin,
    McpConnectEnd,
    McpServerResult,
    Message,
    RequestBegin,
    RequestEnd,
    Text,
    TokenCounts,
    TokenUsage,
    ToolCall,
    ToolCallOutput,
    ToolDescription,
    ToolListReady,
)
from refold.records import evolve
from refold.session import Session
from refold.windows import Window, close_window, prior_of, task_starts, window
from tests.payloads import METAS, START_MS
from tests.strategies import timed

_DO = Text(role="user", text="do it")
_SAID = Text(role="assistant", text="done")
_LEFT = Text(role="user", text="[user_steering]\nleft\n[/user_steering]")
_SUMMARY = Text(role="user", text="[context_summary]\nso far")
_IMAGE = ImageUrl(role="user", image_url="u")
_CALL = ToolCall(role="assistant", name="run_subagent", arguments="{}", tool_call_id="t1")
_OUTPUT = ToolCallOutput(role="user", output="o", tool_call_id="t1")
_ALLOW = ApprovalDecision(decision="allow", tool_call_id="t1")
_BEGIN = CompactionBegin(reason="manual", mode="summarize", context=1, turns=1)
_END = CompactionEnd(reason="manual", mode="summarize", status="completed")
_CONNECT = McpConnectBegin(servers=("a",))
_RESULT = McpServerResult(server="a", transport="stdio", status="completed", duration_ms=3)
_CONNECTED = McpConnectEnd(status="completed", results=(_RESULT,))
_TOOLS = ToolListReady(tools=(ToolDescription(name="mcp__a__b"),))
_USAGE = TokenUsage(session=TokenCounts(total=7), request=TokenCounts(output=3, total=7))


def _nested(*payloads: Any, origin: tuple[str, ...] = ("c1",)) -> list[Message]:
    return [Message(payload=payload, origin=origin) for payload in payloads]


def _cut(parts: list[Any], limit: int = 1) -> int:
    """Return where a history of payloads and messages is cut."""
    made = [each if isinstance(each, Message) else Message(payload=each) for each in parts]
    return window(made, limit).start


@pytest.mark.parametrize(
    ("history", "start"),
    [
        ([], 0),
        ([_SAID], 0),
        ([_DO, _SAID], 0),
        ([_DO, _SAID, _DO, _SAID], 2),
        ([_DO, _SAID, _IMAGE, _SAID], 2),
        # Steering and summaries start no task; no image is parted from its steering.
        ([_DO, _LEFT, _IMAGE, _SAID], 0),
        ([_DO, _SUMMARY, _SAID], 0),
        # No call is parted from what speaks of it.
        ([_DO, _CALL, _DO, _OUTPUT, _SAID], 0),
        ([_DO, _CALL, _DO, _ALLOW, _SAID], 0),
        ([_DO, _OUTPUT, _DO, _CALL, _SAID], 0),
        ([_DO, _CALL, _OUTPUT, _DO, _SAID], 3),
        ([_DO, _CALL, _DO, _OUTPUT, _DO, _SAID], 4),
        # A call that nothing speaks of any more keeps nothing together.
        ([_DO, _CALL, _DO, _SAID], 2),
        # No compaction is split: inside it nothing starts a task.
        ([_DO, _BEGIN, _DO, _END, _SAID], 0),
        ([_DO, _BEGIN, _END, _DO, _SAID], 3),
        # Connections, and the tools they offer.
        ([_DO, _CONNECT, _DO, _CONNECTED, _SAID], 0),
        ([_DO, _CONNECT, _CONNECTED, _DO, _TOOLS, _SAID], 0),
        ([_DO, _CONNECT, _CONNECTED, _TOOLS, _DO, _SAID], 4),
        # No nested session on both sides, nor a card and the session that names it.
        ([_DO, *_nested(_DO), _DO, *_nested(_SAID), _SAID], 0),
        ([_DO, *_nested(_DO, _SAID), _DO, _SAID], 3),
        ([_DO, *_nested(_DO), _DO, *_nested(_SAID, origin=("c1", "d1")), _SAID], 0),
        ([_DO, *_nested(_DO), _DO, *_nested(_DO, origin=("c2",)), _SAID], 2),
        (
            [_DO, _CALL, _DO, *_nested(evolve(METAS[0], parent_tool_call_id="t1")), _SAID],
            0,
        ),
        (
            [
                *[_DO, _CALL, _DO],
                *_nested(evolve(_DO, extra=JsonObject({"parent_tool_call_id": "t1"}))),
                _SAID,
            ],
            0,
        ),
    ],
)
def test_a_cut_parts_nothing(history: list[Any], start: int) -> None:
    assert _cut(history) == start


@pytest.mark.parametrize(
    ("limit", "start"),
    [(-3, 4), (0, 4), (2, 4), (3, 2), (4, 2), (5, 0), (6, 0), (7, 0), (10**9, 0)],
)
def test_a_window_holds_at_least_its_limit(limit: int, start: int) -> None:
    assert _cut([_DO, _SAID] * 3, limit) == start


def test_a_nested_session_starts_no_task_of_the_main_one() -> None:
    stream = [*_nested(_DO), *timed([_DO, _SAID, _DO])]
    assert task_starts(stream) == [1, 3]


def test_a_history_that_is_not_cut_has_no_prior() -> None:
    stream = timed([_DO, _SAID])
    assert window(stream, 1) == Window(messages=tuple(stream), start=0, prior=None)


def test_the_prior_carries_totals_counters_and_names_but_no_item() -> None:
    goal = GoalFinished(outcome="done", rounds=1, tokens_used=2)
    task: list[Any] = [_DO, RequestBegin(), _CALL, _OUTPUT, _USAGE]
    stream = timed([*task, RequestEnd(status="completed"), goal, _DO, _SAID])
    cut = window(stream, 1)
    prior = cut.prior
    assert cut.start == 7
    assert prior is not None
    assert list(prior.items) == []
    assert prior.stats.session_total == 7
    assert prior.stats.session_elapsed_ms == 500
    assert prior.previous_ms == START_MS + 600
    assert dict(prior.calls.earlier) == {"t1": 1}
    assert not prior.task_open
    behind = replay(cut.messages, now_ms=0, session=prior)
    assert [item.key for item in behind.items] == ["user_text:2", "assistant_text:1"]
    assert behind.stats == replay(stream, now_ms=0).stats
    assert behind.goal == replay(stream, now_ms=0).goal


def test_a_call_id_that_comes_again_is_numbered_on() -> None:
    cut = window(timed([_DO, *[_CALL, _OUTPUT] * 2, _DO, _CALL, _OUTPUT]), 1)
    assert cut.prior is not None
    behind = replay(cut.messages, now_ms=0, session=cut.prior)
    assert [item.key for item in behind.items] == ["user_text:2", "tool_call:t1#3"]


def test_an_older_window_is_closed_as_the_next_start_closes_it() -> None:
    failed = RequestEnd(status="failed", retry_in_ms=500)
    stream = timed([_DO, failed, _BEGIN])
    closed = close_window(replay(stream, now_ms=0))
    waiting = next(item for item in closed.items if isinstance(item, ReconnectItem))
    running = next(item for item in closed.items if isinstance(item, CompactionItem))
    assert (waiting.gave_up, waiting.arrived_at_ms) == (True, None)
    assert (running.running, running.status) == (False, "aborted")
    assert not closed.task_open


def test_closing_and_leaving_nothing_is_nothing() -> None:
    assert close_window(Session()) == Session()
    assert prior_of(Session()) == Session()
