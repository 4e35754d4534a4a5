"""Where the analysis and the chat view show the same figure, they agree.

One test per figure, on engine-like streams, on chaos and on golden ones, each folded whole and
finalized. Every session of the tree is compared, nested ones with the view nested as deep.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from refold import Session, finalize, replay
from refold.analysis import Analysis, SessionFigures, TaskFigures, Tool, analyse
from refold.items import ToolCallItem
from refold.messages import Message, PartialToolCallOutput
from refold.recording import record
from tests.analysis.streams import GOLDEN, call, golden_stream, user
from tests.strategies import chaotic_streams, disciplined_streams, timed

Figure = tuple[Callable[[Session], Any], Callable[[SessionFigures, Analysis], Any]]


def _views(messages: list[Message], analysis: Analysis) -> list[Session]:
    views = [finalize(replay(messages, now_ms=0))]
    for session in analysis.sessions[1:]:
        assert session.parent is not None
        assert session.session_id is not None
        views.append(finalize(views[session.parent].subagents[session.session_id]))
    return views


def _rows(view: Session) -> list[Any]:
    """The stats of its ``task_stats``; a nested session has none (reducer.md rule 3)."""
    return [item.stats for item in view.items if item.kind == "task_stats" and item.stats]


def _used(session: SessionFigures) -> list[TaskFigures]:
    """The tasks that used tokens: those whose row has stats (rule 20)."""
    if session.parent is not None:
        return []
    return [
        task
        for task in session.tasks
        if task.compaction is None
        and task.usage.reports + task.nested.reports + task.compactions.reports
    ]


def _of_tasks(shown: Callable[[Any], Any], found: Callable[[TaskFigures], Any]) -> Figure:
    return (
        lambda view: [shown(row) for row in _rows(view)],
        lambda session, _: [found(task) for task in _used(session)],
    )


def _cards(view: Session) -> list[ToolCallItem]:
    """The cards that a complete call or output has placed."""
    return [
        item
        for item in view.items
        if item.kind == "tool_call" and (item.call_complete or item.output_complete)
    ]


def _of_tools(shown: Callable[[ToolCallItem], Any], found: Callable[[Tool], Any]) -> Figure:
    return (
        lambda view: [shown(card) for card in _cards(view)],
        lambda session, _: [found(tool) for tool in session.tools],
    )


def _of_kind(kind: str, shown: Callable[[Any], Any]) -> Callable[[Session], Any]:
    return lambda view: [shown(item) for item in view.items if item.kind == kind]


def _session_name(place: int | None, analysis: Analysis) -> str | None:
    return None if place is None else analysis.sessions[place].session_id


FIGURES: dict[str, Figure] = {
    "a task's elapsed time": _of_tasks(
        lambda row: row.elapsed_delta_ms, lambda task: task.times.elapsed_ms
    ),
    "a task's tokens": _of_tasks(
        lambda row: row.tokens_delta, lambda task: task.shown_tokens.total
    ),
    "a task's tokens by bucket": _of_tasks(
        lambda row: (
            row.tokens_by_bucket.cache_read,
            row.tokens_by_bucket.cache_write,
            row.tokens_by_bucket.output,
        ),
        lambda task: (
            task.shown_tokens.cache_read,
            task.shown_tokens.cache_write,
            task.shown_tokens.output,
        ),
    ),
    "a task's tokens per second": _of_tasks(
        lambda row: row.output_tps, lambda task: task.output_tps
    ),
    "a task's context": _of_tasks(lambda row: row.context, lambda task: task.context),
    "a session's elapsed time": (
        lambda view: view.stats.session_elapsed_ms,
        lambda session, _: session.times.elapsed_ms,
    ),
    "tokens of nested sessions": (
        lambda view: view.stats.subagent_total,
        lambda session, _: session.subtree.tokens.total - session.own.tokens.total,
    ),
    "how sessions are bound": (
        lambda view: view.binding,
        lambda session, _: session.binding,
    ),
    "a session's first time": (
        lambda view: view.first_ts_ms,
        lambda session, _: None if session.parent is None else session.first_ms,
    ),
    "what a session runs on": (
        lambda view: view.meta and (view.meta.agent_id, view.meta.provider, view.meta.source),
        lambda session, _: (
            None
            if session.parent is None or session.provider is None
            else (session.agent_id, session.provider, session.source)
        ),
    ),
    "a tool's id and name": _of_tools(
        lambda card: (card.tool_call_id, card.name if card.call_complete else ""),
        lambda tool: (tool.tool_call_id, tool.name),
    ),
    "a tool's decision": _of_tools(
        lambda card: (card.decision, card.approval_at_ms),
        lambda tool: (tool.decision, tool.approval_ms),
    ),
    "the session a tool started": (
        lambda view: [card.subagent_session_id for card in _cards(view)],
        lambda session, analysis: [_session_name(tool.session, analysis) for tool in session.tools],
    ),
    "reconnects": (
        _of_kind(
            "reconnect",
            lambda item: (
                item.status,
                item.attempt,
                item.planned_delay_ms,
                item.retrying,
                bool(item.gave_up),
            ),
        ),
        lambda session, _: [
            (each.status, each.attempt, each.planned_delay_ms, each.retrying, each.gave_up)
            for each in session.reconnects
        ],
    ),
    "aborts": (
        _of_kind("abort", lambda item: item.reason),
        lambda session, _: [each.reason for each in session.aborts],
    ),
}

# A partial of a call whose complete never comes, or comes behind an output, leaves its own trace
# in the view; engines don't do that.
DISCIPLINED_FIGURES: dict[str, Figure] = {
    "a tool's duration": _of_tools(lambda card: card.duration_ms, lambda tool: tool.duration_ms),
    "when a tool was called": _of_tools(
        lambda card: (card.arg_started_at_ms, card.call_started_at_ms),
        lambda tool: (tool.args_begin_ms, tool.call_ms),
    ),
}

# An output that ended as it streamed and was never completed ended so in the chat alone: a trace
# doesn't hold it, and figures are the same of a capture and of its trace.
RECORDED_FIGURES: dict[str, Figure] = {
    "how a tool ended": _of_tools(
        lambda card: card.output_stop_reason, lambda tool: tool.output_stop_reason
    ),
}


_STREAMED = [
    PartialToolCallOutput(
        role="user", event_type=piece, output="no", tool_call_id="t1", stop_reason=reason
    )
    for piece, reason in (("start", None), ("stop", "failed"))
]


def _agree(messages: list[Message], figure: Figure) -> None:
    analysis = analyse(messages)
    shown, found = figure
    for view, session in zip(_views(messages, analysis), analysis.sessions, strict=True):
        assert found(session, analysis) == shown(view)


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=30)
@given(st.one_of(disciplined_streams(), chaotic_streams(max_size=60)))
def test_figure_agrees_with_the_chat(name: str, messages: list[Message]) -> None:
    """Any stream: the analysis and the view show the same."""
    _agree(messages, FIGURES[name])


@pytest.mark.parametrize("name", DISCIPLINED_FIGURES)
@settings(max_examples=30)
@given(disciplined_streams())
def test_figure_agrees_on_engine_like_streams(name: str, messages: list[Message]) -> None:
    """Streams that keep the discipline of protocol.md: these agree too."""
    _agree(messages, DISCIPLINED_FIGURES[name])


@pytest.mark.parametrize("name", RECORDED_FIGURES)
@settings(max_examples=30)
@given(st.one_of(disciplined_streams(), chaotic_streams(max_size=60)))
@example(timed([user(), user(), user(), call("t1", "run_subagent")]))
@example(timed([user(), call("t1"), *_STREAMED]))
def test_figure_agrees_on_what_a_trace_holds(name: str, messages: list[Message]) -> None:
    """Any stream, as a trace writer keeps it."""
    _agree(list(record(messages)), RECORDED_FIGURES[name])


def test_an_output_that_only_streamed_ended_so_in_the_chat_alone() -> None:
    messages = timed([user(), call("t1"), *_STREAMED])
    (view,) = _views(messages, analyse(messages))
    assert [card.output_stop_reason for card in _cards(view)] == ["failed"]
    assert [tool.output_stop_reason for tool in analyse(messages).main.tools] == ["aborted"]


@pytest.mark.parametrize("stream", GOLDEN)
@pytest.mark.parametrize("name", FIGURES | DISCIPLINED_FIGURES | RECORDED_FIGURES)
def test_figure_agrees_on_recorded_streams(name: str, stream: str) -> None:
    """Recorded sessions: all figures agree."""
    figures = FIGURES | DISCIPLINED_FIGURES | RECORDED_FIGURES
    _agree(golden_stream(stream), figures[name])
