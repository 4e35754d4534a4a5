"""Requests come out of lines: grouped by response, the last line's tokens, never twice."""

from __future__ import annotations

from typing import Any

import pytest

from refold.messages import RequestEnd, TokenUsage
from tests.sources.claude_code.transcripts import (
    assistant,
    call,
    messages_of,
    payloads_of,
    result,
    system,
    text,
    thinking,
    tokens,
    user,
    view_of,
)


def shape(*records: Any) -> list[str]:
    return [each.kind for each in payloads_of(*records)]


def usages(*records: Any) -> list[tuple[int, int]]:
    return [
        (each.request.total, each.session.total)
        for each in payloads_of(*records)
        if isinstance(each, TokenUsage)
    ]


def test_a_turn_is_a_prompt_and_requests_with_the_usage_at_their_end() -> None:
    assert shape(
        user("hi"),
        assistant(thinking("hm"), uuid="a1", usage=tokens(2)),
        assistant(text("Sure."), uuid="a2", usage=tokens(2)),
        assistant(call("t"), uuid="a3", usage=tokens(57)),
        result("t"),
        assistant(text("Done"), uuid="a4", id="n", usage=tokens(5)),
    ) == [
        "text",
        "request_begin",
        "thinking",
        "text",
        "tool_call",
        "tool_call_output",
        "token_usage",
        "request_end",
        "request_begin",
        "text",
        "token_usage",
        "request_end",
    ]


def test_the_last_line_of_a_response_counts_its_tokens() -> None:
    assert usages(
        assistant(thinking("hm"), uuid="a1", usage=tokens(1, fresh=4)),
        assistant(call("t"), uuid="a2", usage=tokens(310, fresh=4)),
    ) == [(314, 314)]


def test_a_line_without_usage_forgets_none() -> None:
    assert usages(
        assistant(text("a"), uuid="a1", usage=tokens(7)), assistant(text("b"), uuid="a2")
    ) == [(7, 7)]


def test_a_result_between_the_lines_of_a_response_doesnt_end_it() -> None:
    assert shape(
        assistant(call("t1"), uuid="a1", usage=tokens(1)),
        result("t1", uuid="r1"),
        assistant(call("t2"), uuid="a2", usage=tokens(9)),
        result("t2", uuid="r2"),
    ) == [
        "request_begin",
        "tool_call",
        "tool_call_output",
        "tool_call",
        "tool_call_output",
        "token_usage",
        "request_end",
    ]


def test_the_session_sums_its_requests() -> None:
    assert usages(
        assistant(text("a"), uuid="a1", id="m", usage=tokens(5)),
        assistant(text("b"), uuid="a2", id="n", usage=tokens(7, read=100)),
    ) == [(5, 5), (107, 112)]


def test_a_copied_line_adds_nothing_wherever_it_stands() -> None:
    first = assistant(text("lol"), uuid="a1", usage=tokens(5), requestId="req")
    copy = assistant(text("lol"), uuid="b1", usage=tokens(5))
    other = assistant(text("kekr"), uuid="a2", id="n", usage=tokens(6))
    for records in ([first, copy, other], [first, other, copy]):
        assert usages(*records) == [(5, 5), (6, 11)]
        assert [each["text"] for each in view_of(*records)["items"]] == ["lol", "kekr"]


def test_two_equal_blocks_of_one_line_are_two() -> None:
    line = assistant(text("ha"), text("ha"))
    for records in ([line], [line, line], [line, assistant(text("b"), uuid="b", id="n"), line]):
        shown = [each["text"] for each in view_of(*records)["items"]]
        assert shown[:2] == ["ha", "ha"]
        assert shown.count("ha") == 2


def test_a_late_line_with_a_new_block_shows_it() -> None:
    other = assistant(text("b"), uuid="b", id="n")
    late = assistant(text("late"), uuid="c")
    view = view_of(assistant(text("a")), other, late, late)
    assert [each["text"] for each in view["items"]] == ["a", "b", "late"]


def test_a_late_line_adds_only_what_it_knows_more() -> None:
    assert usages(
        assistant(text("a"), uuid="a1", usage=tokens(3, fresh=4)),
        assistant(text("b"), uuid="b1", id="n", usage=tokens(1)),
        assistant(text("a"), uuid="a1", usage=tokens(159, fresh=4)),
        assistant(text("a"), uuid="a1", usage=tokens(2)),
    ) == [(7, 7), (156, 163), (1, 164)]


def test_a_copied_line_without_words_takes_no_tokens_back_and_is_no_later_end() -> None:
    silent = assistant(text(" "), uuid="a1", usage=tokens(1))
    said = assistant(text("a"), uuid="a2", usage=tokens(2), timestamp="2026-01-01T00:00:05.000Z")
    copy = {**silent, "timestamp": "2026-01-01T09:00:00.000Z"}
    assert usages(silent, said, copy) == [(2, 2)]
    assert messages_of(silent, said, copy)[-1].timestamp == "2026-01-01T00:00:05.000Z"


def test_a_copy_of_the_last_line_is_no_later_end_of_its_response() -> None:
    line = assistant(text("a"), uuid="a1", timestamp="2026-01-01T00:00:05.000Z")
    copy = assistant(text("a"), uuid="b1", timestamp="2026-01-01T09:00:00.000Z")
    end = messages_of(line, copy)[-1]
    assert (end.payload, end.timestamp) == (
        RequestEnd(status="completed"),
        "2026-01-01T00:00:05.000Z",
    )


def test_a_request_begins_at_the_last_thing_the_model_answers_to() -> None:
    begins = [
        each.timestamp
        for each in messages_of(
            user("hi", timestamp="2026-01-01T00:00:01.000Z"),
            assistant(call("t"), uuid="a1", timestamp="2026-01-01T00:00:03.000Z"),
            result("t", timestamp="2026-01-01T00:00:08.000Z"),
            assistant(text("b"), uuid="a2", id="n", timestamp="2026-01-01T00:00:09.000Z"),
        )
        if each.payload.kind == "request_begin"
    ]
    assert begins == ["2026-01-01T00:00:01.000Z", "2026-01-01T00:00:08.000Z"]


@pytest.mark.parametrize(
    "closing",
    [
        user("next", "u2"),
        system("turn_duration"),
        system("compact_boundary"),
        user("[Request interrupted by user for tool use]", "i"),
    ],
)
def test_what_ends_a_request_without_another_response(closing: dict[str, Any]) -> None:
    kinds = shape(user("hi"), assistant(text("a"), usage=tokens(1)), closing)
    assert kinds[:5] == ["text", "request_begin", "text", "token_usage", "request_end"]


@pytest.mark.parametrize(
    ("records", "status"),
    [
        ([user("[Request interrupted by user]", "i")], "aborted"),
        ([user("[Request interrupted by user for tool use]", "i")], "completed"),
        ([result("t"), user("[Request interrupted by user]", "i")], "completed"),
        ([user("next", "u2")], "completed"),
    ],
)
def test_a_request_is_aborted_only_if_it_was_cut(
    records: list[dict[str, Any]], status: str
) -> None:
    ends = [
        each.status
        for each in payloads_of(user("hi"), assistant(text("a"), call("t")), *records)
        if isinstance(each, RequestEnd)
    ]
    assert ends == [status]


def test_a_retry_ends_a_request_that_nobody_saw_begin() -> None:
    retry = system(
        "api_error",
        retryInMs=512.3,
        retryAttempt=1,
        error={"status": 529},
        timestamp="2026-01-01T00:00:02.000Z",
    )
    found = messages_of(
        user("hi", timestamp="2026-01-01T00:00:01.000Z"),
        retry,
        assistant(text("a"), timestamp="2026-01-01T00:00:04.000Z"),
    )
    assert [(each.payload.kind, each.timestamp) for each in found[2:6]] == [
        ("request_begin", "2026-01-01T00:00:01.000Z"),
        ("request_end", "2026-01-01T00:00:02.000Z"),
        ("session_meta", "2026-01-01T00:00:04.000Z"),
        ("fact", "2026-01-01T00:00:04.000Z"),
    ]
    assert found[3].payload == RequestEnd(
        status="failed", error_message="HTTP status 529", attempt=1, retry_in_ms=512
    )
    assert found[6].timestamp == "2026-01-01T00:00:02.512Z"


def test_an_error_in_the_middle_of_a_response_fails_it_with_its_usage() -> None:
    assert shape(
        user("hi"), assistant(text("ha"), usage=tokens(3)), system("api_error", error={})
    ) == ["text", "request_begin", "text", "token_usage", "request_end"]


def test_an_error_for_good_fails_the_request_and_is_told_as_a_notice() -> None:
    error = assistant(text("API Error: 529"), isApiErrorMessage=True, usage=tokens(0))
    view = view_of(user("hi"), system("api_error", retryAttempt=1, error={}), error)
    assert [item["kind"] for item in view["items"]] == [
        "user_text",
        "reconnect",
        "reconnect",
        "notice",
    ]
    assert view["items"][-1]["text"] == "API Error: 529"
    assert view["stats"]["session_total"] == 0


def test_a_request_tells_its_model_and_its_uncached_input() -> None:
    (usage,) = [
        each
        for each in payloads_of(assistant(text("a"), usage=tokens(1, fresh=2, written=30)))
        if isinstance(each, TokenUsage)
    ]
    assert dict(usage.extra) == {"model_id": "claude"}
    assert (usage.request.cache_write, dict(usage.request.extra)) == (32, {"input": 2})


def test_records_without_any_name_are_requests_of_their_own() -> None:
    nameless = {"message": {"role": "assistant", "content": "a", "usage": tokens(2)}}
    assert usages(nameless, nameless) == [(2, 2), (2, 4)]


def test_a_block_is_shown_once_however_many_a_response_has() -> None:
    lines = [assistant(text(f"said {number}"), uuid=f"a{number}") for number in range(100)]
    copies = [assistant(text(f"said {number}"), uuid=f"c{number}") for number in range(100)]
    assert shape(*lines, *copies).count("text") == 100
    assert shape(*lines, user("on", "u"), *copies).count("text") == 101
