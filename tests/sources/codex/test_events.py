"""Everything else a rollout tells of: turns, reviews, compactions, errors."""

from __future__ import annotations

from refold.messages import Abort, RequestEnd
from refold.sources.codex import SOURCE
from tests.sources.codex.lines import agent_item, done_item, event, item, record, user_item
from tests.sources.readings import items, kinds, messages_of, texts, view_of


def test_a_turns_end_is_the_tasks_end() -> None:
    records = [user_item("a"), agent_item("b"), event("task_complete", "2026-01-01T00:00:09.000Z")]
    stats = view_of(SOURCE, records)["stats"]
    assert stats["session_elapsed_ms"] == 9000


def test_an_error_that_ends_the_turn_is_told_once() -> None:
    records = [
        user_item("a"),
        event("error", message="no"),
        event("task_complete", error={"message": "no"}),
    ]
    made = [each.payload for each in messages_of(SOURCE, records)]
    assert made[-2:] == [RequestEnd(status="failed", error_message="no"), Abort(reason="no")]


def test_reviews_and_undos_are_noted() -> None:
    review = {"overall_explanation": "fine", "findings": [{"title": "x"}]}
    records = [
        event("entered_review_mode", user_facing_hint="changes"),
        event("exited_review_mode", review_output=review),
        event("undo_completed", success=True, message="undone"),
        done_item("Plan", id="p", text="first, …"),
        item("agent_message", author="a", recipient="b", content=[{"text": "psst"}]),
    ]
    found = items(view_of(SOURCE, records), "notice")
    assert [(each["name"], each["text"]) for each in found] == [
        ("review_started", "changes"),
        ("review_finished", "fine"),
        ("undo", "undone"),
        ("plan", "first, …"),
        ("agent_message", "psst"),
    ]
    assert found[1]["data"] == [{"title": "x"}]


def test_a_compaction_is_one_in_either_order_and_keeps_its_summary() -> None:
    kept = record("compacted", {"message": "sum", "replacement_history": []})
    marks = (event("context_compacted"), done_item("ContextCompaction", id="x"))
    for mark in marks:
        for records in ([kept, mark], [mark, kept], [kept]):
            assert len(items(view_of(SOURCE, records), "compaction")) == 1
    (found,) = items(view_of(SOURCE, [kept, marks[0]]), "compaction")
    assert found["summary_text"] == "sum"
    assert len(items(view_of(SOURCE, [kept, kept]), "compaction")) == 2


def test_the_summary_that_a_compaction_wrote_is_no_message() -> None:
    written = {**agent_item("SUMMARY"), "metadata": {"compaction_output": True}}
    kept = record("compacted", {"message": "Another model began: SUMMARY"})
    view = view_of(SOURCE, [user_item("a"), written, kept])
    assert texts(view) == ["a"]
    assert items(view, "compaction")[0]["summary_text"] == "SUMMARY"


def test_facts_of_a_rollout() -> None:
    records = [
        event("task_started", model_context_window=99),
        event("thread_name_updated", thread_name="T"),
        event("thread_goal_updated", goal={"objective": "x"}),
        event("thread_settings_applied", thread_settings={"model": "gpt"}),
        event("token_count", info=None, rate_limits={"limit_id": "c"}),
    ]
    assert view_of(SOURCE, records)["facts"] == {
        "context_window": 99,
        "title": "T",
        "goal": {"objective": "x"},
        "model": "gpt",
        "rate_limits": {"limit_id": "c"},
    }


def test_what_concerns_no_view_says_nothing() -> None:
    records = [
        record("world_state", {"full": True, "state": {}}),
        item("ghost_snapshot", ghost_commit={}),
        event("exec_command_begin", call_id="c"),
        record("inter_agent_communication_metadata", {"trigger_turn": False}),
    ]
    assert kinds(view_of(SOURCE, records)) == []
    assert SOURCE.counts(SOURCE.start()) == {}
