"""A message is said as often as the channel that has it most often has it."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from refold.sources.codex import SOURCE
from tests.sources.codex.lines import (
    agent_event,
    agent_item,
    call,
    done_item,
    event,
    reasoning,
    user_event,
    user_item,
)
from tests.sources.readings import items, kinds, texts, view_of


def agent_done(words: str) -> dict[str, Any]:
    return done_item("AgentMessage", content=[{"type": "Text", "text": words}])


def user_done(words: str) -> dict[str, Any]:
    return done_item("UserMessage", content=[{"type": "text", "text": words}])


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_accounts_of_one_message_are_one_in_any_order(order: tuple[int, ...]) -> None:
    users = [user_item("u"), user_event("u"), user_done("u")]
    agents = [agent_item("a"), agent_event("a"), agent_done("a")]
    records = [users[each] for each in order] + [agents[each] for each in order]
    assert texts(view_of(SOURCE, records)) == ["u", "a"]


def test_what_is_really_said_twice_is_said_twice() -> None:
    records = [agent_event("a"), agent_item("a"), agent_event("a"), agent_item("a")]
    assert texts(view_of(SOURCE, records)) == ["a", "a"]
    records = [
        user_item("ok"),
        user_event("ok"),
        agent_item("x"),
        user_item("ok"),
        user_event("ok"),
    ]
    assert texts(view_of(SOURCE, records)) == ["ok", "x", "ok"]


def test_accounts_that_stand_apart_are_still_one() -> None:
    records = [agent_event("a"), agent_event("b"), agent_item("a"), call(), agent_item("b")]
    assert texts(view_of(SOURCE, records)) == ["a", "b"]


def test_pictures_come_from_whichever_account_has_them() -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64,QQ=="}
    content = [{"type": "input_text", "text": "look"}, picture]
    with_data = user_item("look")
    with_data["payload"]["content"] = content
    view = view_of(SOURCE, [user_event("look", local_images=["/p.png"]), with_data])
    assert kinds(view) == ["user_text", "user_image"]


def test_sections_of_a_thinking_are_one_thinking_however_they_come() -> None:
    def sections(*said: str) -> list[dict[str, Any]]:
        return [event("agent_reasoning", text=each) for each in said]

    whole = reasoning("one", "two")
    for records in (
        [*sections("one", "two"), whole],
        [whole, *sections("one", "two")],
        [*sections("one", "two")],
        [whole],
        [done_item("Reasoning", summary_text=["one", "two"], raw_content=[]), whole],
    ):
        assert texts(view_of(SOURCE, [*records, agent_item("a")])) == ["one\ntwo", "a"]


def test_sections_that_belong_to_no_whole_are_a_thinking_of_their_own() -> None:
    records = [event("agent_reasoning", text="one"), reasoning("other")]
    assert texts(view_of(SOURCE, records)) == ["one", "other"]


def test_what_the_user_says_while_a_turn_runs_is_steering() -> None:
    records = [
        event("task_started", turn_id="t"),
        user_item("go"),
        user_event("go"),
        agent_item("on it"),
        user_item("faster"),
        user_event("faster"),
        event("task_complete", turn_id="t"),
        user_item("next"),
    ]
    view = view_of(SOURCE, records)
    assert texts(view) == ["go", "on it", "faster", "next"]
    assert [each["text"] for each in items(view, "user_steering")] == ["faster"]


def test_a_prompt_just_before_its_turn_is_the_turns() -> None:
    records = [
        user_event("go"),
        event("task_started", turn_id="t"),
        user_item("go"),
        agent_item("on it"),
        user_item("faster"),
    ]
    assert [each["text"] for each in items(view_of(SOURCE, records), "user_steering")] == ["faster"]


def test_parts_say_what_kind_they_are() -> None:
    kinds_of = {"content_item_kinds": ["environments.x", "user.text"]}
    message = user_item("", internal_chat_message_metadata_passthrough=kinds_of)
    message["payload"]["content"] = [{"text": "surroundings"}, {"text": "<b>typed</b>"}]
    assert texts(view_of(SOURCE, [message])) == ["<b>typed</b>"]


def test_what_a_person_saw_happen_is_noted() -> None:
    records = [
        user_item("<user_shell_command>ls</user_shell_command>"),
        user_item("<subagent_notification>done</subagent_notification>"),
    ]
    assert [each["name"] for each in items(view_of(SOURCE, records), "notice")] == [
        "shell_command",
        "subagent_notification",
    ]
