"""Facts are said when they change; compactions and notices take a place."""

from __future__ import annotations

from refold.messages import Fact
from refold.sources.acp import SOURCE
from tests.sources.acp.wire import call, change, prompt, said, update
from tests.sources.readings import counts_of, items, kinds, messages_of, texts, view_of

MARK = {"contextCompaction": {"version": 1}}


def test_a_fact_is_said_when_it_changes_and_not_again() -> None:
    lists = [update("available_commands_update", availableCommands=[{"name": "a"}])] * 3
    facts = [each for each in messages_of(SOURCE, lists) if isinstance(each.payload, Fact)]
    assert len(facts) == 1


def test_facts_of_every_kind() -> None:
    option = {"id": "mode", "category": "mode", "currentValue": "plan", "options": []}
    records = [
        update("plan", entries=[{"content": "Read", "status": "pending"}]),
        update("plan_update", plan={"type": "items", "planId": "p", "entries": []}),
        update("plan_update", plan={"type": "file", "planId": "q", "uri": "/p"}),
        update("plan_removed", planId="p"),
        update("current_mode_update", modeId="ask"),
        update("config_option_update", configOptions=[option]),
        update("session_info_update", title="T", _meta={"goal": {"objective": "x"}}),
    ]
    assert view_of(SOURCE, records)["facts"] == {
        "plan": [{"content": "Read", "status": "pending"}],
        "plans": {"q": {"uri": "/p"}},
        "mode": "plan",
        "options": {"mode": "plan"},
        "title": "T",
        "goal": {"objective": "x"},
    }


def test_a_notice_of_the_agents_takes_a_place() -> None:
    notice = update("notice", severity="warning", title="Slow", description="very")
    view = view_of(SOURCE, [said("a"), notice, said("b")])
    assert kinds(view) == ["assistant_text", "notice", "assistant_text"]
    assert items(view, "notice")[0] == {
        "kind": "notice", "key": "notice:1", "name": "warning", "text": "Slow\nvery",
    }  # fmt: skip


def test_a_message_between_sessions_is_noted() -> None:
    between = update(
        "session_message",
        messageId="m",
        senderSessionId="a",
        content=[{"type": "text", "text": "hi"}],
    )
    (noted,) = items(view_of(SOURCE, [between]), "notice")
    assert (noted["name"], noted["text"], noted["data"]) == (
        "session_message",
        "hi",
        {"senderSessionId": "a"},
    )


def test_a_call_marked_as_a_compaction_is_one_and_no_card() -> None:
    records = [call("k", status="in_progress", title="Compact", _meta=MARK)]
    assert kinds(view_of(SOURCE, [*records, change("k", status="completed")])) == ["compaction"]
    (whole,) = items(view_of(SOURCE, [call("k", status="completed", _meta=MARK)]), "compaction")
    assert (whole["running"], whole["status"]) == (False, "completed")


def test_a_compaction_with_updates_of_its_own_keeps_its_summary() -> None:
    piece = {"type": "text", "text": "so far"}
    records = [
        update("compaction_update", compactionId="k", status="in_progress"),
        update("compaction_summary_chunk", compactionId="k", content=piece),
        update("compaction_update", compactionId="k", status="completed"),
        update("compaction_summary_chunk", compactionId="k", content=piece),
    ]
    (found,) = items(view_of(SOURCE, records), "compaction")
    assert (found["summary_text"], found["status"]) == ("so far", "completed")


def test_a_compaction_that_never_ends_swallows_nothing() -> None:
    records = [
        prompt("a"),
        call("k", status="in_progress", _meta=MARK),
        said("b"),
        change("k", status="completed", _meta=MARK),
        said("c"),
    ]
    view = view_of(SOURCE, records)
    assert texts(view) == ["a", "bc"]
    assert [each["status"] for each in items(view, "compaction")] == ["aborted"]


def test_updates_of_unknown_kinds_are_counted() -> None:
    records = [update("brand_new"), update(""), {"method": "session/update", "params": 3}]
    assert kinds(view_of(SOURCE, records)) == []
    assert counts_of(SOURCE, records) == {
        "unknown update: brand_new": 1,
        "unknown update: without a kind": 2,
    }


def test_methods_and_responses_nobody_knows_are_counted() -> None:
    records = [{"method": "_vendor/thing", "params": {}}, {"id": 5, "result": {}}, {"x": 1}, "text"]
    assert counts_of(SOURCE, records) == {
        "unknown method: _vendor/thing": 1,
        "response to no known request": 1,
        "no message": 1,
        "text_line": 1,
    }
