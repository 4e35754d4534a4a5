"""What one record says: the study's decision table, row by row, and nothing that raises."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.json_values import JsonObject
from refold.messages import ImageUrl, Notice, Text, Thinking, ToolCall
from refold.sources.claude_code.commands import (
    NOTICE_COMMANDS,
    SILENT_COMMANDS,
    command_class,
)
from refold.sources.claude_code.lanes import TRANSITIONS
from refold.sources.claude_code.markup import Markup
from refold.sources.claude_code.reading import RECORD_TYPES, readings_of
from refold.sources.claude_code.readings import (
    AgentNamed,
    Boundary,
    Dropped,
    Failure,
    Interrupt,
    Known,
    Prompt,
    Reading,
    Response,
    Result,
    Retry,
    Said,
    Steer,
    Summary,
    Titled,
    TurnEnd,
    Unknown,
)
from refold.sources.claude_code.user_records import MARKUP_READERS
from tests.sources.claude_code.strategies import any_json, any_records
from tests.sources.claude_code.transcripts import (
    assistant,
    attachment,
    call,
    result,
    system,
    text,
    thinking,
    tokens,
    user,
)


def said(record: dict[str, Any]) -> list[Reading]:
    return list(readings_of(record))


def prompts(record: dict[str, Any]) -> list[Any]:
    return [part for each in said(record) if isinstance(each, Prompt) for part in each.parts]


def kinds(record: dict[str, Any]) -> list[str]:
    return [each.kind for each in said(record)]


PICTURE = {"type": "image", "source": {"data": "AA==", "media_type": "image/png"}}


# --- the user's place --------------------------------------------------------------------------


def test_a_string_is_a_prompt() -> None:
    assert prompts(user("list the files")) == [Text(role="user", text="list the files")]


def test_the_text_blocks_of_a_prompt_are_one_text_line_by_line() -> None:
    assert prompts(user([text("a"), text("b")])) == [Text(role="user", text="a\nb")]


def test_a_prompt_of_very_many_blocks_is_joined_in_one_pass() -> None:
    (part,) = prompts(user([text("x" * 10)] * 100_000))
    assert len(part.text) == 1_099_999


def test_an_image_stands_where_it_was_put() -> None:
    url = ImageUrl(role="user", image_url="data:image/png;base64,AA==")
    assert prompts(user([text("a"), PICTURE, text("b")])) == [
        Text(role="user", text="a"),
        url,
        Text(role="user", text="b"),
    ]


@pytest.mark.parametrize("content", ["", "  \n", [], None, 7, [text(" ")]])
def test_a_prompt_without_words_is_none(content: Any) -> None:
    assert prompts(user(content)) == []


def test_what_the_client_wrote_as_the_user_is_dropped_but_not_its_results() -> None:
    assert said(user("Caveat", isMeta=True)) == [Dropped(what="meta")]
    assert kinds(result("t", isMeta=True)) == ["result"]


def test_results_come_in_front_of_the_text_of_their_record() -> None:
    blocks = [text("go on"), {"type": "tool_result", "tool_use_id": "t", "content": "ok"}]
    assert kinds(user(blocks)) == ["result", "prompt"]


@pytest.mark.parametrize(
    ("words", "in_tool"),
    [
        ("[Request interrupted by user]", False),
        ("[Request interrupted by user for tool use]", True),
    ],
)
def test_an_interrupt_is_no_prompt_as_string_or_block(words: str, in_tool: bool) -> None:
    for content in (words, [text(words)]):
        (interrupt,) = said(user(content))
        assert isinstance(interrupt, Interrupt)
        assert interrupt.in_tool is in_tool


def test_a_summary_is_no_prompt() -> None:
    (summary,) = said(user("This session goes on", isCompactSummary=True))
    assert isinstance(summary, Summary)
    assert summary.text == "This session goes on"


def test_a_skill_is_what_the_user_typed_and_asks_the_model() -> None:
    content = "<command-message>review</command-message>\n<command-name>/team:review</command-name>"
    assert prompts(user(content + "<command-args>src</command-args>")) == [
        Text(role="user", text="/team:review src")
    ]


def test_a_command_that_changes_the_session_is_a_notice() -> None:
    (notice,) = said(user("<command-name>/clear</command-name>"))
    assert isinstance(notice, Said)
    assert (notice.name, notice.text) == ("slash_command", "/clear")
    assert notice.data == JsonObject({"name": "clear", "arguments": ""})


def test_a_command_that_only_shows_a_screen_is_dropped() -> None:
    assert said(user("<command-name>/exit</command-name>")) == [Dropped(what="slash command")]


@pytest.mark.parametrize(
    "word", ["low", "medium", "HIGH", "xhigh", "max", "default", "off", "reset"]
)
def test_an_effort_command_is_a_fact_too(word: str) -> None:
    record = user(f"<command-name>/effort</command-name><command-args>{word}</command-args>")
    assert Known(name="effort", value=word.lower()) in said(record)


@pytest.mark.parametrize("arguments", ["", "higher", "what is it"])
def test_an_effort_command_that_sets_nothing_is_only_shown(arguments: str) -> None:
    record = user(f"<command-name>/effort</command-name><command-args>{arguments}</command-args>")
    assert kinds(record) == ["said"]


def test_an_unknown_command_is_a_prompt_and_the_classes_share_none() -> None:
    assert command_class("of-next-year") == "prompt"
    assert not SILENT_COMMANDS & NOTICE_COMMANDS


@pytest.mark.parametrize(
    "record",
    [
        user("<bash-input>pwd</bash-input>"),
        {"type": "user", "subtype": "local_command", "content": "<bash-input>pwd</bash-input>"},
        system("local_command", content="<bash-input>pwd</bash-input>"),
    ],
)
def test_a_shell_command_is_a_notice_in_every_form(record: dict[str, Any]) -> None:
    (notice,) = said(record)
    assert isinstance(notice, Said)
    assert (notice.name, notice.text) == ("shell_command", "pwd")


def test_a_shell_output_keeps_its_streams_apart() -> None:
    (notice,) = said(user("<bash-stdout>/w</bash-stdout><bash-stderr>no</bash-stderr>"))
    assert isinstance(notice, Said)
    assert notice.text == "/w\nno"
    assert notice.data == JsonObject({"stdout": "/w", "stderr": "no"})


# --- results -----------------------------------------------------------------------------------


def the_result(record: dict[str, Any]) -> Result:
    (found,) = said(record)
    assert isinstance(found, Result)
    return found


@pytest.mark.parametrize(
    ("fields", "status", "denied"),
    [
        ({}, "completed", False),
        ({"is_error": True}, "failed", False),
        ({"is_error": True, "content": "Permission prompt was aborted."}, "failed", False),
        (
            {
                "is_error": True,
                "content": "The user doesn't want to proceed with this tool use. STOP",
            },
            "aborted",
            True,
        ),
        ({"is_error": True, "toolDenialKind": "user-rejected"}, "aborted", True),
        ({"toolUseResult": {"interrupted": True}}, "aborted", False),
        ({"content": "The user doesn't want to proceed with this tool use."}, "completed", False),
    ],
)
def test_how_a_tool_ended(fields: dict[str, Any], status: str, denied: bool) -> None:
    found = the_result(result("t", **fields))
    assert (found.output.stop_reason, found.denied) == (status, denied)


def test_the_clients_form_of_a_result_belongs_to_the_only_one_of_a_record() -> None:
    block = {"type": "tool_result", "tool_use_id": "t"}
    assert the_result(user([block], toolUseResult="plain")).output.output == "plain"
    two = said(user([block, {**block, "tool_use_id": "u"}], toolUseResult="plain"))
    assert [each.output.output for each in two if isinstance(each, Result)] == ["", ""]


# --- the model's place -------------------------------------------------------------------------


def test_a_line_of_a_response_says_its_blocks_its_usage_and_its_model() -> None:
    record = assistant(
        thinking("hm"), text("Sure."), call("t", command="ls"), usage=tokens(57, fresh=4)
    )
    (line,) = said(record)
    assert isinstance(line, Response)
    assert (line.id, line.model, line.usage and line.usage.total) == ("m", "claude", 61)
    assert [type(block.payload) for block in line.blocks] == [Thinking, Text, ToolCall]


@pytest.mark.parametrize("block", [text(""), text("\n\n"), thinking(""), thinking(" ")])
def test_blank_text_and_thinking_without_words_say_nothing(block: dict[str, Any]) -> None:
    (line,) = said(assistant(block))
    assert isinstance(line, Response)
    assert line.blocks == ()


def test_an_assistants_string_is_a_text() -> None:
    record = {"type": "assistant", "message": {"role": "assistant", "content": "hi"}}
    (line,) = said(record)
    assert isinstance(line, Response)
    assert [block.payload for block in line.blocks] == [
        Text(role="assistant", text="hi", stop_reason="completed")
    ]


def test_a_response_is_named_by_its_message_then_its_request_then_its_record() -> None:
    names = [
        each.id
        for record in (
            assistant(text("a"), requestId="req"),
            assistant(text("a"), id=None, requestId="req"),
            assistant(text("a"), id=None),
            {"message": {"role": "assistant", "content": "a"}},
        )
        for each in said(record)
        if isinstance(each, Response)
    ]
    assert names == ["m", "req", "a", None]


def test_a_cut_response_says_so_on_its_text_and_an_aborted_one_on_all() -> None:
    cut = assistant(text("half"), call("t"))
    cut["message"]["stop_reason"] = "max_tokens"
    aborted = assistant(text("half"), call("t"), isAbortedMidStream=True)
    found = [
        [block.payload.stop_reason for block in each.blocks]  # type: ignore[union-attr]
        for record in (cut, aborted)
        for each in said(record)
        if isinstance(each, Response)
    ]
    assert found == [["failed", "completed"], ["aborted", "aborted"]]


def test_an_unknown_block_is_kept_and_a_change_of_model_is_a_notice() -> None:
    change = {"type": "fallback", "from": {"model": "x"}, "to": {"model": "y"}}
    (line,) = said(assistant(change, {"type": "of next year", "deep": [1]}))
    assert isinstance(line, Response)
    notice, unknown = [block.payload for block in line.blocks]
    assert isinstance(notice, Notice)
    assert notice.name == "model_fallback"
    assert unknown.kind == "unknown"


@pytest.mark.parametrize(
    ("words", "error", "status"),
    [
        ("API Error: 529", None, "failed"),
        ("Invalid API key · Please run /login", None, "auth"),
        ("API Error: Request timed out.", None, "timeout"),
        ("no", "authentication_failed", "auth"),
    ],
)
def test_an_error_in_the_models_place_is_a_failure(words: str, error: Any, status: str) -> None:
    record = assistant(text(words), isApiErrorMessage=True, error=error)
    record["message"]["model"] = "<synthetic>"
    (failure,) = said(record)
    assert isinstance(failure, Failure)
    assert (failure.status, failure.text) == (status, words)


def test_what_stands_in_for_no_reply_is_dropped_and_other_stand_ins_are_notices() -> None:
    stand_in, other = assistant(text("No response requested.")), assistant(text("Ready"))
    for record in (stand_in, other):
        record["message"]["model"] = "<synthetic>"
    assert said(stand_in) == [Dropped(what="synthetic reply")]
    (notice,) = said(other)
    assert isinstance(notice, Said)
    assert (notice.name, notice.text) == ("synthetic_reply", "Ready")


# --- system, attachments, side records ---------------------------------------------------------


@pytest.mark.parametrize(("trigger", "reason"), [("auto", "context"), ("manual", "manual")])
def test_a_boundary_says_why_and_how_much(trigger: str, reason: str) -> None:
    metadata = {"trigger": trigger, "preTokens": 155000, "durationMs": 900}
    (boundary,) = said(system("compact_boundary", compactMetadata=metadata))
    assert isinstance(boundary, Boundary)
    assert (boundary.reason, boundary.tokens, boundary.duration_ms) == (reason, 155000, 900)


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        ({"status": 529}, "failed", "HTTP status 529"),
        ({"status": 401, "message": "no"}, "auth", "no"),
        ({"type": "authentication_error"}, "auth", None),
        ({"error": {"error": {"type": "overloaded_error", "message": "busy"}}}, "failed", "busy"),
        ({"connection": {"code": "ETIMEDOUT_TIMEOUT", "message": "slow"}}, "timeout", "slow"),
        ("words", "failed", "words"),
        (None, "failed", None),
    ],
)
def test_a_retry_says_how_it_failed(error: Any, status: str, message: str | None) -> None:
    record = system("api_error", retryInMs=512.3, retryAttempt=1, error=error)
    (retry,) = said(record)
    assert isinstance(retry, Retry)
    assert (retry.status, retry.error_message) == (status, message)
    assert (retry.attempt, retry.retry_in_ms) == (1, 512)


def test_the_end_of_a_turn_is_told_by_its_duration() -> None:
    assert said(system("turn_duration", durationMs=5)) == [TurnEnd(key="sys|turn end")]


def test_a_queued_prompt_is_steering_and_other_attachments_are_context() -> None:
    (steer,) = said(attachment(type="queued_command", commandMode="prompt", prompt="also this"))
    assert isinstance(steer, Steer)
    assert steer.text == "also this"
    for other in (
        {"type": "file", "filename": "a"},
        {"type": "queued_command", "commandMode": "bash", "prompt": "ls"},
        {"type": "queued_command", "commandMode": "prompt", "prompt": ""},
        {"type": "task_reminder", "content": []},
    ):
        assert kinds(attachment(**other)) == ["dropped"]


def test_a_side_file_names_the_call_and_the_agent() -> None:
    record = {"agentType": "Explore", "description": "look", "toolUseId": "toolu_1"}
    assert said(record) == [
        AgentNamed(agent_type="Explore", tool_call_id="toolu_1"),
        Known(name="agent", value=JsonObject({"type": "Explore", "description": "look"})),
    ]


def test_titles_have_ranks() -> None:
    records = (
        {"type": "summary", "summary": " A ", "leafUuid": "x"},
        {"type": "ai-title", "aiTitle": "B"},
        {"type": "custom-title", "customTitle": "C"},
        {"type": "custom-title", "customTitle": "  "},
    )
    assert [each for record in records for each in said(record)] == [
        Titled(rank=0, text="A", leaf="x"),
        Titled(rank=1, text="B"),
        Titled(rank=2, text="C"),
    ]


# --- all of them -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["of-next-year", "tool_use", "", "User"])
def test_a_type_nobody_knows_is_counted(kind: str) -> None:
    assert readings_of({"type": kind, "uuid": "x"}) == (Unknown(what=f"record {kind}"),)


def test_a_record_without_a_type_still_speaks() -> None:
    assert kinds({"message": {"role": "user", "content": "hi"}}) == ["prompt"]
    assert kinds({"type": "of-next-year", "message": {"role": "user", "content": "hi"}}) == [
        "prompt"
    ]


@pytest.mark.parametrize("kind", sorted(RECORD_TYPES))
def test_every_known_type_reads_an_empty_record(kind: str) -> None:
    for reading in readings_of({"type": kind}):
        assert not isinstance(reading, Unknown)


def test_every_reading_has_a_transition_or_says_nothing() -> None:
    union = {each.kind for each in get_args(Reading)}
    assert union - {"dropped", "unknown"} == TRANSITIONS.keys()


def test_every_markup_has_a_reader() -> None:
    assert set(get_args(Markup)) == MARKUP_READERS.keys()


@given(any_records())
def test_any_record_is_read(record: Any) -> None:
    for reading in readings_of(record):
        assert isinstance(reading, get_args(Reading))


@given(st.sampled_from(sorted(RECORD_TYPES)), st.dictionaries(st.text(max_size=3), any_json()))
def test_any_field_of_any_type_is_read(kind: str, fields: dict[str, Any]) -> None:
    readings_of({**fields, "type": kind})
