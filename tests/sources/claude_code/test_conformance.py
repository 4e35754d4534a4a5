"""The oddities of recorded transcripts, one minimal case each (sources/census.md C1 to C21)."""

from __future__ import annotations

from typing import Any

import pytest

from refold.sources.claude_code import SOURCE
from tests.sources.claude_code.transcripts import (
    Raw,
    assistant,
    call,
    facts_of,
    kinds,
    result,
    step_all,
    system,
    text,
    thinking,
    tokens,
    user,
    view_of,
)


def total(view: Raw) -> int:
    found: int = view["stats"]["session_total"]
    return found


def test_c1_a_response_over_many_lines_counts_its_last_line() -> None:
    view = view_of(
        assistant(thinking("t"), uuid="a", usage=tokens(1)),
        assistant(call("t1"), uuid="b", usage=tokens(310)),
    )
    assert kinds(view) == ["thinking", "tool_call"]
    assert total(view) == 310


def test_c2_results_between_the_lines_of_a_response_answer_their_calls() -> None:
    view = view_of(
        assistant(call("t1"), uuid="a", usage=tokens(1)),
        result("t1", "one", "r1"),
        assistant(call("t2"), uuid="b", usage=tokens(1)),
        result("t2", "two", "r2"),
    )
    assert [item["output"] for item in view["items"]] == ["one", "two"]
    assert total(view) == 1


def test_c3_a_result_off_the_path_from_the_last_leaf_is_shown() -> None:
    view = view_of(
        assistant(call("t1"), uuid="a"),
        assistant(call("t2"), uuid="b", parentUuid="a"),
        result("t1", "one", "ra", parentUuid="a"),
        result("t2", "two", "rb", parentUuid="b"),
        assistant(text("c"), uuid="c", id="n", parentUuid="rb"),
    )
    assert [item.get("output") for item in view["items"]] == ["one", "two", None]


def test_c4_the_reply_a_resume_makes_up_shows_nothing_and_hides_nothing() -> None:
    made_up = assistant(text("No response requested."), uuid="x", id="n", parentUuid="u")
    made_up["message"]["model"] = "<synthetic>"
    view = view_of(user("hi"), assistant(text("real"), parentUuid="u"), made_up)
    assert [item["text"] for item in view["items"] if "text" in item] == ["hi", "real"]
    assert kinds(view) == ["user_text", "assistant_text", "task_stats"]


def test_c5_times_that_step_back_keep_the_order_and_make_no_negative_duration() -> None:
    view = view_of(
        assistant(call("t1"), timestamp="2026-01-01T00:00:00.002Z"),
        result("t1", timestamp="2026-01-01T00:00:00.001Z"),
    )
    assert view["items"][0]["duration_ms"] == 0


def test_c6_a_compaction_begins_no_new_conversation() -> None:
    view = view_of(
        user("hi", parentUuid=None),
        system("compact_boundary", parentUuid=None, logicalParentUuid="x"),
        user("so far", "s", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        assistant(text("on")),
    )
    assert kinds(view) == ["user_text", "compaction", "assistant_text", "task_stats"]


def test_c7_titles_and_snapshots_are_no_part_of_the_conversation() -> None:
    records = [
        {"type": "summary", "summary": "Other", "leafUuid": "nowhere"},
        user("hi"),
        {"type": "file-history-snapshot", "messageId": "u", "snapshot": {}},
    ]
    assert kinds(view_of(*records)) == ["user_text"]
    assert "title" not in facts_of(*records)


def test_c8_a_parent_that_is_not_there_detaches_nothing() -> None:
    assert kinds(view_of(assistant(text("x"), parentUuid="missing"))) == ["assistant_text"]


def test_c10_interleaved_session_ids_are_one_stream_in_the_order_of_the_file() -> None:
    owners = {"a": "s", "b": "s2", "c": "s"}
    records = [user(each, each, sessionId=owner) for each, owner in owners.items()]
    assert [item["text"] for item in view_of(*records)["items"]] == ["a", "b", "c"]


def test_c11_a_sidechain_belongs_to_its_agent() -> None:
    view = view_of(user("sub task", isSidechain=True, agentId="a0", parentUuid=None))
    assert kinds(view) == ["subagent"]
    assert view["subagents"]["a0"]["items"][0]["text"] == "sub task"


def test_c13_what_the_client_writes_as_the_user_is_no_prompt() -> None:
    view = view_of(
        user("<task-notification>done</task-notification>", "u"),
        user([text("[Request interrupted by user]")], "v"),
        user("<local-command-stdout>ok</local-command-stdout>", "w"),
        user("Caveat", "x", isMeta=True),
    )
    assert kinds(view) == ["notice", "abort"]


def test_c14_a_retry_then_a_failure_and_no_words_of_the_model() -> None:
    failure = assistant(text("API Error: 529"), uuid="x", isApiErrorMessage=True, usage=tokens(1))
    retry = system("api_error", retryInMs=512.3, retryAttempt=1, error={"status": 529})
    view = view_of(user("hi"), retry, failure)
    assert kinds(view) == ["user_text", "reconnect", "reconnect", "notice"]
    assert view["items"][1]["planned_delay_ms"] == 512
    assert total(view) == 0


def test_c15_a_call_that_nobody_answers_ends_with_its_task() -> None:
    view = view_of(user("hi"), assistant(call("t")), user("next", "u2"))
    assert view["items"][1]["output_stop_reason"] == "aborted"


def test_c16_a_thought_of_nothing_but_a_signature_shows_nothing() -> None:
    assert kinds(view_of(assistant(thinking("")))) == []


def test_c17_an_unknown_block_is_kept_and_a_change_of_model_told() -> None:
    change = {"type": "fallback", "from": {"model": "x"}, "to": {"model": "y"}}
    (notice,) = view_of(assistant(change))["items"]
    assert (notice["name"], notice["data"]) == ("model_fallback", change)


def test_c19_the_last_title_counts() -> None:
    titles = [{"type": "custom-title", "customTitle": each, "sessionId": "s"} for each in "AB"]
    assert facts_of(*titles) == {"title": "B"}


def test_c20_one_response_under_two_request_ids_is_one() -> None:
    view = view_of(
        assistant(text("x"), uuid="a", requestId="r1", usage=tokens(1)),
        assistant(text("x"), uuid="b", requestId="r2", usage=tokens(1)),
    )
    assert (kinds(view), total(view)) == (["assistant_text"], 1)


def test_c21_the_session_may_move_and_change_its_model() -> None:
    other = assistant(text("b"), uuid="b", id="n", cwd="/v", version="2")
    other["message"]["model"] = "other"
    assert facts_of(assistant(text("a"), cwd="/w", version="1"), other) == {
        "client_version": "2",
        "cwd": "/v",
        "model": "other",
    }


@pytest.mark.parametrize(
    "record",
    [
        {"type": "dream", "uuid": "d", "sessionId": "s", "message": "none"},
        {"type": "system", "subtype": "of next year", "uuid": "d"},
        {"type": "user", "uuid": "d", "message": {"role": "user", "content": [{"type": "smell"}]}},
    ],
)
def test_what_next_years_version_writes_is_counted_and_harmless(record: Raw) -> None:
    records = [user("hi"), record, assistant(text("ok"))]
    state, _ = step_all(records)
    assert [each for each in SOURCE.counts(state) if each.startswith("unknown")] != []
    assert kinds(view_of(*records)) == ["user_text", "assistant_text", "task_stats"]


def test_the_reasons_that_are_counted_are_bounded() -> None:
    state, _ = step_all([{"type": f"kind {each}" + "x" * 200} for each in range(2000)])
    found = SOURCE.counts(state)
    assert len(found) <= 501
    assert sum(found.values()) == 2000
    assert max(len(each) for each in found) <= 80


@pytest.mark.parametrize("value", [None, True, 7, 1.5, "text", [], [{"type": "user"}]])
def test_what_is_no_object_is_counted(value: Any) -> None:
    state, messages = step_all([value])
    assert (messages, SOURCE.counts(state)) == ([], {"unknown: no object": 1})
