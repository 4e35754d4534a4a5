"""Each oddity of the census (sources/census.md A1-A15) comes out as a person would expect."""

from __future__ import annotations

from refold.sources.acp import SOURCE
from tests.sources.acp.wire import (
    asks,
    call,
    cancelled,
    change,
    chooses,
    ended,
    prompt,
    request,
    result,
    said,
    shown,
    update,
)
from tests.sources.readings import counts_of, items, kinds, messages_of, texts, view_of


def test_a1_a_call_never_announced_is_made_of_its_update() -> None:
    view = view_of(SOURCE, [change("r1", status="completed")])
    (card,) = items(view, "tool_call")
    assert (card["tool_call_id"], card["call_complete"], card["output_complete"]) == (
        "r1",
        True,
        True,
    )


def test_a2_an_update_with_nothing_but_meta_changes_nothing() -> None:
    announced = call(kind="read", status="pending", title="Read")
    silent = change(_meta={})
    assert messages_of(SOURCE, [announced, silent], end=False) == messages_of(
        SOURCE, [announced], end=False
    )


def test_a3_calls_left_open_are_closed_by_the_cancellation() -> None:
    records = [prompt("go"), call(status="in_progress", title="sleep"), cancelled()]
    view = view_of(SOURCE, [*records, ended("cancelled")])
    (card,) = items(view, "tool_call")
    assert (card["output_complete"], card["output_stop_reason"]) == (True, "aborted")
    assert kinds(view) == ["user_text", "tool_call", "abort"]


def test_a3_completed_with_the_words_of_a_cancellation_is_an_abort() -> None:
    records = [prompt("go"), call(status="in_progress", title="sleep"), cancelled()]
    over = change(status="completed", content=shown("Command cancelled by user."))
    view = view_of(SOURCE, [*records, over, ended("cancelled")])
    assert items(view, "tool_call")[0]["output_stop_reason"] == "aborted"


def test_a4_a_refusal_told_as_a_failure_is_a_denial_and_the_turn_ends() -> None:
    refused = change(status="failed", rawOutput="User refused permission to run tool")
    view = view_of(SOURCE, [prompt("go", 3), refused, ended(identity=3), prompt("again", 4)])
    (card,) = items(view, "tool_call")
    assert (card["decision"], card["output_stop_reason"]) == ("deny", "failed")
    assert texts(view) == ["go", "again"]


def test_a5_a_title_after_the_response_lands() -> None:
    view = view_of(SOURCE, [ended(identity=3), update("session_info_update", title="T")])
    assert view["facts"]["title"] == "T"


def test_a6_a_banner_without_an_id_is_no_part_of_the_message_behind_it() -> None:
    chunks = [said("Warning…"), said("Hel", messageId="m1"), said("lo", messageId="m1")]
    assert texts(view_of(SOURCE, chunks)) == ["Warning…", "Hello"]


def test_a7_a_chunk_that_repeats_the_whole_is_kept_as_sent_and_counted() -> None:
    chunks = [said("Hel"), said("lo"), said("Hello")]
    assert texts(view_of(SOURCE, chunks)) == ["HelloHello"]
    assert counts_of(SOURCE, chunks) == {"chunk repeats the whole message": 1}


def test_a8_a_diff_that_widens_replaces_the_one_before() -> None:
    def diff(old: str, new: str) -> list[dict[str, str]]:
        return [{"type": "diff", "path": "/f", "oldText": old, "newText": new}]

    view = view_of(
        SOURCE,
        [
            change(content=diff("a", "b")),
            change(content=diff("a\nz", "b\nz"), status="completed"),
        ],
    )
    assert items(view, "tool_call")[0]["output"] == "--- /f\n+++ /f\n-a\n+b\n z"


def test_a9_ids_of_client_and_agent_that_collide_are_two_requests() -> None:
    records = [
        prompt("go", 4),
        asks(4, {"toolCallId": "t", "title": "rm"}),
        chooses(4, "y"),
        said("done"),
        ended(identity=4),
    ]
    view = view_of(SOURCE, records)
    assert items(view, "tool_call")[0]["decision"] == "allow"
    assert kinds(view) == ["user_text", "tool_call", "assistant_text", "task_stats"]


def test_a9_two_processes_in_one_log_are_two_sessions() -> None:
    def process(session: str, words: str) -> list[dict[str, object]]:
        return [
            request(0, "initialize", protocolVersion=1),
            result(0, protocolVersion=1),
            request(1, "session/new", cwd="/w", mcpServers=[]),
            result(1, sessionId=session),
            prompt(f"to {session}", 2, session),
            said(words, session=session),
            ended(identity=2),
        ]

    view = view_of(SOURCE, [*process("one", "1"), *process("two", "2")])
    assert texts(view) == ["to one", "1"]
    assert texts(view["subagents"]["two"]) == ["to two", "2"]


def test_a10_a_stream_joined_in_the_middle_of_a_message_is_read_from_there() -> None:
    assert texts(view_of(SOURCE, [said("9", _meta={"chunkId": 18})])) == ["9"]


def test_a10_what_a_load_tells_again_is_not_shown_again() -> None:
    before = [prompt("hi", 1), said("hello"), ended(identity=1)]
    again = [
        request(2, "session/load", sessionId="ses", cwd="/w", mcpServers=[]),
        said("hi", "user_message_chunk"),
        said("hello"),
        result(2),
    ]
    after = [prompt("more", 3), said("yes"), ended(identity=3)]
    view = view_of(SOURCE, [*before, *again, *after])
    assert texts(view) == ["hi", "hello", "more", "yes"]


def test_a11_of_lists_of_commands_the_last_one_counts() -> None:
    lists = [
        update("available_commands_update", availableCommands=[{"name": "a"}]),
        update("available_commands_update", availableCommands=[]),
    ]
    assert view_of(SOURCE, lists)["facts"] == {"commands": []}


def test_a13_completed_without_content_is_completed_without_output() -> None:
    (card,) = items(view_of(SOURCE, [change(status="completed", content=[])]), "tool_call")
    assert (card["output"], card["output_stop_reason"]) == ("", "completed")


def test_a14_what_is_used_is_the_fill_of_the_context_not_a_sum() -> None:
    usage = [
        update("usage_update", used=100, size=1000),
        update("usage_update", used=120, size=1000, cost={"amount": 0.17, "currency": "USD"}),
    ]
    view = view_of(SOURCE, usage)
    assert view["facts"] == {"context_tokens": 120, "context_window": 1000, "cost_usd": 0.17}
    assert view["stats"]["session_total"] == 0


def test_a15_a_question_that_a_running_call_asks_is_shown_once() -> None:
    question = request(9, "elicitation/create", sessionId="ses", message="Which?")
    running = call(status="in_progress", title="AskUserQuestion")
    assert kinds(view_of(SOURCE, [running, question])) == ["tool_call"]
    assert kinds(view_of(SOURCE, [question])) == ["notice"]
