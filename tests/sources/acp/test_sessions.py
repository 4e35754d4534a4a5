"""Sessions of one log are kept apart, and nested where they belong."""

from __future__ import annotations

from refold.sources.acp import SOURCE
from tests.sources.acp.wire import call, ended, prompt, request, result, said, update
from tests.sources.readings import items, kinds, messages_of, texts, view_of


def spawned(child: str, identity: str = "c1") -> dict[str, object]:
    meta = {"codex": {"collaboration": {"tool": "spawnAgent", "receiverThreadIds": [child]}}}
    return call(identity, status="in_progress", title="spawnAgent", _meta=meta)


def test_a_session_that_a_call_started_is_nested_in_that_calls_card() -> None:
    records = [prompt("go"), spawned("kid"), said("hi", session="kid"), said("on")]
    view = view_of(SOURCE, records)
    (card,) = items(view, "tool_call")
    assert card["subagent_session_id"] == "kid"
    assert view["subagents"]["kid"]["binding"] == "explicit"
    assert (texts(view), texts(view["subagents"]["kid"])) == (["go", "on"], ["hi"])


def test_updates_that_name_their_parent_call_are_a_nested_session() -> None:
    meta = {"claudeCode": {"parentToolUseId": "c1"}}
    records = [
        prompt("go"),
        call("c1", status="in_progress", title="Task"),
        said("inner", _meta=meta),
        call("c2", status="completed", title="Read", _meta=meta),
        said("outer"),
    ]
    view = view_of(SOURCE, records)
    assert items(view, "tool_call")[0]["subagent_session_id"] == "c1"
    assert kinds(view["subagents"]["c1"]) == ["assistant_text", "tool_call"]
    assert texts(view) == ["go", "outer"]


def test_a_nested_call_that_starts_another_nests_deeper() -> None:
    def under(parent: str) -> dict[str, object]:
        return {"claudeCode": {"parentToolUseId": parent}}

    records = [
        call("c1", status="in_progress", title="Task"),
        call("c2", status="in_progress", title="Task", _meta=under("c1")),
        said("deep", _meta=under("c2")),
    ]
    view = view_of(SOURCE, records)
    assert texts(view["subagents"]["c1"]["subagents"]["c2"]) == ["deep"]


def test_an_announced_subagent_is_nested_in_its_session() -> None:
    records = [said("a"), update("subagent_update", subagent=1), said("b", session="other")]
    assert texts(view_of(SOURCE, records)["subagents"]["other"]) == ["b"]


def test_interleaved_sessions_do_not_touch_one_another() -> None:
    records = [
        prompt("1", 1, "one"),
        prompt("2", 2, "two"),
        said("a", session="one"),
        said("x", session="two"),
        said("b", session="one"),
        said("y", session="two"),
        ended("cancelled", 2),
        said("c", session="one"),
        ended(identity=1),
    ]
    view = view_of(SOURCE, records)
    assert texts(view) == ["1", "abc"]
    assert texts(view["subagents"]["two"]) == ["2", "xy"]
    assert kinds(view["subagents"]["two"]) == ["user_text", "assistant_text", "abort"]


def test_what_a_session_runs_on_is_said_once_it_is_known() -> None:
    records = [
        request(0, "initialize", protocolVersion=1),
        result(0, protocolVersion=1, agentInfo={"name": "gemini-cli"}),
        request(1, "session/new", cwd="/w", mcpServers=[]),
        result(1, sessionId="s", models={"currentModelId": "m"}, modes={"currentModeId": "ask"}),
        request(2, "session/set_mode", sessionId="s", modeId="code"),
        result(2),
    ]
    meta = messages_of(SOURCE, records)[0].payload
    assert meta.kind == "session_meta"
    assert (meta.session_id, meta.provider, meta.model_id, meta.workspace) == (
        "s",
        "gemini-cli",
        "m",
        "/w",
    )
    assert view_of(SOURCE, records)["facts"] == {"mode": "code", "model": "m"}


def test_every_message_says_where_it_comes_from() -> None:
    records = [prompt("go"), said("a", messageId="m"), call(status="completed"), ended()]
    made = messages_of(SOURCE, records)
    places = [each.transport.source for each in made if each.transport is not None]
    assert len(places) == len(made)
    assert all(each is not None and each.format == "acp" and each.lane == "ses" for each in places)
    assert [each.line for each in places if each is not None] == [1, 1, 2, 2, 2, 3, 3, 4]


def test_a_failed_load_hides_nothing_that_follows() -> None:
    records = [
        said("a"),
        request(1, "session/load", sessionId="ses", cwd="/w", mcpServers=[]),
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}},
        said("b"),
    ]
    assert texts(view_of(SOURCE, records)) == ["a", "b"]
