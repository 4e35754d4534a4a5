from __future__ import annotations

from itertools import pairwise

from refold.messages import SessionMeta, Subagent
from tests.sources.claude_stream_json.strategies import (
    assistant,
    fold,
    messages_of,
    system,
    text,
    tool_result,
    tool_use,
    user,
)

INIT = system("init", model="m", cwd="/w")
SPAWN = assistant("m1", tool_use("t1", "Agent"))


def test_a_nested_session_is_announced_and_bound_to_its_call() -> None:
    values = [INIT, SPAWN, user("Look.", parent_tool_use_id="t1")]
    messages = messages_of(values)
    pointer, meta = next(
        pair for pair in pairwise(messages) if isinstance(pair[0].payload, Subagent)
    )

    assert (pointer.payload, pointer.origin) == (Subagent(session_id="t1"), ())
    assert meta.origin == ("t1",)
    assert isinstance(meta.payload, SessionMeta)
    assert (meta.payload.session_id, meta.payload.parent_tool_call_id) == ("t1", "t1")
    assert (meta.payload.source, meta.payload.workspace) == ("subagent", "/w")
    session = fold(values)
    assert session.items[0].subagent_session_id == "t1"
    assert session.subagents["t1"].binding == "explicit"


def test_the_model_of_a_nested_session_is_told_once_it_is_known() -> None:
    values = [
        SPAWN,
        user("Look.", parent_tool_use_id="t1"),
        assistant("n", text("a"), model="small", parent_tool_use_id="t1"),
        assistant("n", text("b"), model="small", parent_tool_use_id="t1"),
    ]
    metas = [
        message.payload.model_id
        for message in messages_of(values)
        if isinstance(message.payload, SessionMeta)
    ]

    assert metas == ["", "small"]
    meta = fold(values).subagents["t1"].meta
    assert meta is not None
    assert meta.model_id == "small"


def test_children_between_the_parents_records_leave_the_parent_alone() -> None:
    values = [
        SPAWN,
        assistant("n", text("child"), parent_tool_use_id="t1"),
        assistant("m1", text("parent")),
        tool_result("t1", "done"),
    ]
    session = fold(values)

    assert [each.kind for each in session.items] == ["tool_call", "assistant_text"]
    assert [each.text for each in session.subagents["t1"].items] == ["child"]


def test_a_chain_goes_from_the_outer_session_to_the_inner() -> None:
    values = [
        SPAWN,
        assistant("n", tool_use("t2", "Agent"), parent_tool_use_id="t1"),
        assistant("o", text("deep"), parent_tool_use_id="t2"),
    ]

    assert messages_of(values)[-1].origin == ("t1", "t2")
    inner = fold(values).subagents["t1"].subagents["t2"]
    assert [each.text for each in inner.items] == ["deep"]
    assert inner.binding == "explicit"


def test_parallel_children_are_each_on_their_own_card() -> None:
    values = [
        assistant("m", tool_use("a", "Agent"), tool_use("b", "Agent")),
        user("second", parent_tool_use_id="b"),
        user("first", parent_tool_use_id="a"),
    ]

    assert [each.subagent_session_id for each in fold(values).items] == ["a", "b"]


def test_a_child_of_a_call_nobody_saw_stands_alone() -> None:
    session = fold([assistant("n", text("lost"), parent_tool_use_id="t9")])

    assert [(each.kind, each.key) for each in session.items] == [("subagent", "subagent:t9")]


def test_the_card_of_a_child_that_came_first_takes_it() -> None:
    session = fold([user("Look.", parent_tool_use_id="t1"), SPAWN])

    assert [each.kind for each in session.items] == ["tool_call"]
    assert session.items[0].subagent_session_id == "t1"
