from __future__ import annotations

from refold.messages import ToolCall
from refold.sources.claude_stream_json.calls import answered, call_like, called, lane_of_call
from refold.sources.claude_stream_json.state import MAIN, START, State


def call(call_id: str, arguments: str = '{"a": 1}') -> ToolCall:
    return ToolCall(role="assistant", name="Bash", arguments=arguments, tool_call_id=call_id)


def with_calls(count: int) -> State:
    state = START
    for number in range(count):
        state = called(state, MAIN, call(f"t{number}", f'{{"a": {number}}}'))
    return state


def test_a_call_is_found_by_its_tool_and_input_while_it_is_open() -> None:
    state = called(called(START, MAIN, call("t1")), MAIN, call("t2"))

    assert call_like(state, "Bash", {"a": 1}) == "t2"
    assert call_like(answered(state, "t2"), "Bash", {"a": 1}) == "t1"
    assert call_like(state, "Bash", {"a": 2}) is None
    assert call_like(state, "Write", {"a": 1}) is None
    assert call_like(state, None, None) is None


def test_only_the_last_open_calls_are_found() -> None:
    state = with_calls(300)

    assert len(state.unanswered) == 256
    assert call_like(state, "Bash", {"a": 299}) == "t299"
    assert call_like(state, "Bash", {"a": 0}) is None


def test_answering_a_call_twice_or_one_nobody_made_changes_nothing() -> None:
    state = answered(called(START, MAIN, call("t1")), "t1")

    assert answered(state, "t1") is state
    assert answered(state, "t9") is state


def test_a_call_is_its_lanes_and_an_unknown_one_the_main_lanes() -> None:
    state = called(START, "t0", call("t1"))

    assert lane_of_call(state, "t1") == "t0"
    assert lane_of_call(state, "t9") == MAIN
