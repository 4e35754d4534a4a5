"""The registry of subagents."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.sources.claude_hooks import subagents
from refold.sources.claude_hooks.subagent_events import (
    Active,
    Described,
    Failed,
    Meta,
    Parked,
    Register,
    Registered,
    RegistryEvent,
    Say,
    Stopped,
    Tick,
    Untold,
    read_meta,
)
from refold.sources.claude_hooks.subagents import QUIET_MS, Registry
from tests.sources.claude_hooks.strategies import any_json

META = Meta(agent_type="Explore", description="Trace data flow", tool_call_id="toolu_1")
DESCRIBED = Described(agent_id="a7", meta=META)
REGISTER = Register(agent_id="a7", meta=META)
BOUND = (DESCRIBED, Registered(agent_id="a7", session_id="child"))


def run(*events: RegistryEvent, start: Registry | None = None) -> tuple[Registry, list[Any]]:
    state, asked = start or Registry(), []
    for each in events:
        state, more = subagents.step(state, each)
        asked += more
    return state, asked


def test_a_valid_side_file_asks_for_a_session_and_the_returned_one_is_kept() -> None:
    state, asked = run(*BOUND)
    assert asked == [REGISTER]
    assert (state.links["a7"].state, state.links["a7"].session_id) == ("bound", "child")


def test_a_known_subagent_is_never_asked_for_again() -> None:
    state, _ = run(*BOUND)
    assert subagents.step(state, DESCRIBED) == (state, ())
    assert run(DESCRIBED, DESCRIBED, Tick(now_ms=10**9))[1] == [REGISTER]


def test_a_parked_subagent_stays_parked_in_this_run_and_the_next() -> None:
    state, _ = run(DESCRIBED, Parked(agent_id="a7"))
    events = (DESCRIBED, Tick(now_ms=10**9), Active(agent_id="a7", now_ms=1), BOUND[1])
    assert run(*events, start=state) == (state, [])
    stored = json.loads(json.dumps(subagents.to_json(state)))
    assert stored == {"a7": None}
    assert run(*events, start=subagents.from_json(stored))[1] == []


def test_what_is_bound_survives_and_what_was_only_asked_for_is_asked_again() -> None:
    state, _ = run(*BOUND, Described(agent_id="b8", meta=META))
    stored = json.loads(json.dumps(subagents.to_json(state)))
    assert stored == {"a7": "child"}
    asked = run(DESCRIBED, Described(agent_id="b8", meta=META), start=subagents.from_json(stored))[
        1
    ]
    assert asked == [Register(agent_id="b8", meta=META)]


@given(any_json | st.dictionaries(st.sampled_from("ab"), any_json))
def test_a_stored_registry_of_any_json_is_read(value: Any) -> None:
    links = subagents.from_json(value).links
    assert all(link.state in ("bound", "parked") for link in links.values())


def test_a_failure_that_may_pass_is_asked_again_when_its_time_comes() -> None:
    failed = Failed(agent_id="a7", retry_ms=1_000)
    state, asked = run(DESCRIBED, failed, DESCRIBED, Tick(now_ms=999))
    assert asked == [REGISTER]
    assert run(Tick(now_ms=1_000), start=state)[1] == [REGISTER]


def test_activity_is_running_and_more_than_the_quiet_time_without_any_is_idle() -> None:
    state, asked = run(*BOUND, Active(agent_id="a7", now_ms=100), Active(agent_id="a7", now_ms=200))
    assert asked[1:] == [Say(session_id="child", state="running")]
    assert run(Tick(now_ms=200 + QUIET_MS), start=state)[1] == []
    late = Tick(now_ms=201 + QUIET_MS)
    assert run(late, late, start=state)[1] == [Say(session_id="child", state="idle")]


def test_a_stop_hook_is_idle_without_waiting() -> None:
    _, asked = run(*BOUND, Active(agent_id="a7", now_ms=100), Stopped(agent_id="a7"))
    assert asked[2:] == [Say(session_id="child", state="idle")]


def test_a_status_that_could_not_be_told_is_told_again() -> None:
    state, _ = run(*BOUND, Active(agent_id="a7", now_ms=100), Untold(agent_id="a7"))
    assert run(Active(agent_id="a7", now_ms=200), start=state)[1] == [
        Say(session_id="child", state="running")
    ]


def test_an_unbound_subagent_has_no_status() -> None:
    events = (Active(agent_id="a7", now_ms=1), Stopped(agent_id="a7"), Tick(now_ms=10**9))
    assert run(*events) == (Registry(), [])
    assert run(DESCRIBED, *events)[1] == [REGISTER]


GOOD = {"agentType": "Explore", "description": "", "toolUseId": "toolu_1"}


def test_a_side_file_tells_type_description_and_call() -> None:
    assert read_meta(GOOD) == Meta(agent_type="Explore", description="", tool_call_id="toolu_1")


@pytest.mark.parametrize("field", list(GOOD))
def test_a_side_file_that_is_not_whole_says_nothing_yet(field: str) -> None:
    assert read_meta({name: value for name, value in GOOD.items() if name != field}) is None
    assert read_meta({**GOOD, field: 3}) is None


@given(any_json)
def test_reading_a_side_file_of_any_json_never_raises(value: Any) -> None:
    assert read_meta(value) is None


agents = st.sampled_from(["a", "b"])
times = st.integers(0, 20_000)
events = st.one_of(
    st.builds(Described, agent_id=agents, meta=st.just(META)),
    st.builds(Registered, agent_id=agents, session_id=st.sampled_from(["s1", "s2"])),
    st.builds(Failed, agent_id=agents, retry_ms=times),
    st.builds(Parked, agent_id=agents),
    st.builds(Active, agent_id=agents, now_ms=times),
    st.builds(Stopped, agent_id=agents),
    st.builds(Untold, agent_id=agents),
    st.builds(Tick, now_ms=times),
)


@given(st.lists(events, max_size=20))
def test_between_two_registrations_of_one_subagent_lies_a_failure(
    stream: list[RegistryEvent],
) -> None:
    state = Registry()
    asked: set[str] = set()
    for event in stream:
        if isinstance(event, Failed):
            asked.discard(event.agent_id)
        state, more = subagents.step(state, event)
        for each in more:
            if isinstance(each, Register):
                assert each.agent_id not in asked
                asked.add(each.agent_id)
