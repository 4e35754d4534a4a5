"""Subagents in every form, bound to the call that spawned them, or to none: never by a guess."""

from __future__ import annotations

from typing import Any

import pytest

from refold.messages import SessionMeta
from refold.sources.source import Record
from tests.sources.claude_code.transcripts import (
    Raw,
    assistant,
    call,
    messages_of,
    result,
    text,
    tokens,
    user,
    view_of,
)

PROMPT = "Search the repo"


def spawn(id: str = "t", prompt: str | None = PROMPT, uuid: str = "p", **fields: Any) -> Raw:
    given = {} if prompt is None else {"prompt": prompt}
    return assistant(call(id, "Task", **given), uuid=uuid, id=f"m{uuid}", **fields)


def sidechain(uuid: str, parent: str | None, record: Raw) -> Raw:
    return {**record, "uuid": uuid, "parentUuid": parent, "isSidechain": True}


def progress(agent: str | None, record: Raw, call_id: str = "t") -> Raw:
    data: Raw = {"type": "agent_progress", "message": record}
    data |= {} if agent is None else {"agentId": agent}
    return {
        "type": "progress",
        "uuid": f"of {record['uuid']}",
        "sessionId": "s",
        "parentToolUseID": call_id,
        "data": data,
    }


def own_file(agent: str, *records: Raw) -> list[Record]:
    return [Record(value=each, lane=agent) for each in records]


def said(prefix: str = "") -> list[Raw]:
    return [
        user(PROMPT, f"{prefix}u"),
        assistant(text("found"), uuid=f"{prefix}a", id=f"{prefix}m", usage=tokens(7)),
    ]


def children(view: Raw) -> dict[str, tuple[str, str | None]]:
    """Return how each subagent is bound, and to which call."""
    cards = {
        item["subagent_session_id"]: item["tool_call_id"]
        for item in view["items"]
        if item.get("subagent_session_id")
    }
    return {
        name: (child["binding"], cards.get(name))
        for name, child in view.get("subagents", {}).items()
    }


def test_sidechains_in_the_main_file_are_one_session_by_their_root() -> None:
    first, second = said()
    view = view_of(
        spawn(),
        sidechain("x", None, first),
        sidechain("y", "x", second),
        result("t", "found"),
    )
    assert children(view) == {"x": ("explicit", "t")}
    assert [item["kind"] for item in view["subagents"]["x"]["items"]] == [
        "user_text",
        "assistant_text",
    ]
    assert [item["kind"] for item in view["items"]] == ["tool_call"]


def test_a_sidechain_that_names_its_agent_is_that_agents() -> None:
    view = view_of({**sidechain("u", None, said()[0]), "agentId": "a0"})
    assert children(view) == {"a0": ("none", None)}


def test_nested_progress_records_are_whole_records_of_their_agent() -> None:
    view = view_of(spawn(prompt=None), *[progress("a5", each) for each in said()])
    assert children(view) == {"a5": ("explicit", "t")}
    assert view["stats"]["subagent_total"] == 7


def test_progress_that_names_no_agent_is_of_the_calls() -> None:
    view = view_of(spawn(prompt=None), *[progress(None, each) for each in said()])
    assert children(view) == {"t": ("explicit", "t")}


def test_progress_and_the_agents_own_file_say_things_once() -> None:
    view = view_of(
        spawn(prompt=None), *[progress("a5", each) for each in said()], *own_file("a5", *said())
    )
    assert len(view["subagents"]["a5"]["items"]) == 2
    assert view["stats"]["subagent_total"] == 7


def test_a_file_of_its_own_is_bound_by_its_side_file() -> None:
    meta = {"agentType": "Explore", "description": "look", "toolUseId": "t"}
    view = view_of(spawn(prompt=None), *own_file("a1", meta, *said()))
    assert children(view) == {"a1": ("explicit", "t")}
    assert view["subagents"]["a1"]["facts"]["agent"] == {"type": "Explore", "description": "look"}


def test_a_file_of_its_own_is_bound_by_its_prompt_whichever_comes_first() -> None:
    for records in ([spawn(), *own_file("a1", *said())], [*own_file("a1", *said()), spawn()]):
        assert children(view_of(*records)) == {"a1": ("explicit", "t")}


def test_a_file_of_its_own_is_bound_by_the_result_that_names_it() -> None:
    done = result("t", "found", toolUseResult={"agentId": "a1", "status": "completed"})
    records = [spawn(prompt="other words"), *own_file("a1", *said())]
    assert children(view_of(*records, done)) == {"a1": ("explicit", "t")}
    assert children(view_of(spawn(prompt="other words"), done, *own_file("a1", *said()))) == {
        "a1": ("explicit", "t")
    }


def test_a_result_that_names_an_agent_nobody_saw_makes_no_session() -> None:
    done = result("t", "found", toolUseResult={"agentId": "a1"})
    assert "subagents" not in view_of(spawn(), done)


def test_two_calls_that_ask_for_the_same_bind_nobody_by_prompt() -> None:
    view = view_of(spawn("t1", uuid="p1"), spawn("t2", uuid="p2"), *own_file("a1", *said()))
    assert children(view) == {"a1": ("none", None)}


def test_parallel_children_go_to_their_own_cards_in_either_order() -> None:
    calls = [spawn("t1", "one", "p1"), spawn("t2", "two", "p2")]
    one = own_file("a1", user("one", "u1"))
    two = own_file("a2", user("two", "u2"))
    for files in ([*one, *two], [*two, *one]):
        assert children(view_of(*calls, *files)) == {
            "a1": ("explicit", "t1"),
            "a2": ("explicit", "t2"),
        }


def test_an_agents_agent_is_inside_it() -> None:
    inner = assistant(call("t2", "Agent", prompt="deeper"), uuid="ia", id="im")
    view = view_of(
        spawn(),
        *own_file("a1", user(PROMPT, "u1"), inner),
        *own_file("a2", user("deeper", "u2")),
    )
    assert children(view) == {"a1": ("explicit", "t")}
    assert children(view["subagents"]["a1"]) == {"a2": ("explicit", "t2")}


def test_a_child_says_what_it_is_in_its_first_message_and_again_when_it_knows_more() -> None:
    metas = [
        (each.origin, each.payload)
        for each in messages_of(spawn(), *own_file("a1", *said()))
        if isinstance(each.payload, SessionMeta) and each.origin
    ]
    assert [(origin, meta.model_id, meta.parent_tool_call_id) for origin, meta in metas] == [
        (("a1",), "", "t"),
        (("a1",), "claude", "t"),
    ]
    assert {meta.source for _, meta in metas} == {"subagent"}


def test_the_prompt_of_a_child_comes_from_its_parent() -> None:
    (prompt,) = [
        each.payload
        for each in messages_of(*own_file("a1", user(PROMPT)))
        if each.payload.kind == "text"
    ]
    assert prompt.sender == "parent_agent"


def test_the_session_id_a_record_carries_moves_it_nowhere() -> None:
    view = view_of(user("a", "u"), user("b", "v", sessionId="s2"), user("c", "w", sessionId="s"))
    assert [item["text"] for item in view["items"]] == ["a", "b", "c"]


@pytest.mark.parametrize("depth", [1, 8, 50])
def test_progress_inside_progress_ends_somewhere(depth: int) -> None:
    record: Raw = user("deep", "x")
    for level in range(depth):
        record = progress(f"a{level}", record)
    messages_of(record)


def test_agents_keep_their_own_order_whatever_stands_between() -> None:
    one, two = own_file("a1", *said("1")), own_file("a2", *said("2"))
    orders = ([*one, *two], [one[0], two[0], two[1], one[1]], [*two, *one])
    views = [view_of(spawn(prompt=None), *order)["subagents"] for order in orders]
    assert views[0] == views[1] == views[2]
