"""Messages as requests: how they end, what they used."""

from __future__ import annotations

from typing import Any

import pytest

from refold.messages import TokenUsage
from refold.sources.anthropic_sse import SOURCE
from tests.sources.folding import folded, messages_from, said, view


def begin(ident: str = "m1", **message: Any) -> dict[str, Any]:
    return {"type": "message_start", "message": {"id": ident, **message}}


TEXT = {
    "type": "content_block_start",
    "index": 0,
    "content_block": {"type": "text", "text": "half"},
}
STOP = {"type": "message_stop"}


def kinds(*events: Any) -> list[str]:
    return [each.payload.kind for each in messages_from(SOURCE, events)]


def ends(*events: Any) -> list[str]:
    payloads = [each.payload for each in messages_from(SOURCE, events)]
    return [each.status for each in payloads if each.kind == "request_end"]  # type: ignore[union-attr]


def test_a_message_spliced_into_another_closes_it_as_cut() -> None:
    """census.md E1."""
    call = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    events = [
        begin("m1", content=[]),
        {"type": "content_block_start", "index": 0, "content_block": call},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": '{"v":'},
        },
        begin("m2", content=[]),
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    ]
    (card,) = view(SOURCE, events).items
    assert (card.call_stop_reason, card.arguments_text) == ("aborted", '{"v":')  # type: ignore[union-attr]
    assert ends(*events) == ["aborted", "aborted"]


def test_a_stream_cut_off_keeps_what_came() -> None:
    (item,) = view(SOURCE, [begin(), TEXT]).items
    assert (item.text, item.stop_reason) == ("half", "aborted")  # type: ignore[union-attr]


def test_a_message_that_said_why_it_stops_has_ended_even_without_its_stop() -> None:
    delta = {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn"},
        "usage": {"output_tokens": 1},
    }
    assert ends(begin(), TEXT, delta) == ["completed"]
    assert ends(begin(), TEXT, delta, begin("m2"), STOP) == ["completed", "completed"]


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("overloaded_error", "failed"),
        ("authentication_error", "auth"),
        ("permission_error", "auth"),
        ("timeout_error", "timeout"),
        (None, "failed"),
    ],
)
def test_an_error_fails_the_request_and_says_so(kind: str | None, status: str) -> None:
    error = {"type": "error", "error": {"type": kind, "message": "busy"}}
    assert ends(begin(), error) == [status]
    assert said(view(SOURCE, [begin(), error]))[-1] == ("notice", "busy")


def test_a_retry_is_not_glued_on_to_what_failed() -> None:
    """faults.md: one reply, and one closed fragment that says it failed."""
    error = {"type": "error", "error": {"type": "overloaded_error"}}
    done = {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": " done"},
    }
    session = folded(SOURCE, [begin(), TEXT, error, begin("m2"), TEXT, done, STOP])
    texts = [item for item in session.items if item.kind == "assistant_text"]
    assert [(each.text, each.stop_reason) for each in texts] == [  # type: ignore[union-attr]
        ("half", "failed"),
        ("half done", "completed"),
    ]


def test_blocks_in_the_start_of_a_message_are_shown_once() -> None:
    call = {"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}}
    events = [
        begin(content=[call]),
        STOP,
        begin("m2", content=[call, {"type": "text", "text": "x"}]),
        STOP,
    ]
    assert said(view(SOURCE, events)) == [("tool_call", '{"a": 1}'), ("assistant_text", "x")]


def test_usage_of_the_end_replaces_that_of_the_start_field_by_field() -> None:
    start = begin(usage={"input_tokens": 100, "cache_read_input_tokens": 7, "output_tokens": 1})
    delta = {
        "type": "message_delta",
        "delta": {},
        "usage": {"input_tokens": 200, "output_tokens": 50, "cache_read_input_tokens": None},
    }
    (usage,) = [
        each.payload
        for each in messages_from(SOURCE, [start, delta, STOP])
        if isinstance(each.payload, TokenUsage)
    ]
    assert (usage.request.cache_read, usage.request.cache_write, usage.request.output) == (
        7,
        200,
        50,
    )


def test_samplings_are_charged_one_by_one_and_compactions_on_top() -> None:
    iterations = [
        {"type": "message", "input_tokens": 10, "output_tokens": 1},
        {"type": "compaction", "input_tokens": 1000, "output_tokens": 100},
        {"type": "message", "input_tokens": 20, "output_tokens": 2},
    ]
    usage = {"input_tokens": 30, "output_tokens": 3, "iterations": iterations}
    stats = folded(SOURCE, [begin(usage=usage), STOP]).stats
    assert (stats.session_total, stats.context_now) == (1133, 22)


def test_samplings_that_do_not_add_up_are_not_believed() -> None:
    iterations = [{"type": "message", "input_tokens": 1, "output_tokens": 1}]
    usage = {"input_tokens": 30, "output_tokens": 3, "iterations": iterations}
    assert folded(SOURCE, [begin(usage=usage), STOP]).stats.session_total == 33


def test_a_model_is_told_when_it_changes() -> None:
    models = [begin(f"m{n}", model=model) for n, model in enumerate(["a", "a", "b"])]
    events = [each for begun in models for each in (begun, STOP)]
    facts = [
        each.payload.value for each in messages_from(SOURCE, events) if each.payload.kind == "fact"
    ]  # type: ignore[union-attr]
    assert facts == ["a", "b"]
    assert kinds(*events).count("session_meta") == 1


def test_a_whole_message_is_a_request_of_its_own() -> None:
    message = {
        "type": "message",
        "id": "m",
        "role": "assistant",
        "content": "hi",
        "usage": {"input_tokens": 1},
    }
    assert kinds(message) == ["session_meta", "request_begin", "text", "token_usage", "request_end"]
