"""What Codex says while it runs: deltas decide nothing, items do."""

from __future__ import annotations

from typing import Any

from refold.messages import PartialText
from refold.sources.codex import SOURCE
from tests.sources.codex.lines import app_item, told, usage
from tests.sources.readings import items, kinds, messages_of, texts, view_of


def delta(piece: str, identity: str = "m", what: str = "agentMessage", **more: Any) -> Any:
    return told(f"item/{what}/delta", itemId=identity, delta=piece, **more)


def turn(status: str = "completed", **fields: Any) -> Any:
    return told("turn/completed", turn={"id": "t", "status": status, **fields})


def exec_event(kind: str, **item: Any) -> dict[str, Any]:
    return {"type": f"item.{kind}", "item": item}


def test_a_message_is_streamed_and_then_said_whole() -> None:
    records = [
        delta("Hel"),
        delta("lo"),
        app_item("completed", "agentMessage", id="m", text="Hello"),
    ]
    made = messages_of(SOURCE, records)
    assert [each.payload.text for each in made if isinstance(each.payload, PartialText)] == [
        "Hel",
        "lo",
        "",
    ]
    assert texts(view_of(SOURCE, records)) == ["Hello"]


def test_messages_that_are_streamed_at_once_do_not_mix() -> None:
    records = [
        delta("a", "m"),
        delta("x", "n"),
        delta("b", "m"),
        delta("y", "n"),
        app_item("completed", "agentMessage", id="n", text="xy"),
        app_item("completed", "agentMessage", id="m", text="ab"),
    ]
    assert texts(view_of(SOURCE, records)) == ["xy", "ab"]


def test_what_was_streamed_when_the_turn_ended_is_kept() -> None:
    view = view_of(SOURCE, [delta("half"), turn("interrupted")])
    assert kinds(view) == ["assistant_text", "abort"]
    assert items(view, "assistant_text")[0]["stop_reason"] == "aborted"


def test_sections_of_a_thinking_are_on_lines_of_their_own() -> None:
    def section(piece: str, place: int) -> Any:
        return told("item/reasoning/summaryTextDelta", itemId="r", delta=piece, summaryIndex=place)

    streamed = [section("one", 0), section("two", 1), section("…", 1)]
    assert texts(view_of(SOURCE, [*streamed, turn()])) == ["one\ntwo…"]
    whole = app_item("completed", "reasoning", id="r", summary=["one", "two…"])
    assert texts(view_of(SOURCE, [*streamed, whole])) == ["one\ntwo…"]


def test_a_command_is_a_card_with_its_output() -> None:
    command = {"id": "c", "command": "ls"}
    records = [
        app_item("started", "commandExecution", **command, status="inProgress"),
        told("item/commandExecution/outputDelta", itemId="c", delta="a\n"),
        app_item(
            "completed", "commandExecution", **command, status="failed", aggregatedOutput="a\n"
        ),
    ]
    (card,) = items(view_of(SOURCE, records), "tool_call")
    assert (card["name"], card["output"], card["output_stop_reason"]) == (
        "exec_command",
        "a\n",
        "failed",
    )


def test_an_approval_is_decided_by_the_answer() -> None:
    def decided(decision: str) -> str:
        asked = {"id": 7, **told("item/commandExecution/requestApproval", itemId="c")}
        records = [
            app_item("started", "commandExecution", id="c", command="rm"),
            asked,
            {"id": 7, "result": {"decision": decision}},
        ]
        found: str = items(view_of(SOURCE, records), "tool_call")[0]["decision"]
        return found

    assert [decided(each) for each in ("accept", "acceptForSession", "decline", "cancel")] == [
        "allow",
        "allow",
        "deny",
        "deny",
    ]


def test_a_declined_item_is_a_denial() -> None:
    view = view_of(SOURCE, [app_item("completed", "fileChange", id="c", status="declined")])
    (card,) = items(view, "tool_call")
    assert (card["decision"], card["output_stop_reason"]) == ("deny", "failed")


def test_a_thread_is_introduced_by_what_holds_it() -> None:
    thread = {"id": "s", "cwd": "/w", "modelProvider": "openai"}
    records = [
        {"id": 1, "result": {"thread": thread, "model": "gpt"}},
        told("thread/started", thread=thread),
        {"method": "thread/started", "params": {"thread": {"id": "k", "parentThreadId": "s"}}},
        {**app_item("completed", "agentMessage", id="m", text="hi"), "params": {
            "threadId": "k", "item": {"type": "agentMessage", "id": "m", "text": "hi"},
        }},
    ]  # fmt: skip
    view = view_of(SOURCE, records)
    assert view["facts"] == {"model": "gpt"}
    assert texts(view["subagents"]["k"]) == ["hi"]


def test_tokens_limits_plans_and_titles_of_the_app_server() -> None:
    total = {"totalTokens": 30, "inputTokens": 20, "cachedInputTokens": 5, "outputTokens": 10}
    records = [
        told("thread/tokenUsage/updated", tokenUsage={"total": total, "modelContextWindow": 99}),
        told("account/rateLimits/updated", rateLimits={"limitId": "x"}),
        told("turn/plan/updated", plan=[{"step": "a"}]),
        told("thread/name/updated", threadName="T"),
        told("warning", message="slow"),
        told("error", error={"message": "again"}, willRetry=True),
    ]
    view = view_of(SOURCE, records)
    assert view["stats"]["session_total"] == 30
    assert view["facts"] == {
        "context_window": 99,
        "rate_limits": {"limitId": "x"},
        "plan": [{"step": "a"}],
        "title": "T",
    }
    assert [each["name"] for each in items(view, "notice")] == ["warning", "reconnecting"]


def test_a_turn_that_fails_says_why_once() -> None:
    fault = {"message": "no network"}
    for records in (
        [told("error", error=fault), turn("failed", error=fault)],
        [{"type": "error", "message": "no network"}, {"type": "turn.failed", "error": fault}],
    ):
        view = view_of(SOURCE, records)
        assert [each["reason"] for each in items(view, "abort")] == ["no network"]


def test_what_exec_prints_is_a_session_without_its_prompt() -> None:
    records = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "turn.started"},
        exec_event("completed", id="item_0", type="reasoning", text="think"),
        exec_event("started", id="item_1", type="command_execution", command="ls"),
        exec_event(
            "completed", id="item_1", type="command_execution", command="ls", exit_code=0,
            aggregated_output="a\n", status="completed",
        ),
        exec_event("updated", id="item_2", type="todo_list", items=[{"text": "a"}]),
        exec_event("completed", id="item_3", type="file_change", changes=[{"path": "/a"}]),
        exec_event("completed", id="item_4", type="mcp_tool_call", server="s", tool="t",
                   error={"message": "no"}, status="failed"),
        exec_event("completed", id="item_5", type="web_search", query="q"),
        exec_event("completed", id="item_6", type="error", message="careful"),
        exec_event("completed", id="item_7", type="agent_message", text="done"),
        {"type": "turn.completed", "usage": usage(40, 10, 5)},
    ]  # fmt: skip
    view = view_of(SOURCE, records)
    assert [each.get("name", each["kind"]) for each in view["items"]] == [
        "thinking", "exec_command", "apply_patch", "mcp__s__t", "web_search", "error",
        "assistant_text",
    ]  # fmt: skip
    assert view["facts"] == {"plan": [{"text": "a"}]}
    assert view["stats"]["session_total"] == 40


def test_items_of_another_run_are_other_items() -> None:
    run = [
        {"type": "thread.started", "thread_id": "t"},
        exec_event("completed", id="item_0", type="command_execution", command="ls", exit_code=0),
        {"type": "turn.completed", "usage": usage(40, 10)},
    ]
    view = view_of(SOURCE, [*run, *run[:2], {"type": "turn.completed", "usage": usage(70, 15)}])
    assert len(items(view, "tool_call")) == 2
    assert view["stats"]["session_total"] == 70
