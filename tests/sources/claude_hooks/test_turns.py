"""Which turn a message belongs to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.messages import Abort, Message, Text, Thinking
from refold.sources.claude_hooks import turns
from refold.sources.claude_hooks.turns import Turns, response_id
from tests.sources.claude_hooks.builders import call, message, notice, output, prompt, said
from tests.strategies import messages

STEERING = "[user_steering]\nSTOP\n[/user_steering]"


def keys(*stream: Message, start: Turns | None = None) -> list[str | None]:
    state, told = start or Turns(), []
    for each in stream:
        state, turn = turns.step(state, each)
        told.append(turn)
    return told


def test_a_call_and_its_result_share_a_turn() -> None:
    assert keys(prompt("u1"), call("a1"), output("r1")) == ["u1", "a1", "a1"]


def test_a_turn_has_the_key_of_its_first_record_that_says_anything() -> None:
    thought = message("a0", Thinking(role="assistant", thinking="hm"))
    blank = message("b0", Thinking(role="assistant", thinking="\n"))
    assert keys(prompt("u1"), blank, thought, said("a1"), said("a2")) == [
        "u1",
        None,
        "a0",
        "a0",
        "a0",
    ]


def test_the_next_prompt_and_an_abort_close_the_turn() -> None:
    assert keys(said("a1"), prompt("u2"), said("a2")) == ["a1", "u2", "a2"]
    assert keys(said("a1"), message("i1", Abort()), said("a2")) == ["a1", "i1", "a2"]


def test_steering_does_not_split_the_turn_unless_asked_to() -> None:
    stream = [call("a1"), prompt("q1", STEERING), said("a2")]
    assert keys(*stream) == ["a1", "a1", "a1"]
    assert keys(*stream, start=Turns(steering_splits=True)) == ["a1", "q1", "a2"]


def test_a_result_belongs_to_its_calls_turn_whatever_stands_between() -> None:
    stream = [call("a1"), prompt("u2"), said("a2"), output("r1"), said("a3")]
    assert keys(*stream) == ["a1", "u2", "a2", "a1", "a2"]


def test_a_command_opens_a_turn_and_its_answer_belongs_to_it() -> None:
    assert keys(said("a1"), notice("c1", "slash_command"), said("a2")) == ["a1", "c1", "c1"]


def test_a_shell_command_and_its_output_share_a_turn_of_their_own() -> None:
    stream = [said("a1"), notice("b1", "shell_command"), notice("b2", "shell_output")]
    assert keys(*stream) == ["a1", "b1", "b1"]
    assert keys(notice("b2", "shell_output")) == ["b2"]


def test_a_compactions_summary_continues_the_turn() -> None:
    assert keys(said("a1"), prompt("k1", "[context_summary]\nso far"), said("a2")) == [
        "a1",
        "a1",
        "a1",
    ]


def test_a_record_without_an_id_is_named_by_its_line() -> None:
    payload = Text(role="assistant", text="owned")
    assert keys(message(None, payload, line=3)) == ["line-3"]
    assert keys(Message(payload=payload, timestamp="T")) == ["at-T"]


def test_a_nested_sessions_messages_belong_to_no_turn_of_this_lane() -> None:
    nested = Message(payload=Text(role="assistant", text="x"), origin=("child",))
    assert turns.step(Turns(), nested) == (Turns(), None)


def test_a_response_id_is_a_digest_of_the_key() -> None:
    assert response_id("a1") == response_id("a1") != response_id("a2")
    assert response_id("a1").startswith("resp_claude_") and len(response_id("\ud83d")) == 44


@given(st.lists(messages(), max_size=12), st.integers(0, 12))
def test_how_messages_are_batched_decides_nothing(stream: list[Message], cut: int) -> None:
    state = Turns()
    for each in stream[:cut]:
        state, _ = turns.step(state, each)
    assert keys(*stream[cut:], start=state) == keys(*stream)[cut:]
