"""Differences between views: none if they are equal, and those of what belongs together."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from refold.differences import ABSENT, Ignored, differences
from refold.folding import replay
from refold.messages import Message, Text, ToolCall, ToolCallOutput
from refold.records import evolve
from refold.sources.files import open_trace, read
from refold.views import View, settled, to_json
from tests.render.terminal.showing import PENGUIN, penguin
from tests.strategies import any_streams, timed


def view_of(messages: Any) -> View:
    return settled(replay(messages, now_ms=0))


def found(a: View, b: View, **ignored: bool) -> list[tuple[str, str, Any, Any]]:
    return [
        (each.path, each.path_b, each.a, each.b) for each in differences(a, b, Ignored(**ignored))
    ]


def session(*words: str, call: str = "1") -> list[Message]:
    said = [Text(role="assistant", text=each, stop_reason="completed") for each in words]
    called = ToolCall(role="assistant", name="Bash", arguments="{}", tool_call_id=call)
    output = ToolCallOutput(role="user", output="done", tool_call_id=call)
    return timed([Text(role="user", text="go"), *said, called, output])


@given(any_streams(), any_streams())
def test_there_is_a_difference_if_and_only_if_the_views_differ(
    before: list[Message], after: list[Message]
) -> None:
    a, b = view_of(before), view_of(after)
    assert not differences(a, a)
    assert bool(differences(a, b)) == (to_json(a) != to_json(b))


def test_a_text_that_was_said_in_between_is_the_only_difference() -> None:
    a, b = view_of(session("one", "two")), view_of(session("one", "more", "two"))
    assert [each[:2] for each in found(a, b, times=True)] == [("/items/2", "/items/2")]
    (difference,) = differences(a, b, Ignored(times=True))
    assert difference.a is ABSENT
    assert difference.b["text"] == "more"


def test_runs_of_other_ids_are_the_same_if_ids_are_ignored() -> None:
    a, b = view_of(session("one", call="x")), view_of(session("one", call="y"))
    assert [each[0] for each in found(a, b)] == ["/items/2/tool_call_id"]
    assert found(a, b, ids=True) == []


def test_nested_sessions_of_other_ids_belong_together_in_their_order() -> None:
    def nested(name: str, text: str) -> list[Message]:
        return timed([Text(role="assistant", text=text)], (name,))

    a = view_of([*nested("x", "one"), *nested("y", "two")])
    b = view_of([*nested("v", "one"), *nested("w", "2")])
    assert found(a, b, ids=True, times=True) == [
        ("/subagents/y/items/0/text", "/subagents/w/items/0/text", "two", "2")
    ]
    paths = [each[:2] for each in found(a, b, times=True)]
    assert ("/subagents/x", "/subagents/v") in paths


def test_a_nested_session_that_only_one_side_has_is_one_difference() -> None:
    a = view_of(timed([Text(role="assistant", text="one")], ("x",)))
    b = view_of([])
    assert [each for each in found(a, b) if each[0].startswith("/subagents")] == [
        ("/subagents/x", "/subagents/x", "x", ABSENT)
    ]


def test_a_key_counts_if_nothing_else_differs() -> None:
    a = view_of(session("one"))
    b = evolve(a, items=tuple(evolve(item, key=f"{item.key}~1") for item in a.items))
    assert [each[0] for each in found(a, b)] == [f"/items/{at}/key" for at in range(4)]
    assert found(a, b, ids=True) == []


def test_live_and_stored_differ_by_what_only_the_trace_has() -> None:
    live = view_of(read(PENGUIN / "live_streams" / "deny.ndjson"))
    stored = view_of(open_trace(penguin("deny")).messages)
    labels = [each.part.label for each in differences(live, stored, Ignored(times=True))]
    assert labels == ["user_text", "task_stats"]
