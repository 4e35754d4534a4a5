from __future__ import annotations

from typing import Any

import pytest

from refold.json_values import freeze
from refold.messages import (
    Notice,
    RequestBegin,
    RequestEnd,
    SessionMeta,
    ToolDescription,
    ToolListReady,
)
from refold.sources.claude_stream_json.systems import SUBTYPES
from tests.sources.claude_stream_json.strategies import (
    assistant,
    fold,
    payloads_of,
    run,
    system,
    text,
    tool_result,
    tool_use,
)

INIT = system("init", model="m", cwd="/w", tools=["Bash", "mcp__x__y"], permissionMode="default")


def test_an_init_tells_the_session_and_its_tools() -> None:
    assert payloads_of([INIT])[:2] == [
        SessionMeta(
            session_id="s",
            provider="anthropic",
            model_id="m",
            model_context_window=0,
            system_prompt="",
            agent_state="",
            workspace="/w",
        ),
        ToolListReady(
            tools=(ToolDescription(name="Bash"), ToolDescription(name="mcp__x__y")),
        ),
    ]
    assert dict(fold([INIT]).facts) == {"model": "m", "permission_mode": "default"}


def test_an_init_that_comes_again_says_only_what_is_new() -> None:
    assert payloads_of([INIT, INIT]) == payloads_of([INIT])
    changed = payloads_of([INIT, {**INIT, "model": "n"}])[len(payloads_of([INIT])) :]
    assert [each.kind for each in changed] == ["session_meta", "fact"]


def test_an_init_may_hold_anything() -> None:
    assert payloads_of([system("init", model=7, cwd=[], tools={"a": 1}, mcp_servers=None)])


def test_a_retry_ends_its_request_and_the_next_message_is_the_retry() -> None:
    retry = system(
        "api_retry", attempt=1, retry_delay_ms=512.3, error_status=529, error="overloaded"
    )
    values = [retry, assistant("m", text("a"))]
    requests = [each for each in payloads_of(values) if isinstance(each, RequestBegin | RequestEnd)]

    assert requests == [
        RequestBegin(),
        RequestEnd(status="failed", error_message="overloaded", attempt=1, retry_in_ms=512),
        RequestBegin(),
    ]
    item = fold(values).items[0]
    assert (item.kind, item.attempt, item.retrying, item.planned_delay_ms) == (
        "reconnect",
        1,
        True,
        512,
    )


def test_every_retry_shows_and_only_the_last_waits() -> None:
    values = [system("api_retry", attempt=number, retry_delay_ms=500) for number in (1, 2, 3)]

    assert [(each.attempt, each.retrying) for each in fold(values).items] == [
        (1, True),
        (2, True),
        (3, False),
    ]


@pytest.mark.parametrize("delay", [None, "512", True, -5, float("nan"), float("inf"), []])
def test_a_delay_that_is_none_is_left_out(delay: Any) -> None:
    end = payloads_of([system("api_retry", retry_delay_ms=delay)])[1]

    assert end == RequestEnd(status="failed")


def test_a_refused_credential_is_no_reconnect() -> None:
    values = [system("api_retry", attempt=1, error_status=401, error="authentication_failed")]

    assert payloads_of(values)[1] == RequestEnd(
        status="auth", error_message="authentication_failed", attempt=1
    )
    assert list(fold(values).items) == []


def test_a_hook_shows_only_if_it_failed() -> None:
    fine = system("hook_response", hook_name="Start", exit_code=0, outcome="success", output="x")
    failed = system("hook_response", hook_name="Stop", exit_code=2, outcome="error", stderr="no")

    assert payloads_of([system("hook_started"), fine]) == []
    assert payloads_of([failed]) == [
        Notice(
            name="hook",
            text="no",
            data=freeze({"hook_name": "Stop", "outcome": "error", "exit_code": 2}),
        )
    ]


def report(**fields: Any) -> dict[str, Any]:
    return system(
        "task_notification",
        task_id="b1",
        tool_use_id="t",
        status="completed",
        summary="Tests",
        **fields,
    )


def test_a_task_that_reports_while_its_call_runs_is_the_calls_business() -> None:
    values = [assistant("m", tool_use("t")), report(), tool_result("t")]

    assert [each.kind for each in fold(values).items] == ["tool_call"]


def test_a_task_that_reports_behind_its_calls_result_is_a_notice() -> None:
    values = [assistant("m", tool_use("t")), tool_result("t", "in background"), report()]

    notice = fold(values).items[1]
    assert (notice.kind, notice.name, notice.text) == ("notice", "task_notification", "Tests")


def test_a_notification_is_a_notice() -> None:
    values = [system("notification", key="stop-hook-error", text="Stop hook error occurred")]

    assert payloads_of(values) == [Notice(name="notification", text="Stop hook error occurred")]
    assert payloads_of([system("notification")]) == []


def test_states_and_modes_are_facts() -> None:
    values = [
        system("status", status=None, permissionMode="plan"),
        system("session_state_changed", state="idle"),
    ]

    assert dict(fold(values).facts) == {"permission_mode": "plan", "status": "idle"}


def test_a_subtype_nobody_knows_is_counted() -> None:
    values = [system("next_years"), {"type": "system"}]

    assert run(values) == (
        [],
        {"unknown system record: next_years": 1, "unknown system record: without a type": 1},
    )


@pytest.mark.parametrize("subtype", sorted(SUBTYPES))
def test_a_record_without_its_fields_is_harmless(subtype: str) -> None:
    assert run([{"type": "system", "subtype": subtype}])[1] == {}
