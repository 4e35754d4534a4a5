"""The Responses API: items by index, parts, calls of every kind, ends of every kind."""

from __future__ import annotations

from typing import Any

import pytest

from refold.items import AssistantTextItem, NoticeItem, ThinkingItem, ToolCallItem
from refold.messages import Thinking
from refold.sources.openai_sse import SOURCE
from tests.sources.folding import folded, messages_from, said, view

CREATED = {"type": "response.created", "response": {"id": "r1"}}
COMPLETED = {"type": "response.completed", "response": {"id": "r1", "status": "completed"}}


def added(index: int, **item: Any) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def done(index: int, **item: Any) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def delta(kind: str, piece: str, index: int = 0, **fields: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}.delta", "output_index": index, "delta": piece, **fields}


def card(*events: dict[str, Any]) -> ToolCallItem:
    (item,) = folded(SOURCE, [CREATED, *events]).items
    assert isinstance(item, ToolCallItem)
    return item


def test_an_item_is_known_by_its_index_whatever_its_ids_say() -> None:
    """census.md R1."""
    events = [
        added(0, id="a", type="message"),
        delta("output_text", "x", item_id="b"),
        done(0, id="c", type="message"),
    ]
    assert said(view(SOURCE, events)) == [("assistant_text", "x")]


def test_without_indices_an_item_is_known_by_its_id() -> None:
    item = {"id": "a", "type": "message", "content": [{"type": "output_text", "text": "xy"}]}
    events = [
        CREATED,
        {"type": "response.output_item.added", "item": {"id": "a", "type": "message"}},
        {"type": "response.output_text.delta", "item_id": "a", "delta": "x"},
        {"type": "response.output_item.done", "item": item},
        {**COMPLETED, "response": {"output": [item]}},
    ]
    assert said(view(SOURCE, events)) == [("assistant_text", "xy")]


def test_items_that_had_no_done_are_shown_from_the_completed_response() -> None:
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "all"}]},
    ]
    events = [
        CREATED,
        added(1, type="message"),
        delta("output_text", "al", 1),
        {**COMPLETED, "response": {"output": output}},
    ]
    assert said(view(SOURCE, events)) == [("thinking", "hm"), ("assistant_text", "all")]


def test_the_done_decides_over_the_deltas() -> None:
    events = [
        CREATED,
        added(0, type="message"),
        delta("output_text", "helo"),
        done(0, type="message", content=[{"type": "output_text", "text": "hello"}]),
        COMPLETED,
    ]
    assert said(view(SOURCE, events)) == [("assistant_text", "hello")]


def test_a_whole_text_stands_in_for_deltas_that_did_not_come() -> None:
    whole = {"type": "response.output_text.done", "output_index": 0, "text": "hello"}
    assert said(view(SOURCE, [CREATED, added(0, type="message"), whole])) == [
        ("assistant_text", "hello")
    ]
    arguments = {
        "type": "response.function_call_arguments.done",
        "output_index": 0,
        "arguments": "{}",
    }
    call = added(0, type="function_call", call_id="c", name="f", arguments="")
    assert card(call, arguments, COMPLETED).arguments_text == "{}"


def test_parts_of_a_reasoning_stand_apart_while_they_stream() -> None:
    events = [
        CREATED,
        added(0, type="reasoning"),
        delta("reasoning_summary_text", "a", summary_index=0),
        delta("reasoning_summary_text", "b", summary_index=1),
        delta("reasoning_text", "c", content_index=0),
    ]
    (item,) = folded(SOURCE, events).items
    assert isinstance(item, ThinkingItem)
    assert item.thinking == "a\n\nb\n\nc"


def test_encrypted_reasoning_is_kept_for_the_provider() -> None:
    events = [CREATED, done(0, type="reasoning", id="rs", summary=[], encrypted_content="gAAA")]
    (thought,) = [
        each.payload for each in messages_from(SOURCE, events) if isinstance(each.payload, Thinking)
    ]
    assert dict(thought.fidelity or {}) == {"encrypted_content": "gAAA", "id": "rs"}


def test_a_refusal_is_a_notice() -> None:
    events = [
        CREATED,
        added(0, type="message"),
        {"type": "response.refusal.delta", "output_index": 0, "delta": "I can"},
        done(0, type="message", content=[{"type": "refusal", "refusal": "I can't."}]),
        COMPLETED,
    ]
    (notice,) = view(SOURCE, events).items
    assert isinstance(notice, NoticeItem)
    assert (notice.name, notice.text) == ("refusal", "I can't.")


def test_what_was_spoken_is_shown_as_its_transcript() -> None:
    spoken = [{"type": "output_audio", "transcript": "hello", "data": "AAAA"}]
    events = [CREATED, done(0, type="message", content=spoken), COMPLETED]
    assert said(view(SOURCE, events)) == [("assistant_text", "hello")]


def test_shell_commands_stream_into_arguments_that_are_json() -> None:
    def command(kind: str, **fields: Any) -> dict[str, Any]:
        return {"type": f"response.shell_call_command.{kind}", "output_index": 0, **fields}

    events = [
        CREATED,
        added(0, type="shell_call", call_id="c", action={"commands": []}),
        command("added", command=""),
        command("delta", delta='echo "a'),
        command("done", command='echo "a'),
        command("added", command="l"),
        command("delta", delta="s"),
    ]
    (item,) = folded(SOURCE, events).items
    assert isinstance(item, ToolCallItem)
    assert (item.name, item.arguments_text) == ("shell", '{"commands": ["echo \\"a", "ls')
    last = done(
        0,
        type="shell_call",
        call_id="c",
        action={"commands": ['echo "a', "ls"], "timeout_ms": None},
    )
    assert card(*events[1:], last).parsed_arguments == {"commands": ['echo "a', "ls"]}


@pytest.mark.parametrize(
    ("item", "name", "arguments", "output"),
    [
        ({"type": "function_call", "name": "f", "arguments": '{"a":1}'}, "f", {"a": 1}, None),
        (
            {"type": "custom_tool_call", "name": "patch", "input": "*** Begin"},
            "patch",
            {"input": "*** Begin"},
            None,
        ),
        (
            {"type": "local_shell_call", "action": {"type": "exec", "command": ["ls"]}},
            "local_shell",
            {"type": "exec", "command": ["ls"]},
            None,
        ),
        (
            {"type": "apply_patch_call", "operation": {"type": "delete_file", "path": "x"}},
            "apply_patch",
            {"operation": {"type": "delete_file", "path": "x"}},
            None,
        ),
        (
            {"type": "computer_call", "action": {"type": "click"}, "status": "completed"},
            "computer",
            {"action": {"type": "click"}},
            None,
        ),
        ({"type": "new_kind_call", "what": 1}, "new_kind", {"what": 1}, None),
        ({"type": "program", "code": "1+1"}, "program", {"code": "1+1"}, None),
        (
            {
                "type": "mcp_call",
                "server_label": "s",
                "name": "f",
                "arguments": "{}",
                "output": "ok",
            },
            "mcp__s__f",
            {},
            ("ok", "completed"),
        ),
        (
            {
                "type": "mcp_call",
                "server_label": "s",
                "name": "f",
                "arguments": "{}",
                "error": "no",
            },
            "mcp__s__f",
            {},
            ("no", "failed"),
        ),
        (
            {
                "type": "web_search_call",
                "action": {
                    "type": "search",
                    "query": "q",
                    "sources": [{"url": "https://a.example"}],
                },
            },
            "web_search",
            {"type": "search", "query": "q", "sources": [{"url": "https://a.example"}]},
            ("https://a.example", "completed"),
        ),
        (
            {
                "type": "file_search_call",
                "queries": ["q"],
                "results": [{"filename": "f.txt", "text": "found"}],
            },
            "file_search",
            {"queries": ["q"]},
            ("f.txt\nfound", "completed"),
        ),
        (
            {
                "type": "code_interpreter_call",
                "code": "print(1)",
                "outputs": [{"type": "logs", "logs": "1\n"}],
            },
            "code_interpreter",
            {"code": "print(1)"},
            ("1\n", "completed"),
        ),
        (
            {
                "type": "image_generation_call",
                "revised_prompt": "a cat",
                "status": "failed",
                "error": {"message": "blocked"},
            },
            "image_generation",
            {"prompt": "a cat"},
            ("blocked", "failed"),
        ),
    ],
)
def test_every_kind_of_call_is_a_card(
    item: dict[str, Any], name: str, arguments: Any, output: tuple[str, str] | None
) -> None:
    shown = card(done(0, **item, id="i1"), COMPLETED)
    assert (shown.name, shown.parsed_arguments) == (name, arguments)
    assert ((shown.output, shown.output_stop_reason) if shown.output_complete else None) == output


def test_a_generated_image_is_the_output_and_shows_while_it_comes() -> None:
    events = [
        added(0, type="image_generation_call", id="i"),
        {
            "type": "response.image_generation_call.partial_image",
            "output_index": 0,
            "partial_image_b64": "AA",
        },
    ]
    assert card(*events).images == ("data:image/png;base64,AA",)
    last = done(
        0,
        type="image_generation_call",
        id="i",
        result="BB",
        output_format="webp",
        status="completed",
    )
    assert card(*events, last).images == ("data:image/webp;base64,BB",)


def test_an_output_item_answers_its_call() -> None:
    call = done(0, type="shell_call", call_id="c", action={"commands": ["ls"]})
    printed = [{"stdout": "a\n", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]
    shown = card(call, done(1, type="shell_call_output", call_id="c", output=printed))
    assert (shown.output, shown.output_complete) == ("a\n", True)


def test_tools_of_a_server_and_questions_for_approval_are_notices() -> None:
    events = [
        done(0, type="mcp_list_tools", server_label="s", tools=[{"name": "f"}]),
        done(1, type="mcp_approval_request", name="f", server_label="s", arguments="{}"),
    ]
    assert said(view(SOURCE, events)) == [("notice", "s"), ("notice", "s")]


def test_a_compaction_is_a_compaction() -> None:
    events = [
        CREATED,
        added(0, type="compaction"),
        done(0, type="compaction", encrypted_content="x"),
        COMPLETED,
    ]
    (item,) = view(SOURCE, events).items
    assert (item.kind, item.status) == ("compaction", "completed")  # type: ignore[union-attr]


def test_an_incomplete_response_ends_well_and_says_why() -> None:
    events = [
        CREATED,
        added(0, type="message"),
        delta("output_text", "half"),
        done(
            0,
            type="message",
            status="incomplete",
            content=[{"type": "output_text", "text": "half"}],
        ),
        {
            "type": "response.incomplete",
            "response": {"incomplete_details": {"reason": "max_output_tokens"}},
        },
    ]
    text, notice = view(SOURCE, events).items
    assert isinstance(text, AssistantTextItem)
    assert isinstance(notice, NoticeItem)
    assert (text.stop_reason, notice.name, notice.text) == (
        "incomplete",
        "incomplete",
        "max_output_tokens",
    )


def test_a_call_that_the_end_cut_is_malformed() -> None:
    shown = card(
        added(0, type="function_call", call_id="c", name="f"),
        delta("function_call_arguments", '{"a'),
        done(0, type="function_call", call_id="c", name="f", arguments='{"a', status="incomplete"),
    )
    assert (shown.call_stop_reason, shown.output_stop_reason) == ("malformed", "malformed")


@pytest.mark.parametrize(
    ("event", "status"),
    [
        (
            {
                "type": "response.failed",
                "response": {"error": {"code": "server_error", "message": "no"}},
            },
            "failed",
        ),
        (
            {
                "type": "response.failed",
                "response": {"error": {"code": "vector_store_timeout", "message": "no"}},
            },
            "timeout",
        ),
        ({"type": "error", "code": "invalid_api_key", "message": "no"}, "auth"),
        ({"type": "error", "error": {"type": "rate_limit", "message": "no"}}, "failed"),
    ],
)
def test_a_failure_fails_the_request_and_keeps_nothing_as_said(
    event: dict[str, Any], status: str
) -> None:
    events = [CREATED, added(0, type="message"), delta("output_text", "half"), event]
    payloads = [each.payload for each in messages_from(SOURCE, events)]
    assert [each.status for each in payloads if each.kind == "request_end"] == [status]  # type: ignore[union-attr]
    assert [each for each in payloads if each.kind == "text"] == []
    assert said(view(SOURCE, events))[-1] == ("notice", "no")


def test_a_cancelled_or_cut_response_keeps_what_came_as_aborted() -> None:
    begun = [CREATED, added(0, type="message"), delta("output_text", "half")]
    for events in (
        begun,
        [*begun, {"type": "response.cancelled", "response": {}}],
        [*begun, CREATED, COMPLETED],
    ):
        item = view(SOURCE, events).items[0]
        assert isinstance(item, AssistantTextItem)
        assert (item.text, item.stop_reason) == ("half", "aborted")


def test_numbers_that_restart_or_have_gaps_change_nothing() -> None:
    events = [
        {**CREATED, "sequence_number": 7},
        {**delta("output_text", "a"), "sequence_number": 0},
        {**delta("output_text", "b"), "sequence_number": 0},
        {**COMPLETED, "sequence_number": 3},
    ]
    assert said(view(SOURCE, events)) == [("assistant_text", "ab")]
