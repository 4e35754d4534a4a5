"""What a reading means for its lane, as a person sees it."""

from __future__ import annotations

from typing import Any

import pytest

from refold.messages import (
    Abort,
    ApprovalDecision,
    CompactionBegin,
    CompactionEnd,
    Notice,
    Text,
    ToolCallOutput,
)
from tests.sources.claude_code.transcripts import (
    assistant,
    call,
    facts_of,
    kinds,
    messages_of,
    payloads_of,
    result,
    system,
    text,
    tokens,
    user,
    view_of,
)

PICTURE = {"type": "image", "source": {"data": "AA==", "media_type": "image/png"}}


def test_a_small_session_reads_as_it_went() -> None:
    view = view_of(
        user("read TODO", "u1"),
        assistant(call("t1", "Read", file_path="TODO.md"), uuid="a1", id=None),
        result("t1", "todo contents", "r1"),
        {
            "type": "attachment",
            "uuid": "q1",
            "attachment": {"type": "queued_command", "prompt": "STOP", "commandMode": "prompt"},
        },
        assistant(text("hello"), uuid="a2", id=None),
        user("<bash-input>pwd</bash-input>", "b1"),
        user("<bash-stdout>/tmp</bash-stdout><bash-stderr></bash-stderr>", "b2"),
    )
    assert kinds(view) == [
        "user_text",
        "tool_call",
        "user_steering",
        "assistant_text",
        "notice",
        "notice",
        "task_stats",
    ]
    card = view["items"][1]
    assert (card["name"], card["output"], card["output_stop_reason"]) == (
        "Read",
        "todo contents",
        "completed",
    )


def test_an_interrupt_stops_the_task_and_what_runs() -> None:
    view = view_of(
        user("write"),
        assistant(text("Once"), call("t")),
        user("[Request interrupted by user]", "i"),
        user("never mind", "u2"),
    )
    assert kinds(view) == [
        "user_text",
        "assistant_text",
        "tool_call",
        "abort",
        "task_stats",
        "user_text",
    ]
    assert view["items"][2]["output_stop_reason"] == "aborted"
    assert view["items"][3]["reason"] == "user_interrupt"


def test_a_refusal_is_a_decision_and_its_wait_is_no_model_time() -> None:
    refusal = "The user doesn't want to proceed with this tool use. STOP"
    records = [
        user("hi", timestamp="2026-01-01T00:00:00.000Z"),
        assistant(call("t"), usage=tokens(10), timestamp="2026-01-01T00:00:05.000Z"),
        result("t", refusal, is_error=True, timestamp="2026-01-01T00:05:00.000Z"),
        user("[Request interrupted by user for tool use]", "i"),
    ]
    said = payloads_of(*records)
    assert said[-3:] == [
        ApprovalDecision(decision="deny", tool_call_id="t"),
        ToolCallOutput(role="user", output=refusal, tool_call_id="t", stop_reason="aborted"),
        Abort(reason="user_interrupt_tool"),
    ]
    view = view_of(*records)
    assert view["items"][1]["decision"] == "deny"
    assert view["items"][-1]["stats"]["output_tps"] == 2.0


def test_a_compaction_is_one_item_and_its_summary_is_hidden() -> None:
    records = [
        user("hi", "u1"),
        assistant(call("t"), uuid="a1"),
        result("t"),
        system(
            "compact_boundary",
            compactMetadata={"trigger": "auto", "preTokens": 155000, "durationMs": 2000},
            timestamp="2026-01-01T00:00:10.000Z",
        ),
        user("This session goes on", "s1", isCompactSummary=True),
        assistant(text("going on"), uuid="a2", id="n"),
    ]
    begin, end, summary = payloads_of(*records)[5:8]
    assert begin == CompactionBegin(reason="context", mode="summarize", context=155000, turns=0)
    assert end == CompactionEnd(reason="context", mode="summarize", status="completed")
    assert summary == Text(
        role="user", text="[context_summary]\nThis session goes on", sender="harness"
    )
    view = view_of(*records)
    assert kinds(view) == ["user_text", "tool_call", "compaction", "assistant_text", "task_stats"]
    assert view["items"][2]["duration_ms"] == 2000


def test_a_summary_without_a_boundary_implies_one_and_two_make_one() -> None:
    summary = user("goes on", "s1", isCompactSummary=True)
    boundary = system("compact_boundary", "b1")
    for records in ([summary], [boundary, summary], [boundary, boundary, summary, summary]):
        assert kinds(view_of(user("hi"), *records)) == ["user_text", "compaction"]


def test_images_are_kept_in_prompts_and_results() -> None:
    url = "data:image/png;base64,AA=="
    view = view_of(
        user([text("look"), PICTURE]),
        assistant(call("t", "Read")),
        result("t", [PICTURE, text("1 image")]),
    )
    assert view["items"][1]["image_url"] == url
    assert view["items"][2]["images"] == [url]
    assert view["items"][2]["output"] == "1 image"


def test_a_failed_tool_says_so() -> None:
    view = view_of(assistant(call("t")), result("t", "Exit code 1", is_error=True))
    assert view["items"][0]["output_stop_reason"] == "failed"


def test_a_result_in_the_middle_of_nowhere_is_kept() -> None:
    view = view_of(result("gone", "late"), assistant(text("ok")))
    assert [(item["kind"], item.get("output")) for item in view["items"]] == [
        ("tool_call", "late"),
        ("assistant_text", None),
    ]


def test_calls_without_ids_are_answered_by_results_without_ids() -> None:
    nameless = {"type": "tool_use", "name": "bash", "input": {"command": "ls"}}
    answer = [{"type": "tool_result", "content": "a.txt"}]
    view = view_of(
        assistant(text("x"), nameless, uuid="a1", id=None),
        assistant(nameless, uuid="a2", id=None),
        user(answer, "r2", parentUuid="a2"),
        user(answer, "r1", sourceToolAssistantUUID="a1"),
        user(answer, "r3"),
    )
    cards = [item for item in view["items"] if item["kind"] == "tool_call"]
    assert [(card["tool_call_id"], card["name"], card["output"]) for card in cards] == [
        ("a1.1", "bash", "a.txt"),
        ("a2.0", "bash", "a.txt"),
        ("r3.0", "", "a.txt"),
    ]


@pytest.mark.parametrize(
    ("records", "facts"),
    [
        (
            [{"type": "custom-title", "customTitle": "A"}, {"type": "ai-title", "aiTitle": "B"}],
            {"title": "A"},
        ),
        (
            [{"type": "ai-title", "aiTitle": "B"}, {"type": "custom-title", "customTitle": "A"}],
            {"title": "A"},
        ),
        ([{"type": "summary", "summary": "Other", "leafUuid": "not-here"}], {}),
        (
            [user("hi", "u9"), {"type": "summary", "summary": "Mine", "leafUuid": "u9"}],
            {"title": "Mine"},
        ),
        (
            [
                {"type": "custom-title", "customTitle": "A"},
                {"type": "custom-title", "customTitle": "B"},
            ],
            {"title": "B"},
        ),
        (
            [user("hi", gitBranch="x", permissionMode="plan", version="2.1.0", effort="high")],
            {
                "git_branch": "x",
                "permission_mode": "plan",
                "client_version": "2.1.0",
                "effort": "high",
            },
        ),
        ([user("a", cwd="/w"), user("b", "u2", cwd="/w")], {}),
        ([user("a", cwd="/w"), user("b", "u2", cwd="/v")], {"cwd": "/v"}),
        ([user("a", forkedFrom={"sessionId": "old"})], {"forked_from": "old"}),
        ([{"type": "mode", "mode": "normal"}], {"mode": "normal"}),
        ([assistant(text("a")), assistant(text("b"), uuid="b", id="n")], {"model": "claude"}),
    ],
)
def test_facts_are_the_latest_that_belong_to_this_session(
    records: list[dict[str, Any]], facts: dict[str, Any]
) -> None:
    assert facts_of(*records) == facts


def test_a_fact_is_said_when_it_changes_and_not_before() -> None:
    names = [
        each.payload.name
        for each in messages_of(
            user("a", "1", gitBranch="x"),
            user("b", "2", gitBranch="x"),
            user("c", "3"),
            user("d", "4", gitBranch="y"),
        )
        if each.payload.kind == "fact"
    ]
    assert names == ["git_branch", "git_branch"]


def test_forks_of_the_tree_hide_nothing() -> None:
    view = view_of(
        user("hi", "u", parentUuid=None),
        assistant(text("real"), uuid="a", id="m", parentUuid="u"),
        assistant(text("rewound"), uuid="b", id="n", parentUuid="u"),
        assistant(text("detached"), uuid="c", id="o", parentUuid="missing"),
        user("again", "v", parentUuid=None),
    )
    assert [item["text"] for item in view["items"] if "text" in item] == [
        "hi",
        "real",
        "rewound",
        "detached",
        "again",
    ]


def test_notices_of_refusals_and_microcompactions() -> None:
    notices = [
        each
        for each in payloads_of(
            system("api_refusal", "1", apiRefusalCategory="policy", content="refused"),
            system("microcompact_boundary", "2", microcompactMetadata={"tokensSaved": 9}),
            system("model_refusal_fallback", "3", originalModel="x", fallbackModel="y"),
        )
        if isinstance(each, Notice)
    ]
    assert [(each.name, each.text) for each in notices] == [
        ("refusal", "refused"),
        ("microcompaction", None),
        ("model_fallback", None),
    ]
