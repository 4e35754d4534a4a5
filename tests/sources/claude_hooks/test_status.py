"""Status edges: running, idle, waiting, failed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.messages import Abort, Message, SourcePosition, Text, Transport
from refold.sources.claude_hooks import status as statuses
from refold.sources.claude_hooks.hooks import Hook
from refold.sources.claude_hooks.status import Edge, GaveUp, Status, to_json
from refold.times import format_ms
from tests.sources.claude_hooks.builders import call, message, notice, output, prompt, said
from tests.strategies import messages


def stop(background: int = 0, *, at_ms: int | None = None, agent: bool = False) -> Hook:
    return Hook(event="Stop", background=background, at_ms=at_ms, agent=agent)


def at(ms: int, payload: Any, key: str) -> Message:
    source = SourcePosition(format="claude-code", id=key)
    return Message(payload=payload, timestamp=format_ms(ms), transport=Transport(source=source))


def edges(*events: Message | Hook | GaveUp, start: Status | None = None) -> list[Edge]:
    state, told = start or Status(), []
    for each in events:
        state, more = statuses.step(state, each)
        told += more
    return told


def test_stop_is_idle_with_count_0_and_no_turn_and_a_submitted_prompt_is_nothing() -> None:
    start = Hook(event="SessionStart", session_id="s1")
    submit = Hook(event="UserPromptSubmit", session_id="s1")
    assert edges(start, submit, stop()) == [Edge(state="idle", background=0)]


def test_a_subagents_stop_failure_is_ignored_and_the_mains_is_failed_without_a_count() -> None:
    child = Hook(event="StopFailure", agent=True)
    assert edges(child, Hook(event="StopFailure")) == [Edge(state="failed")]


def test_a_subagents_stop_is_ignored_and_the_mains_is_exactly_one_idle() -> None:
    child = Hook(event="SubagentStop", agent=True, agent_id="a")
    assert edges(stop(agent=True), child, stop()) == [Edge(state="idle", background=0)]


def test_a_stop_failure_is_failed_and_not_idle() -> None:
    assert edges(said("a1"), Hook(event="StopFailure"))[1:] == [Edge(state="failed", turn="a1")]


def test_a_stop_with_live_background_tasks_is_waiting_with_their_count() -> None:
    assert edges(stop(1)) == [Edge(state="waiting", background=1)]
    assert edges(stop(2), start=Status(waits=False)) == [Edge(state="idle", background=2)]


def test_a_turn_runs_from_its_first_answer_and_is_announced_once() -> None:
    assert edges(prompt("u1"), call("a1"), output("r1"), said("a2")) == [
        Edge(state="running", turn="a1")
    ]


def test_the_edge_that_ends_a_turn_names_it_and_tells_the_count() -> None:
    assert edges(said("a1"), stop())[1:] == [Edge(state="idle", turn="a1", background=0)]


def test_two_turns_read_in_one_go_are_both_announced() -> None:
    told = edges(prompt("u1"), said("a1"), prompt("u2"), said("a2"), stop())
    assert told == [
        Edge(state="running", turn="a1"),
        Edge(state="running", turn="a2"),
        Edge(state="idle", turn="a2", background=0),
    ]


def test_a_stop_that_is_read_behind_the_next_prompt_names_the_turn_it_ended() -> None:
    asked = at(2_000, Text(role="user", text="next"), "u2")
    answer = at(3_000, Text(role="assistant", text="Sure."), "a2")
    first = at(1_000, Text(role="assistant", text="One."), "a1")
    assert edges(first, asked, stop(at_ms=1_500))[1:] == [
        Edge(state="idle", turn="a1", background=0, at_ms=1_500)
    ]
    assert edges(first, asked, answer, stop(at_ms=1_500), stop(at_ms=4_000))[2:] == [
        Edge(state="idle", turn="a1", background=0, at_ms=1_500),
        Edge(state="idle", turn="a2", background=0, at_ms=4_000),
    ]


@pytest.mark.parametrize("name", ["slash_command", "shell_command"])
def test_a_turn_that_only_a_command_opened_announces_nothing(name: str) -> None:
    assert edges(said("a1"), stop(), notice("c1", name))[2:] == []
    assert edges(notice("c1", name), said("a2")) == [Edge(state="running", turn="c1")]


def test_a_late_stop_behind_a_command_still_ends_the_turn_before() -> None:
    told = edges(said("a1"), notice("c1", "slash_command"), stop())
    assert told[1:] == [Edge(state="idle", turn="a1", background=0)]


def test_a_prompt_alone_announces_nothing() -> None:
    assert edges(prompt("u1")) == []


def test_an_interrupt_ends_the_turn_for_it_fires_no_hook() -> None:
    interrupt = message("i1", Abort(reason="user_interrupt"))
    assert edges(said("a1"), interrupt)[1:] == [
        Edge(state="idle", turn="a1", reason="user_interrupt")
    ]
    assert edges(interrupt) == []


def test_giving_up_is_failed_with_the_reason_and_the_turn() -> None:
    assert edges(said("a1"), GaveUp(reason="rejected 3 times", turn="a1"))[1:] == [
        Edge(state="failed", turn="a1", reason="rejected 3 times")
    ]


def test_what_is_not_known_has_no_key() -> None:
    assert dict(to_json(Edge(state="idle"))) == {"state": "idle"}
    assert dict(to_json(Edge(state="running", turn="a1"))) == {"state": "running", "turn": "a1"}
    assert dict(to_json(Edge(state="idle", background=0)))["background"] == 0


@pytest.mark.parametrize("event", ["SessionStart", "PostToolUse", "UserPromptSubmit", "Odd"])
def test_other_hooks_are_no_edges(event: str) -> None:
    state, told = statuses.step(Status(), Hook(event=event, source="compact"))
    assert (state, told) == (Status(), ())


@given(st.lists(messages(), max_size=15))
def test_no_turn_is_announced_twice_in_a_row(stream: list[Message]) -> None:
    announced = [each.turn for each in edges(*stream) if each.state == "running"]
    assert all(one != other for one, other in pairwise(announced))
