"""Calls are told by the model's items, by events of what was done, or by both."""

from __future__ import annotations

from typing import Any

import pytest

from refold.sources.codex import SOURCE
from tests.sources.codex.lines import agent_item, call, done_item, event, item, output
from tests.sources.readings import items, kinds, view_of

HEADER = "Chunk ID: 1\nWall time: 0.3 seconds\nProcess exited with code {}\nOutput:\n"


def cards(records: list[Any]) -> list[dict[str, Any]]:
    return items(view_of(SOURCE, records), "tool_call")


def test_what_came_out_for_a_person_is_the_output() -> None:
    done = event("exec_command_end", call_id="c", aggregated_output="a\n", exit_code=0)
    told = output(HEADER.format(0) + "a\n")
    for records in ([call(), done, told], [call(), told, done]):
        (card,) = cards(records)
        assert (card["output"], card["output_stop_reason"]) == ("a\n", "completed")


def test_the_header_for_the_model_is_no_output_and_its_exit_code_tells() -> None:
    (card,) = cards([call(), output(HEADER.format(3) + "oops\n")])
    assert (card["output"], card["output_stop_reason"]) == ("oops\n", "failed")
    (card,) = cards([call(), output('{"output":"x","metadata":{"exit_code":1}}')])
    assert (card["output"], card["output_stop_reason"]) == ("x", "failed")


def test_what_codex_says_of_a_call_it_could_not_make_is_a_failure() -> None:
    (card,) = cards([call(), output("failed in sandbox None with execution error: timed out")])
    assert card["output_stop_reason"] == "failed"


def test_an_aborted_call_stays_aborted_whatever_its_process_says_later() -> None:
    late = done_item("CommandExecution", id="c", aggregated_output="half\n", exit_code=-1)
    (card,) = cards([call(), output("aborted by user after 1s"), late])
    assert (card["output"], card["output_stop_reason"]) == ("half\n", "aborted")


def test_an_id_called_again_is_another_call() -> None:
    records = [call(), output("one"), call(), output("two")]
    assert [each["output"] for each in cards(records)] == ["one", "two"]


def test_a_call_without_an_id_is_given_one() -> None:
    names = [each["tool_call_id"] for each in cards([call(None), call(None)])]
    assert names == ["shell-1", "shell-2"]


def test_an_output_without_its_call_is_kept() -> None:
    (card,) = cards([output("x", "unknown")])
    assert (card["name"], card["output"]) == ("", "x")


@pytest.mark.parametrize(
    ("record", "name", "words", "reason"),
    [
        (
            event("exec_command_end", call_id="c", command=["ls"], stdout="a", exit_code=0),
            "exec_command",
            "a",
            "completed",
        ),
        (
            event("patch_apply_end", call_id="c", success=False, stderr="no", changes={"/a": {}}),
            "apply_patch",
            "no",
            "failed",
        ),
        (
            event(
                "mcp_tool_call_end",
                call_id="c",
                invocation={"server": "s", "tool": "t", "arguments": {"a": 1}},
                result={"Ok": {"content": [{"type": "text", "text": "x"}], "isError": False}},
            ),
            "mcp__s__t",
            "x",
            "completed",
        ),
        (
            event("mcp_tool_call_end", call_id="c", invocation={}, result={"Err": "no"}),
            "mcp____",
            "no",
            "failed",
        ),
        (
            event("dynamic_tool_call_response", call_id="c", tool="t", success=False, error="no"),
            "t",
            "no",
            "failed",
        ),
        (event("view_image_tool_call", call_id="c", path="/p"), "view_image", "", "completed"),
        (
            event("collab_agent_spawn_end", call_id="c", new_thread_id="k", status="running"),
            "spawn_agent",
            "running",
            "completed",
        ),
        (
            event("image_generation_end", call_id="c", result="QQ==", saved_path="/p"),
            "image_generation",
            "/p",
            "completed",
        ),
    ],
)
def test_something_done_that_no_item_announced_is_a_call(
    record: Any, name: str, words: str, reason: str
) -> None:
    (card,) = cards([record])
    assert (card["name"], card["output"], card["output_stop_reason"]) == (name, words, reason)


def test_a_search_is_one_whatever_ids_it_is_written_under() -> None:
    action = {"type": "search", "query": "x"}
    found = [{"title": "X", "url": "https://x.invalid"}]
    records = [
        item("web_search_call", id="ws_1", status="completed", action=action),
        event("web_search_end", call_id="other", action=action, results=found),
    ]
    for each in (records, records[::-1]):
        (card,) = cards(each)
        assert (card["name"], card["output"]) == ("web_search", "X https://x.invalid")


def test_other_calls_of_the_models() -> None:
    records = [
        item("custom_tool_call", call_id="a", name="apply_patch", input="*** Begin"),
        item("custom_tool_call_output", call_id="a", output="ok"),
        item("local_shell_call", call_id="b", action={"type": "exec", "command": ["ls"]}),
        item("tool_search_call", call_id="d", arguments={"query": "q"}),
        item("tool_search_output", call_id="d", status="completed", tools=[{"name": "g"}]),
        item("image_generation_call", id="e", status="completed", result="QQ=="),
        item("function_call", call_id="f", namespace="mcp__s__", name="t", arguments=None),
    ]
    found = cards(records)
    assert [(each["name"], each["arguments_text"], each["output"]) for each in found] == [
        ("apply_patch", "*** Begin", "ok"),
        ("local_shell", '{"type":"exec","command":["ls"]}', ""),
        ("tool_search", '{"query":"q"}', "g"),
        ("image_generation", '{"prompt":""}', ""),
        ("mcp__s__t", "{}", ""),
    ]
    assert found[3]["images"] == ["data:image/png;base64,QQ=="]


def test_a_plan_is_a_card_and_a_fact() -> None:
    view = view_of(SOURCE, [call(name="update_plan", arguments='{"plan":[{"step":"a"}]}')])
    assert kinds(view) == ["tool_call"]
    assert view["facts"]["plan"] == [{"step": "a"}]


def test_a_review_by_another_agent_is_a_decision() -> None:
    verdict = event("guardian_assessment", target_item_id="c", status="denied")
    (card,) = cards([call(), event("guardian_assessment", target_item_id="c"), verdict])
    assert card["decision"] == "deny"


def test_a_call_ends_what_the_user_was_written_to_have_said() -> None:
    assert kinds(view_of(SOURCE, [call(), agent_item("a"), output("b")])) == [
        "tool_call",
        "assistant_text",
    ]
