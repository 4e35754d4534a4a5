"""The forwarder's rules about transcripts, through the transcript's own source and these reducers."""

from __future__ import annotations

from typing import Any

from refold import Session, apply
from refold.messages import Message
from refold.sources.claude_code import SOURCE
from refold.sources.claude_hooks import beside, status, turns
from refold.sources.claude_hooks.turns import Turns
from refold.sources.source import Record
from tests.sources.claude_hooks.strategies import hook

READ = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "TODO.md"}}


def user(uuid: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "user", "uuid": uuid, "message": {"role": "user", "content": content}, **fields}


def assistant(uuid: str, *content: Any, **fields: Any) -> dict[str, Any]:
    message = {"id": f"msg_{uuid}", "role": "assistant", "content": list(content)}
    return {"type": "assistant", "uuid": uuid, "message": message, **fields}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def local(uuid: str, content: str) -> dict[str, Any]:
    return {"type": "user", "subtype": "local_command", "uuid": uuid, "content": content}


QUEUED = {
    "type": "attachment",
    "uuid": "q1",
    "attachment": {"type": "queued_command", "prompt": "STOP", "commandMode": "prompt"},
}
VISIBLE = [
    user("u1", "read TODO"),
    assistant("a1", READ),
    user("r1", [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "todo contents"}]),
    QUEUED,
    assistant("a2", text("hello")),
    local("b1", "<bash-input>pwd</bash-input>"),
    local("b2", "<bash-stdout>/tmp/project</bash-stdout><bash-stderr></bash-stderr>"),
]


def read(*records: Any, lane: str | None = None) -> list[Message]:
    source = beside(SOURCE)
    state, messages = source.start(), []
    for line, value in enumerate(records, 1):
        state, more = source.step(state, Record(value=value, line=line, lane=lane), None)
        messages += more
    return messages


def fold(messages: list[Message]) -> Session:
    session = Session()
    for message in messages:
        session = apply(session, message, now_ms=0)
    return session


def turn_of(messages: list[Message], start: Turns) -> dict[str, str | None]:
    """Return the turn of each record, by the record's id."""
    state, told = start, {}
    for message in messages:
        state, turn = turns.step(state, message)
        source = message.transport.source if message.transport else None
        shows = message.payload.category == "model_msg" or message.payload.kind == "notice"
        if source is not None and source.id and shows:
            told[source.id] = turn
    return told


def kinds(session: Session) -> list[str]:
    return [item.kind for item in session.items if item.kind != "task_stats"]


def test_each_visible_record_is_an_item_and_a_queued_prompt_is_steering() -> None:
    session = fold(read(*VISIBLE))
    assert kinds(session) == [
        "user_text",
        "tool_call",
        "user_steering",
        "assistant_text",
        "notice",
        "notice",
    ]
    card = session.items[1]
    assert (card.name, str(card.output)) == ("Read", "todo contents")


def test_a_call_and_its_result_share_a_turn_and_a_shell_pair_has_its_own() -> None:
    told = turn_of(read(*VISIBLE), Turns())
    assert told["a1"] == told["r1"] == told["a2"] == "a1"
    assert told["b1"] == told["b2"] == "b1"


def test_a_queued_prompt_splits_the_turn_where_that_is_asked_for() -> None:
    told = turn_of(read(*VISIBLE), Turns(steering_splits=True))
    assert told["a1"] == told["r1"] == "a1"
    assert told["a2"] == "a2"


def test_an_interrupt_stays_visible_in_its_place_as_an_abort() -> None:
    session = fold(
        read(
            user("u1", "write an essay"),
            assistant("a1", text("Once upon a")),
            user("i1", "[Request interrupted by user]"),
            user("u2", "never mind, say hi"),
        )
    )
    assert kinds(session) == ["user_text", "assistant_text", "abort", "user_text"]


def test_a_record_without_type_or_id_still_says_what_it_says_behind_running() -> None:
    bare = {"message": {"role": "assistant", "content": [text("owned by executor")]}}
    messages = read(bare)
    session = fold(messages)
    assert kinds(session) == ["assistant_text"]
    told = session.facts["live.status"]
    assert told["state"] == "running" and told["turn"]
    names = [getattr(each.payload, "name", each.payload.kind) for each in messages]
    assert names.index("live.status") < names.index("text")


def test_a_subagents_lane_includes_its_sidechain_records_and_is_its_own_session() -> None:
    session = fold(
        read(
            user("s1", "go", isSidechain=True),
            assistant("s2", text("looking now"), isSidechain=True),
            lane="b6d8fff",
        )
    )
    assert list(session.subagents) == ["b6d8fff"]
    assert kinds(session.subagents["b6d8fff"]) == ["user_text", "assistant_text"]


def test_running_names_the_turn_of_the_call_it_stands_in_front_of() -> None:
    messages = read(user("u1", "read TODO"), assistant("a1", READ))
    state = status.Status()
    told = []
    for message in messages:
        state, edges = status.step(state, message)
        told += [(each.state, each.turn) for each in edges]
    assert told == [("running", "a1")]
    assert turn_of(messages, Turns())["a1"] == "a1"


def test_a_turn_that_is_only_a_slash_command_opens_nothing_and_stays_visible() -> None:
    command = (
        "<command-name>/model</command-name>\n<command-message>model</command-message>\n"
        "<command-args>opus</command-args>"
    )
    records = [assistant("a0", text("Earlier.")), hook("Stop"), user("c1", command)]
    session = fold(read(*records))
    assert session.facts["live.status"]["state"] == "idle"
    assert kinds(session) == ["assistant_text", "notice"]
