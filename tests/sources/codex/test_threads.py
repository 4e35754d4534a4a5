"""Threads of one reading are kept apart, and forks are told from what they copy."""

from __future__ import annotations

from typing import Any

from refold.sources.codex import SOURCE
from tests.sources.codex.lines import (
    agent_item,
    call,
    event,
    header,
    output,
    record,
    tokens,
    user_item,
)
from tests.sources.readings import counts_of, items, messages_of, texts, view_of

EARLY, LATE = "2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"
EARLY_TURN, LATE_TURN = (
    "019b7790-0000-7000-8000-000000000000",
    "019b7d00-0000-7000-8000-000000000000",
)


def test_a_thread_that_a_call_started_is_nested_in_its_card() -> None:
    records = [
        header("p"),
        user_item("go"),
        call("c", "spawn_agent"),
        event("collab_agent_spawn_end", call_id="c", new_thread_id="k"),
        header("k", parent_thread_id="p", agent_nickname="Ada"),
        user_item("do"),
        agent_item("done"),
    ]
    view = view_of(SOURCE, records)
    assert items(view, "tool_call")[0]["subagent_session_id"] == "k"
    nested = view["subagents"]["k"]
    assert (texts(nested), nested["binding"]) == (["do", "done"], "explicit")
    assert nested["facts"] == {"agent_name": "Ada"}


def test_what_a_parent_tells_a_subagent_is_the_parents() -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}
    records = [header("p"), header("k", source=source), user_item("do")]
    payload = messages_of(SOURCE, records)[-1].payload
    assert payload.kind == "text" and payload.sender == "parent_agent"


def test_a_fork_with_its_parent_shows_what_is_new() -> None:
    said = [user_item("a"), agent_item("b"), call(), output("x"), tokens(10, 10)]
    copied = [{**each, "timestamp": LATE} for each in said]
    fork = [header("f", LATE, forked_from_id="p"), header("p"), *copied]
    view = view_of(SOURCE, [header("p"), *said, *fork, user_item("c"), agent_item("d")])
    assert texts(view) == ["a", "b"]
    assert texts(view["subagents"]["f"]) == ["c", "d"]
    assert view["stats"]["subagent_total"] == 0


def test_a_fork_alone_shows_all_it_holds_and_counts_its_own() -> None:
    fork = [
        header("f", LATE, forked_from_id="p"),
        header("p"),
        event("task_started", LATE, turn_id=EARLY_TURN),
        user_item("a"),
        tokens(10, 10, LATE),
        event("task_started", LATE, turn_id=LATE_TURN),
        user_item("b"),
        tokens(15, 5, LATE),
    ]
    view = view_of(SOURCE, fork)
    assert (texts(view), view["stats"]["session_total"]) == (["a", "b"], 5)


def test_a_fork_that_says_where_it_begins_is_believed() -> None:
    fork = [
        header("f", LATE, forked_from_id="p", forked_from_ordinal_exclusive=3),
        {**user_item("a"), "ordinal": 1},
        {**tokens(10, 10, LATE), "ordinal": 2},
        {**user_item("b"), "ordinal": 3},
        {**tokens(15, 5, LATE), "ordinal": 4},
    ]
    assert view_of(SOURCE, fork)["stats"]["session_total"] == 5


def test_a_fork_that_copies_nothing_counts_from_its_first_request() -> None:
    fork = [header("f", LATE, forked_from_id="p", forked_from_ordinal_exclusive=3)]
    fork.append({**tokens(110, 10, LATE), "ordinal": 4})
    assert view_of(SOURCE, fork)["stats"]["session_total"] == 10


def test_a_file_that_begins_in_the_middle_counts_what_it_says_was_used() -> None:
    view = view_of(SOURCE, [header("s"), user_item("a"), tokens(110, 10)])
    assert view["stats"]["session_total"] == 110
    assert items(view, "task_stats")[0]["stats"]["tokens_delta"] == 10


def test_what_comes_before_any_header_is_the_first_threads() -> None:
    view = view_of(SOURCE, [user_item("a"), header("s"), agent_item("b")])
    assert texts(view) == ["a", "b"]


def test_what_a_thread_runs_on_is_said_when_it_is_known() -> None:
    records = [
        header("s", cwd="/w", model_provider="openai", base_instructions={"text": "be"}),
        record("turn_context", {"cwd": "/w", "model": "gpt"}),
        record("turn_context", {"cwd": "/w", "model": "gpt"}),
    ]
    metas = [
        each.payload for each in messages_of(SOURCE, records) if each.payload.kind == "session_meta"
    ]
    assert [
        (each.provider, each.model_id, each.workspace, each.system_prompt) for each in metas
    ] == [
        ("openai", "", "/w", "be"),
        ("openai", "gpt", "/w", "be"),
    ]


def test_every_message_says_where_it_comes_from() -> None:
    made = messages_of(SOURCE, [header("s"), user_item("a"), agent_item("b", id="m")])
    places: list[Any] = [each.transport and each.transport.source for each in made]
    assert [(each.format, each.lane, each.id, each.line) for each in places] == [
        ("codex", "s", None, 1),
        ("codex", "s", None, 2),
        ("codex", "s", "m", 3),
    ]


def test_kinds_nobody_knows_are_counted() -> None:
    records = [
        record("new_record", {}),
        event("new_event"),
        record("response_item", {"type": "new_item"}),
        event("item_completed", item={"type": "NewItem"}),
        {"nothing": 1},
        {"method": "new/method", "params": {}},
    ]
    assert counts_of(SOURCE, records) == {
        "unknown record: new_record": 1,
        "unknown event: new_event": 1,
        "unknown item: new_item": 2,
        "no record": 2,
    }
