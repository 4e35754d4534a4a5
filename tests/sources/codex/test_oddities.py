"""Each oddity of the census (sources/census.md X0-X14) comes out as a person would expect."""

from __future__ import annotations

import pytest

from refold.sources.codex import SOURCE
from tests.sources.codex.lines import (
    agent_event,
    agent_item,
    call,
    event,
    header,
    item,
    output,
    reasoning,
    record,
    tokens,
    usage,
    user_event,
    user_item,
)
from tests.sources.readings import items, kinds, texts, view_of


def test_x0_what_is_written_twice_is_said_once() -> None:
    assert texts(view_of(SOURCE, [agent_event("Hi"), agent_item("Hi")])) == ["Hi"]
    assert texts(view_of(SOURCE, [user_item("a"), user_event("a"), agent_item("b")])) == ["a", "b"]


def test_x2_repeated_totals_say_nothing_and_the_total_is_the_truth() -> None:
    def count(total: int, last: int) -> dict[str, object]:
        info = {
            "total_token_usage": {"total_tokens": total},
            "last_token_usage": {"total_tokens": last},
        }
        return event("token_count", info=info)

    view = view_of(SOURCE, [count(10, 10), count(10, 10), count(25, 15)])
    assert view["stats"]["session_total"] == 25


def test_x3_a_fork_counts_what_is_its_own_with_its_parent_and_without() -> None:
    parent = [header("p"), tokens(100, 100), tokens(250, 150)]
    child = [
        header("c", at="2026-01-02T00:00:00Z", forked_from_id="p"),
        tokens(100, 100, "2026-01-02T00:00:00Z"),
        tokens(250, 150, "2026-01-02T00:00:00Z"),
        tokens(290, 40, "2026-01-02T00:10:00Z"),
    ]
    assert view_of(SOURCE, child)["stats"]["session_total"] == 40
    both = view_of(SOURCE, [*parent, *child])
    assert (both["stats"]["session_total"], both["stats"]["subagent_total"]) == (250, 40)
    assert both["subagents"]["c"]["stats"]["session_total"] == 40


def test_x4_a_header_that_is_repeated_is_one_session() -> None:
    records = [
        header("s"),
        user_item("a"),
        header("s"),
        event("token_count", info=None, rate_limits={}),
        agent_item("b"),
    ]
    view = view_of(SOURCE, records)
    assert texts(view) == ["a", "b"]
    assert "subagents" not in view


def test_x4_a_total_that_falls_counts_nothing_twice() -> None:
    view = view_of(SOURCE, [tokens(100, 60), tokens(90, 30), tokens(120, 30)])
    assert view["stats"]["session_total"] == 120


def test_a_total_that_starts_anew_goes_on_top() -> None:
    view = view_of(SOURCE, [tokens(100, 60), tokens(30, 30), tokens(50, 20)])
    assert view["stats"]["session_total"] == 150


def test_x5_the_oldest_shape_is_read() -> None:
    records = [
        {"id": "s", "timestamp": "2025-08-06T00:00:00Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "o"}]},
    ]
    assert SOURCE.recognises(records)
    assert texts(view_of(SOURCE, records)) == ["hi", "o"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("plain", "plain"),
        ('{"output":"ok","metadata":{"exit_code":0}}', "ok"),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "u"}], "a"),
        ({"type": "input_text", "text": "a.txt"}, "a.txt"),
        ({"content": "in", "success": True}, "in"),
        (None, ""),
    ],
)
def test_x6_an_output_of_every_shape_is_its_text(value: object, words: str) -> None:
    (card,) = items(view_of(SOURCE, [call(), output(value)]), "tool_call")
    assert card["output"] == words


def test_x6_an_output_of_any_depth_is_bounded() -> None:
    value: object = "in"
    for _ in range(100_000):
        value = {"content": value}
    (card,) = items(view_of(SOURCE, [call(), output(value)]), "tool_call")
    assert card["output"] == "…"


def test_x7_an_aborted_turn_leaves_its_call_unfinished_and_prompts_nobody() -> None:
    records = [
        call(),
        user_item("<turn_aborted>\n…"),
        event("turn_aborted", reason="interrupted"),
    ]
    view = view_of(SOURCE, records)
    assert kinds(view) == ["tool_call", "abort"]
    assert items(view, "tool_call")[0]["output_stop_reason"] == "aborted"
    assert items(view, "abort")[0]["reason"] == "interrupted"


def test_x7_an_output_that_says_so_is_aborted() -> None:
    for words in ("aborted by user after 29.7s", "Wall time: 0.7 seconds\naborted by user"):
        (card,) = items(view_of(SOURCE, [call(), output(words)]), "tool_call")
        assert card["output_stop_reason"] == "aborted"


@pytest.mark.parametrize(
    "words",
    ["<environment_context>…", "# AGENTS.md instructions for /p\n…", "<user_instructions>…"],
)
def test_x8_what_codex_puts_in_is_no_prompt(words: str) -> None:
    assert kinds(view_of(SOURCE, [user_item(words)])) == []


def test_x8_instructions_to_the_model_are_not_shown() -> None:
    told = item("message", role="developer", content=[{"type": "input_text", "text": "be good"}])
    assert kinds(view_of(SOURCE, [told])) == []


def test_x9_thinking_that_is_only_there_encrypted_is_not_shown() -> None:
    hidden = item("reasoning", summary=[], content=None, encrypted_content="…")
    assert kinds(view_of(SOURCE, [hidden])) == []
    assert texts(view_of(SOURCE, [event("agent_reasoning", text="t")])) == ["t"]
    assert texts(view_of(SOURCE, [event("agent_reasoning", text="t"), reasoning("t")])) == ["t"]


def test_x10_a_compaction_is_one_and_takes_nothing_away() -> None:
    records = [
        user_item("a"),
        agent_item("b"),
        record("compacted", {"message": "", "replacement_history": [{"type": "message"}]}),
        event("context_compacted"),
    ]
    view = view_of(SOURCE, records)
    assert texts(view) == ["a", "b"]
    assert len(items(view, "compaction")) == 1


def test_x11_the_order_of_records_is_the_order() -> None:
    records = [
        event("user_message", "2026-01-01T00:00:01.000Z", message="a"),
        event("agent_message", "2026-01-01T00:00:00.000Z", message="b"),
    ]
    assert texts(view_of(SOURCE, records)) == ["a", "b"]


def test_x12_a_source_that_is_an_object_tells_of_a_subagent() -> None:
    spawn = {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}
    records = [header("p"), header("c", source={"subagent": spawn}), user_item("do")]
    nested = view_of(SOURCE, records)["subagents"]["c"]
    assert nested["meta"]["source"] == "subagent"
    assert texts(nested) == ["do"]


def test_x13_what_exec_prints_is_read_by_the_same_source() -> None:
    records = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": "4"}},
        {"type": "turn.completed", "usage": usage(30, 5)},
    ]
    assert SOURCE.recognises(records)
    view = view_of(SOURCE, records)
    assert (texts(view), view["stats"]["session_total"]) == (["4"], 30)


def test_x14_arguments_that_are_no_json_are_kept_as_they_are() -> None:
    view = view_of(SOURCE, [call(arguments="[REDACTED_ARGUMENTS len=83]")])
    assert items(view, "tool_call")[0]["arguments_text"] == "[REDACTED_ARGUMENTS len=83]"
