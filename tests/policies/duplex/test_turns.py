from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from refold.json_values import JsonObject, freeze
from refold.policies.duplex.dispatch import Assistant, Inbound, Other, User
from refold.policies.duplex.failures import Closed, IoFailed, LimitExceeded, TurnInFlight
from refold.policies.duplex.turns import (
    STEPS,
    TURNS,
    Arrived,
    Ended,
    PromptLine,
    PromptRefused,
    ResultDropped,
    Returned,
    Send,
    Turn,
    TurnDone,
    TurnFailed,
    TurnInput,
    TurnOutput,
    Turns,
    WriteFailed,
    step,
)
from refold.policies.duplex.wire_lines import user_line
from refold.vectors import vector_of

SAID = Assistant(raw=JsonObject({"type": "assistant"}))
RESULT = freeze({"type": "result", "result": "ok"})


def run(*events: TurnInput, turns: Turns = TURNS) -> tuple[Turns, list[TurnOutput]]:
    told: list[TurnOutput] = []
    for event in events:
        turns, outputs = step(turns, event)
        told.extend(outputs)
    return turns, told


def test_every_input_has_a_transition() -> None:
    assert set(STEPS) == set(get_args(TurnInput))


def test_a_prompt_is_accepted_and_written() -> None:
    turns, told = run(Send(text="hi", now_ms=5))

    assert turns == Turns(running=Turn(started_ms=5), accepted=1)
    assert told == [PromptLine(line=user_line("hi"))]


def test_events_are_kept_in_order_during_a_turn() -> None:
    other = Other(raw=None)
    turns, told = run(Send(text="hi", now_ms=0), Arrived(event=SAID), Arrived(event=other))

    assert turns.running == Turn(started_ms=0, events=vector_of([SAID, other]))
    assert told[1:] == []


def test_a_result_ends_the_turn_with_the_events_before_it() -> None:
    turns, told = run(Send(text="hi", now_ms=0), Arrived(event=SAID), Returned(raw=RESULT))

    assert turns == Turns(running=None, accepted=1)
    assert told[1:] == [TurnDone(result=RESULT, events=vector_of([SAID]))]


def test_without_a_turn_events_are_not_kept_and_a_result_is_dropped() -> None:
    turns, told = run(Arrived(event=SAID), Returned(raw=RESULT))

    assert turns is TURNS
    assert told == [ResultDropped()]


def test_a_prompt_during_a_turn_is_refused_and_changes_nothing() -> None:
    running, _ = run(Send(text="hi", now_ms=0), Arrived(event=SAID))
    turns, told = run(Send(text="again", now_ms=1), turns=running)

    assert turns is running
    assert told == [PromptRefused(failure=TurnInFlight())]


def test_a_prompt_that_cannot_be_written_is_taken_back_and_not_counted() -> None:
    broken = IoFailed(message="pipe")
    turns, told = run(Send(text="hi", now_ms=0), WriteFailed(failure=broken))

    assert turns == TURNS
    assert told[1:] == [PromptRefused(failure=broken)]


def test_a_late_write_failure_changes_nothing() -> None:
    done, _ = run(Send(text="hi", now_ms=0), Returned(raw=RESULT))

    assert step(done, WriteFailed(failure=Closed())) == (done, ())


def test_a_pending_turn_at_the_end_fails_and_is_never_cut_short() -> None:
    tripped = LimitExceeded(limit="turn_bytes", max=3)
    turns, told = run(Send(text="hi", now_ms=0), Arrived(event=SAID), Ended(failure=tripped))

    assert turns == Turns(running=None, accepted=1, closed=True)
    assert told[1:] == [TurnFailed(failure=tripped)]


def test_behind_the_end_no_prompt_is_accepted() -> None:
    closed, _ = run(Ended())
    turns, told = run(Send(text="hi", now_ms=0), Ended(), turns=closed)

    assert turns is closed
    assert told == [PromptRefused(failure=Closed())]


def test_the_first_result_behind_an_acceptance_ends_the_turn() -> None:
    _, told = run(
        Send(text="a", now_ms=0),
        Returned(raw=RESULT),
        Send(text="b", now_ms=1),
        Returned(raw=None),
        Returned(raw=RESULT),
    )

    assert [type(each) for each in told] == [
        PromptLine,
        TurnDone,
        PromptLine,
        TurnDone,
        ResultDropped,
    ]


BROKEN = IoFailed(message="pipe")

inputs: st.SearchStrategy[TurnInput] = st.one_of(
    st.builds(Send, text=st.just("p"), now_ms=st.just(0)),
    st.just(Arrived(event=SAID)),
    st.just(Returned(raw=RESULT)),
    st.just(WriteFailed(failure=BROKEN)),
    st.just(Ended()),
)


@given(st.lists(inputs, max_size=20))
def test_every_accepted_prompt_is_settled_exactly_once(events: list[TurnInput]) -> None:
    turns, told = run(*events, Ended())
    accepted = sum(isinstance(each, PromptLine) for each in told)
    taken_back = told.count(PromptRefused(failure=BROKEN))
    settled = sum(isinstance(each, TurnDone | TurnFailed) for each in told)

    assert accepted == taken_back + settled
    assert turns == Turns(running=None, accepted=settled, closed=True)


@given(st.lists(st.sampled_from([SAID, User(raw=None), Other(raw="x")]), max_size=40))
def test_a_turn_keeps_what_came_in_the_order_it_came(events: list[Inbound]) -> None:
    _, told = run(
        Send(text="p", now_ms=0), *[Arrived(event=each) for each in events], Returned(raw=RESULT)
    )

    done = told[-1]
    assert isinstance(done, TurnDone)
    assert list(done.events) == events
