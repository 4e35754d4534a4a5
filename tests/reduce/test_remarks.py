"""Goals, facts and notices (reducer.md rule 35)."""

from __future__ import annotations

from refold.items import NoticeItem
from refold.json_values import JsonObject
from refold.messages import Fact, GoalFinished, Notice
from refold.views import to_json
from tests.notation import I, S, U, at, fold, items, untimed


def test_the_last_goal_is_kept_and_adds_no_item() -> None:
    goals = (GoalFinished(outcome="failed", rounds=1, tokens_used=2),)
    goals = (*goals, GoalFinished(outcome="done", rounds=3, tokens_used=4))
    session = fold(*goals)
    assert list(session.items) == []
    assert session.goal == JsonObject({"outcome": "done", "rounds": 3, "tokens_used": 4})


def test_a_goal_keeps_the_fields_that_are_not_known() -> None:
    goal = GoalFinished(outcome="done", rounds=1, tokens_used=2, extra=JsonObject({"by": "me"}))
    assert to_json(fold(goal))["goal"] == {
        "outcome": "done",
        "rounds": 1,
        "tokens_used": 2,
        "by": "me",
    }


def test_the_latest_value_of_each_fact_is_kept_and_adds_no_item() -> None:
    facts = [Fact(name="title", value="old"), Fact(name="model", value=JsonObject({"id": 1}))]
    session = fold(*facts, Fact(name="title", value=None))
    assert list(session.items) == []
    assert dict(session.facts) == {"title": None, "model": JsonObject({"id": 1})}


def test_facts_are_left_out_of_the_json_while_there_are_none() -> None:
    assert "facts" not in to_json(fold())
    assert to_json(fold(Fact(name="title", value="x")))["facts"] == {"title": "x"}


def test_a_notice_is_placed_and_starts_nothing() -> None:
    notice = Notice(name="slash", text="/clear", data=JsonObject({"a": (1,)}))
    session = fold(notice)
    assert list(session.items) == [
        NoticeItem(
            key="notice:1", name="slash", text="/clear", data=JsonObject({"a": (1,)}), at_ms=at(0)
        )
    ]
    assert not session.task_open


def test_a_notice_of_unknown_time_has_none() -> None:
    assert items(untimed(Notice(name="x"))) == [NoticeItem(key="notice:1", name="x")]


def test_a_notice_closes_a_steering_window() -> None:
    keys = [item.key for item in items(U("q"), S("left"), Notice(name="x"), I())]
    assert keys == ["user_text:1", "user_steering:1", "notice:1", "user_image:1"]
