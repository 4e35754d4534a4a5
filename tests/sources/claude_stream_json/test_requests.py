from __future__ import annotations

from refold.messages import RequestBegin, RequestEnd, TokenUsage
from tests.sources.claude_stream_json.strategies import (
    assistant,
    event,
    fold,
    messages_of,
    payloads_of,
    result,
    text,
    tool_result,
    tool_use,
    usage,
    user,
)


def kinds(values: list[dict[str, object]]) -> list[str]:
    return [each.kind for each in payloads_of(values) if each.category == "event_msg"]


def test_a_request_ends_when_its_lane_goes_on_to_another_message() -> None:
    values = [
        assistant("m1", text("a"), usage=usage(1, 1)),
        assistant("m1", text("b"), usage=usage(1, 1)),
        assistant("m2", text("c"), usage=usage(2, 1)),
    ]

    assert kinds(values) == [
        "request_begin",
        "token_usage",
        "request_end",
        "request_begin",
        "token_usage",
    ]


def test_a_run_that_was_cut_counts_its_last_message_and_ends_no_request() -> None:
    values = [assistant("m", tool_use("t"), usage=usage(5, 1))]

    assert kinds(values) == ["request_begin", "token_usage"]
    assert fold(values).stats.session_total == 6


def test_a_request_begins_at_what_the_model_answers_to_and_ends_at_its_last_record() -> None:
    values = [
        user("go", timestamp="2026-01-01T00:00:00Z"),
        assistant("m1", tool_use("t"), timestamp="2026-01-01T00:00:04Z"),
        tool_result("t", timestamp="2026-01-01T00:00:05Z"),
        assistant("m2", text("a"), timestamp="2026-01-01T00:00:08Z"),
        assistant("m2", text("b"), timestamp="2026-01-01T00:00:09Z"),
        result(timestamp="2026-01-01T00:00:10Z"),
    ]
    times = [
        (type(message.payload), message.timestamp)
        for message in messages_of(values)
        if isinstance(message.payload, RequestBegin | RequestEnd)
    ]

    assert times == [
        (RequestBegin, "2026-01-01T00:00:00Z"),
        (RequestEnd, "2026-01-01T00:00:04Z"),
        (RequestBegin, "2026-01-01T00:00:05Z"),
        (RequestEnd, "2026-01-01T00:00:09Z"),
    ]


def test_the_figures_of_a_stream_count_where_a_run_was_cut() -> None:
    values = [
        event("message_start", message={"id": "m", "usage": usage(9, 1, 3)}),
        assistant("m", tool_use("t"), usage=usage(9, 1, 3)),
        tool_result("t"),
        event("message_delta", delta={"stop_reason": "tool_use"}, usage=usage(9, 41, 3)),
        event("message_stop"),
    ]
    used = [each.request for each in payloads_of(values) if isinstance(each, TokenUsage)]

    assert [(each.cache_read, each.output, each.total) for each in used] == [(3, 41, 53)]


def test_the_usage_of_a_message_counts_once_however_many_records_it_has() -> None:
    values = [
        assistant("m", text("a"), usage=usage(10, 1)),
        assistant("m", tool_use("t"), usage=usage(10, 310)),
        assistant("m", tool_use("u"), usage=usage(10, 310)),
    ]

    assert fold(values).stats.session_total == 320


def test_lanes_have_requests_and_sums_of_their_own() -> None:
    values = [
        assistant("m", tool_use("t", "Agent"), usage=usage(10, 1)),
        assistant("n", text("child"), usage=usage(20, 2), parent_tool_use_id="t"),
        tool_result("t"),
        assistant("o", text("done"), usage=usage(30, 3)),
        result(),
    ]
    session = fold(values)

    assert (session.stats.session_total, session.stats.subagent_total) == (44, 22)
    assert session.subagents["t"].stats.session_total == 22


def test_fresh_input_and_cache_writes_are_one_bucket() -> None:
    values = [user("a"), assistant("m", text("b"), usage=usage(1, 2, 4, 8)), result(), user("c")]
    row = fold(values).items[2]

    buckets = row.stats.tokens_by_bucket
    assert (buckets.cache_read, buckets.cache_write, buckets.output) == (4, 9, 2)
    assert row.stats.tokens == 15
