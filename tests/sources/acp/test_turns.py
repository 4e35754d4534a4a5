"""Prompts start tasks, and their ends say how."""

from __future__ import annotations

from refold.messages import Abort, RequestEnd
from refold.sources.acp import SOURCE
from tests.sources.acp.wire import (
    S,
    asks,
    call,
    cancelled,
    ended,
    prompt,
    request,
    result,
    said,
    update,
)
from tests.sources.readings import items, kinds, messages_of, texts, view_of


def test_a_prompt_and_its_answer_are_a_task_without_a_rate_of_tokens() -> None:
    usage = {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}
    view = view_of(SOURCE, [prompt("hi"), said("hello"), ended(usage=usage)])
    assert kinds(view) == ["user_text", "assistant_text", "task_stats"]
    stats = items(view, "task_stats")[0]["stats"]
    assert (stats["tokens"], stats.get("output_tps")) == (15, None)


def test_a_refusal_and_a_limit_are_noted() -> None:
    for reason in ("refusal", "max_tokens", "max_turn_requests"):
        view = view_of(SOURCE, [prompt("hi"), said("no"), ended(reason)])
        assert items(view, "notice")[0]["name"] == reason


def test_a_cancellation_aborts_and_keeps_what_was_said() -> None:
    view = view_of(SOURCE, [prompt("hi"), said("hel"), cancelled(), ended("cancelled")])
    (words,) = items(view, "assistant_text")
    assert (words["text"], words["stop_reason"]) == ("hel", "aborted")
    assert items(view, "abort")[0]["reason"] == "cancelled"


def test_a_cancellation_with_nothing_to_cancel_says_nothing() -> None:
    view = view_of(SOURCE, [prompt("hi"), said("a"), ended(), cancelled()])
    assert kinds(view) == ["user_text", "assistant_text", "task_stats"]


def test_a_log_that_ends_while_cancelling_ends_aborted() -> None:
    view = view_of(SOURCE, [prompt("hi"), call(status="in_progress"), cancelled()])
    assert kinds(view) == ["user_text", "tool_call", "abort"]


def test_an_error_ends_the_task_as_failed() -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "too large"}}
    made = [each.payload for each in messages_of(SOURCE, [prompt("hi"), error])]
    assert made[-2:] == [
        RequestEnd(status="failed", error_message="too large"),
        Abort(reason="too large"),
    ]


def test_a_missing_login_is_a_failure_to_authenticate() -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "login"}}
    made = [each.payload for each in messages_of(SOURCE, [prompt("hi"), error])]
    assert made[-2] == RequestEnd(status="auth", error_message="login")


def test_in_version_2_the_response_accepts_and_the_idle_state_ends() -> None:
    records = [
        prompt("hi"),
        result(1, messageId="u1"),
        update("state_update", state="running"),
        update("user_message", messageId="u1", content=[{"type": "text", "text": "hi"}]),
        said("hel", messageId="m1"),
        update("state_update", state="idle", stopReason="cancelled"),
    ]
    view = view_of(SOURCE, records)
    assert kinds(view) == ["user_text", "assistant_text", "abort", "task_stats"]
    assert view["facts"]["status"] == "idle"


def test_a_response_whose_request_is_not_in_the_log_ends_the_turn() -> None:
    view = view_of(SOURCE, [said("a"), ended("cancelled", 77)])
    assert kinds(view) == ["assistant_text", "abort"]


def test_tokens_are_summed_over_prompts() -> None:
    def quota(input_tokens: int, output_tokens: int) -> dict[str, object]:
        count = {"input_tokens": input_tokens, "output_tokens": output_tokens}
        return {"quota": {"token_count": count}}

    records = [
        prompt("a", 1),
        said("b"),
        ended(identity=1, _meta=quota(100, 10)),
        prompt("c", 2),
        said("d"),
        ended(identity=2, _meta=quota(200, 20)),
    ]
    assert view_of(SOURCE, records)["stats"]["session_total"] == 330


def test_what_a_cache_gave_is_counted_once_whichever_way_the_agent_counts() -> None:
    beside = {
        "inputTokens": 10, "cachedReadTokens": 80, "cachedWriteTokens": 5, "outputTokens": 5,
        "totalTokens": 100,
    }  # fmt: skip
    inside = {"inputTokens": 95, "cachedReadTokens": 80, "outputTokens": 5, "totalTokens": 100}
    for usage in (beside, inside):
        view = view_of(SOURCE, [prompt("a"), said("b"), ended(usage=usage)])
        stats = items(view, "task_stats")[0]["stats"]
        assert stats["tokens_by_bucket"] == {"cache_read": 80, "cache_write": 15, "output": 5}


def test_prompts_of_a_pending_turn_follow_one_another() -> None:
    assert texts(view_of(SOURCE, [prompt("a", 1), prompt("b", 2), said("c")])) == ["a", "b", "c"]


def test_a_permission_still_open_at_a_cancellation_decides_nothing() -> None:
    records = [
        prompt("go"),
        asks(9, {"toolCallId": "t", "title": "rm"}),
        cancelled(),
        result(9, outcome={"outcome": "cancelled"}),
        ended("cancelled"),
    ]
    (card,) = items(view_of(SOURCE, records), "tool_call")
    assert (card.get("decision"), card["output_stop_reason"]) == (None, "aborted")


def test_requests_that_concern_no_view_say_nothing() -> None:
    records = [
        request(1, "fs/read_text_file", sessionId=S, path="/a"),
        result(1, content="x"),
        request(2, "authenticate", methodId="k"),
        result(2),
    ]
    assert kinds(view_of(SOURCE, records)) == []
