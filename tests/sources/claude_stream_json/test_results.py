from __future__ import annotations

from typing import Any

import pytest

from refold.json_values import freeze
from refold.messages import Abort, ApprovalDecision, RequestEnd, Text
from tests.sources.claude_stream_json.strategies import (
    assistant,
    fold,
    payloads_of,
    result,
    system,
    text,
    thinking,
    tool_use,
    usage,
    user,
)

WORKING = assistant("m", text("Working."))


def ends(values: list[Any]) -> list[Any]:
    return [each for each in payloads_of(values) if isinstance(each, RequestEnd | Abort)]


def test_a_success_completes_the_request() -> None:
    assert ends([WORKING, result()]) == [RequestEnd(status="completed")]


def test_too_many_turns_is_a_failed_run_though_it_is_no_error() -> None:
    values = [WORKING, result(subtype="error_max_turns", errors=[])]

    assert ends(values) == [RequestEnd(status="completed"), Abort(reason="error_max_turns")]


def test_the_errors_of_a_result_are_its_reason() -> None:
    values = [result(subtype="error_max_budget_usd", errors=["over 5 USD", "", 7, "stopped"])]

    assert ends(values) == [Abort(reason="error_max_budget_usd: over 5 USD; stopped")]


def test_a_success_that_calls_itself_an_error_is_a_failure_of_the_api() -> None:
    values = [WORKING, result(is_error=True, result="API Error: 529")]

    assert ends(values) == [
        RequestEnd(status="failed", error_message="API Error: 529"),
        Abort(reason="API Error: 529"),
    ]


@pytest.mark.parametrize("flag", [1, "true", None])
def test_only_true_is_an_error(flag: Any) -> None:
    assert ends([WORKING, result(is_error=flag)]) == [RequestEnd(status="completed")]


@pytest.mark.parametrize("reason", ["aborted_streaming", "aborted_tools"])
def test_an_aborted_turn_is_an_interrupt(reason: str) -> None:
    values = [
        WORKING,
        result(subtype="error_during_execution", is_error=True, terminal_reason=reason),
    ]

    assert ends(values) == [RequestEnd(status="aborted"), Abort(reason="user_interrupt")]


def test_an_error_behind_an_interrupt_is_the_interrupt() -> None:
    interrupt = {
        "type": "control_request",
        "request_id": "interrupt-1",
        "request": {"subtype": "interrupt"},
    }
    failed = result(subtype="error_during_execution", is_error=True)

    assert ends([WORKING, interrupt, failed])[-1] == Abort(reason="user_interrupt")
    assert ends([WORKING, failed])[-1] == Abort(reason="error_during_execution")
    assert ends([WORKING, interrupt, result(), WORKING, failed])[-1] == Abort(
        reason="error_during_execution"
    )


def test_an_abort_closes_what_is_open() -> None:
    values = [
        user("a"),
        assistant("m", tool_use("t")),
        result(subtype="error_during_execution", terminal_reason="aborted_tools"),
    ]

    assert fold(values).items[1].output_stop_reason == "aborted"


def test_denials_are_decisions_on_their_calls() -> None:
    values = [
        assistant("m", tool_use("t")),
        result(permission_denials=[{"tool_name": "Bash", "tool_use_id": "t"}, {}, None, "x"]),
    ]

    assert [each for each in payloads_of(values) if isinstance(each, ApprovalDecision)] == [
        ApprovalDecision(decision="deny", tool_call_id="t")
    ]
    assert fold(values).items[0].decision == "deny"


def test_the_text_of_a_result_is_shown_where_the_turn_said_nothing() -> None:
    assert [each.text for each in fold([result(result="4")]).items] == ["4"]
    assert [
        each.kind for each in fold([assistant("m", thinking("hm")), result(result="4")]).items
    ] == [
        "thinking",
        "assistant_text",
    ]


@pytest.mark.parametrize("words", ["Working.", "Work", "", None])
def test_the_text_of_a_result_is_not_shown_where_the_turn_spoke(words: Any) -> None:
    assert [each.text for each in fold([WORKING, result(result=words)]).items] == ["Working."]


def test_a_second_turn_that_says_nothing_shows_the_text_of_its_result() -> None:
    values = [user("a"), WORKING, result(result="Working."), user("/cost"), result(result="$1")]

    assert [each.text for each in payloads_of(values) if isinstance(each, Text)] == [
        "a",
        "Working.",
        "/cost",
        "$1",
    ]


def test_what_a_result_tells_is_facts() -> None:
    values = [
        system("init", model="m"),
        result(
            total_cost_usd=0.25,
            num_turns=2,
            duration_ms=812,
            modelUsage={"m": {"inputTokens": 3, "contextWindow": 200000}},
            structured_output={"answer": 4},
        ),
    ]
    facts = fold(values).facts

    assert facts["cost_usd"] == 0.25
    assert facts["context_window"] == 200000
    assert facts["structured_output"] == freeze({"answer": 4})
    assert facts["turn"] == freeze({"subtype": "success", "num_turns": 2, "duration_ms": 812})
    assert facts["model_usage"] == freeze({"m": {"inputTokens": 3, "contextWindow": 200000}})


def test_the_tokens_of_a_result_are_the_turns() -> None:
    values = [
        user("a"),
        assistant("m", text("b"), usage=usage(2, 3, 0, 12069)),
        result(usage=usage(2, 17, 0, 12069)),
    ]
    stats = fold(values).stats

    assert (stats.session_total, stats.context_now) == (12088, 12088)


def test_a_result_may_stand_anywhere() -> None:
    before = [WORKING, result(usage=usage(1, 1)), system("hook_response", outcome="success")]
    summary = system("post_turn_summary", status_category="done")

    assert [each.kind for each in fold(before).items] == ["assistant_text"]
    assert fold([WORKING, summary, result()]).facts["turn_summary"] == freeze(
        {"status_category": "done"}
    )


def test_several_results_behind_one_prompt_count_once_each() -> None:
    values = [
        user("a"),
        assistant("m1", text("b"), usage=usage(1, 1)),
        result(usage=usage(1, 5)),
        assistant("m2", text("c"), usage=usage(2, 1)),
        result(usage=usage(2, 7)),
    ]

    assert fold(values).stats.session_total == 15


def test_a_run_without_a_result_is_unfinished() -> None:
    values = [user("a"), assistant("m", tool_use("t"))]

    assert fold(values).task_open
    assert ends(values) == []
