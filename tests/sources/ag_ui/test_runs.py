"""Runs, steps and subagent invocations."""

from __future__ import annotations

from typing import Any

from refold.items import AbortItem, AssistantTextItem, ReconnectItem, ToolCallItem
from refold.sources.ag_ui import SOURCE
from tests.sources.folding import folded, messages_from, said, view

RUN = {"threadId": "t", "runId": "r"}
STARTED = {"type": "RUN_STARTED", **RUN}
FINISHED = {"type": "RUN_FINISHED", **RUN}


def kinds(*events: dict[str, Any]) -> list[str]:
    return [each.payload.kind for each in messages_from(SOURCE, events)]


def test_a_run_ends_a_request_and_begins_none() -> None:
    step = {"type": "STEP_STARTED", "stepName": "s"}
    assert kinds(STARTED, step, FINISHED) == ["session_meta", "fact", "request_end"]


def test_an_error_is_a_failed_request_that_was_given_up_and_keeps_what_streamed() -> None:
    events = [
        STARTED,
        {"type": "TEXT_MESSAGE_START", "messageId": "m"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "half"},
        {"type": "RUN_ERROR", "message": "no", "code": "E1"},
        FINISHED,
    ]
    text, failure, abort = view(SOURCE, events).items
    assert isinstance(text, AssistantTextItem)
    assert (text.text, text.stop_reason) == ("half", "failed")
    assert isinstance(failure, ReconnectItem)
    assert (failure.status, failure.gave_up) == ("failed", True)
    assert isinstance(abort, AbortItem)
    assert abort.reason == "E1: no"


def test_a_run_cut_by_the_next_is_aborted() -> None:
    events = [STARTED, {"type": "STEP_STARTED", "stepName": "s"}, STARTED, FINISHED]
    ends = [
        each.payload for each in messages_from(SOURCE, events) if each.payload.kind == "request_end"
    ]
    assert [each.status for each in ends] == ["aborted", "completed"]  # type: ignore[union-attr]


def test_a_cancelled_run_is_an_abort() -> None:
    assert kinds(STARTED, {**FINISHED, "outcome": {"type": "cancelled"}})[-2:] == [
        "request_end",
        "abort",
    ]


def test_an_interrupt_is_a_notice_for_each_question() -> None:
    asked = {"id": "i", "reason": "approval", "message": "Delete it?", "toolCallId": "c"}
    outcome = {"type": "interrupt", "interrupts": [asked, {"id": "j", "reason": "input"}]}
    assert said(view(SOURCE, [STARTED, {**FINISHED, "outcome": outcome}])) == [
        ("notice", "Delete it?"),
        ("notice", "input"),
    ]


def test_usage_is_the_sum_over_providers_and_models() -> None:
    usage = [
        {"model": "a", "inputTokens": 100, "cachedInputTokens": 60, "outputTokens": 10},
        {"model": "b", "inputTokens": 5, "outputTokens": 1, "totalTokens": 6},
    ]
    session = folded(
        SOURCE, [STARTED, {**FINISHED, "usage": usage}, STARTED, {**FINISHED, "usage": usage}]
    )
    assert session.stats.session_total == 2 * (100 + 10 + 5 + 1)


def test_a_step_is_a_fact_while_it_runs() -> None:
    step = {"type": "STEP_STARTED", "stepName": "plan"}
    done = {"type": "STEP_FINISHED", "stepName": "plan"}
    assert folded(SOURCE, [step]).facts["step"] == "plan"
    assert folded(SOURCE, [step, done]).facts["step"] is None


def test_a_subagent_is_a_nested_session_on_the_card_that_started_it() -> None:
    events = [
        {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "task"},
        {"type": "TOOL_CALL_END", "toolCallId": "c"},
        {
            "type": "SUBAGENT_STARTED",
            "subagentRunId": "s",
            "name": "searcher",
            "parentToolCallId": "c",
        },
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "found", "subagentRunId": "s"},
        {"type": "SUBAGENT_FINISHED", "subagentRunId": "s", "result": {"n": 1}},
        {"type": "TOOL_CALL_RESULT", "toolCallId": "c", "content": "1"},
    ]
    shown = view(SOURCE, events)
    (card,) = shown.items
    nested = shown.subagents["s"]
    assert isinstance(card, ToolCallItem)
    assert (card.subagent_session_id, nested.binding) == ("s", "explicit")
    assert said(nested) == [("assistant_text", "found")]
    assert (nested.facts["title"], nested.facts["status"]) == ("searcher", "finished")


def test_a_subagents_subagent_is_nested_in_it() -> None:
    events = [
        {"type": "SUBAGENT_STARTED", "subagentRunId": "s", "name": "a"},
        {"type": "SUBAGENT_STARTED", "subagentRunId": "d", "name": "b", "parentSubagentRunId": "s"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "deep", "subagentRunId": "d"},
    ]
    assert said(view(SOURCE, events).subagents["s"].subagents["d"]) == [("assistant_text", "deep")]


def test_subagents_in_parallel_stream_side_by_side() -> None:
    events = [
        {"type": "TEXT_MESSAGE_START", "messageId": who, "subagentRunId": who} for who in ("s", "d")
    ] + [
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": who, "delta": who, "subagentRunId": who}
        for who in ("s", "d")
    ]
    state = folded(SOURCE, events)
    assert {who: said(nested) for who, nested in state.subagents.items()} == {
        "s": [("assistant_text", "s")],
        "d": [("assistant_text", "d")],
    }


def test_a_failed_subagent_fails_alone() -> None:
    events = [
        STARTED,
        {"type": "SUBAGENT_STARTED", "subagentRunId": "s", "name": "a"},
        {"type": "SUBAGENT_ERROR", "subagentRunId": "s", "message": "no"},
        FINISHED,
    ]
    shown = view(SOURCE, events)
    assert [item.kind for item in shown.items] == ["subagent"]
    assert [item.kind for item in shown.subagents["s"].items] == ["reconnect", "abort"]


def test_subagents_that_name_each_other_as_parents_end_somewhere() -> None:
    events = [
        {
            "type": "SUBAGENT_STARTED",
            "subagentRunId": one,
            "name": one,
            "parentSubagentRunId": other,
        }
        for one, other in (("s", "d"), ("d", "s"), ("x", "x"))
    ]
    assert set(view(SOURCE, events).subagents) == {"d", "x"}


def test_a_chain_of_a_thousand_subagents_is_cut() -> None:
    events = [
        {
            "type": "SUBAGENT_STARTED",
            "subagentRunId": str(n),
            "name": "a",
            "parentSubagentRunId": str(n - 1),
        }
        for n in range(1000)
    ]
    assert max(len(each.origin) for each in messages_from(SOURCE, events)) == 64
