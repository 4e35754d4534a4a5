from __future__ import annotations

from decimal import Decimal
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from refold.json_values import freeze
from refold.messages import ApprovalDecision
from refold.policies.duplex.controls import (
    ControlDone,
    ControlLine,
    ControlRefused,
    Unasked,
)
from refold.policies.duplex.costs import CostConfig
from refold.policies.duplex.dispatch import Assistant, Inbound, classify
from refold.policies.duplex.failures import (
    BudgetExceeded,
    Closed,
    DeadlineExceeded,
    IoFailed,
    LimitExceeded,
    TurnInFlight,
)
from refold.policies.duplex.lifecycle import (
    Completed,
    Concluded,
    Failed,
    HostClosed,
    InputEnded,
    LifecycleInput,
    NotReaped,
    Reaped,
)
from refold.policies.duplex.limits import Limits
from refold.policies.duplex.permissions import (
    Allow,
    Answer,
    Asked,
    Deny,
    PermissionConfig,
    Unanswered,
)
from refold.policies.duplex.session import (
    Decide,
    Duplex,
    DuplexConfig,
    DuplexInput,
    DuplexOutput,
    Interrupt,
    Prompt,
    Received,
    SessionEnded,
    StopProcess,
    Tick,
    Unwritten,
    duplex,
)
from refold.policies.duplex.session_frames import ACTIONS
from refold.policies.duplex.session_step import STEPS, next_wakeup_ms, step
from refold.policies.duplex.subscribers import read
from refold.policies.duplex.turns import (
    PromptLine,
    PromptRefused,
    ResultDropped,
    TurnDone,
    TurnFailed,
)
from refold.policies.duplex.wire_json import Malformed
from refold.policies.duplex.wire_lines import deny_line, request_line, user_line
from tests.policies.duplex.strategies import json_values, line
from tests.policies.duplex.strategies import request_line as permission_line

SAID = {"type": "assistant"}
RESULT = {"type": "result", "subtype": "success", "total_cost_usd": 0.5}
PLAIN = DuplexConfig()
HELLO = Prompt(text="hello", now_ms=0)


def ack(number: int, **fields: Any) -> dict[str, Any]:
    told = {"request_id": f"interrupt-{number}", "subtype": "success", **fields}
    return {"type": "control_response", "response": told}


def got(*values: Any, now_ms: int = 1) -> Received:
    return Received(chunk=b"".join(map(line, values)), now_ms=now_ms)


def run(
    *events: DuplexInput, config: DuplexConfig = PLAIN, session: Duplex | None = None
) -> tuple[Duplex, list[DuplexOutput]]:
    session = duplex(config) if session is None else session
    told: list[DuplexOutput] = []
    for event in events:
        session, outputs = step(config, session, event)
        told.extend(outputs)
    return session, told


def broadcast(session: Duplex) -> list[Inbound]:
    return list(read(session.subscribers, 0).events)


def test_every_input_has_a_step_and_every_event_an_action() -> None:
    own = {Prompt, Interrupt, Decide, Unwritten, Received, Tick}

    assert set(STEPS) == own | set(get_args(LifecycleInput))
    assert set(ACTIONS) == set(get_args(Inbound))


def test_nothing_is_bounded_unless_it_is_asked_for() -> None:
    assert PLAIN.limits == Limits()
    assert (PLAIN.turn_timeout_ms, PLAIN.control_timeout_ms) == (None, None)
    session, _ = run(HELLO, Interrupt(now_ms=0))
    assert next_wakeup_ms(session) is None


def test_a_turn_goes_from_its_prompt_to_its_result() -> None:
    session, told = run(HELLO, got(SAID, RESULT))

    assert told[0] == PromptLine(line=user_line("hello"))
    done = told[1]
    assert isinstance(done, TurnDone)
    assert (done.result, list(done.events)) == (
        freeze(RESULT),
        [Assistant(raw=freeze(SAID))],
    )
    assert session.turns.running is None


def test_events_without_a_turn_are_broadcast_and_not_kept() -> None:
    session, told = run(got(SAID, RESULT))

    assert broadcast(session) == [Assistant(raw=freeze(SAID))]
    assert told == [ResultDropped()]


def test_a_result_is_not_broadcast() -> None:
    session, _ = run(HELLO, got(RESULT))

    assert broadcast(session) == []


def test_a_second_prompt_is_refused_while_a_turn_runs() -> None:
    session, told = run(HELLO, Prompt(text="again", now_ms=1))

    assert told[1:] == [PromptRefused(failure=TurnInFlight())]
    assert session.turns.accepted == 1


def test_blank_lines_do_nothing_and_broken_ones_are_skipped() -> None:
    session, told = run(HELLO, Received(chunk=b"\n \t\r\nnot json\n", now_ms=1), got(RESULT))

    assert told[1] == Malformed(length=8, error="syntax")
    assert isinstance(told[2], TurnDone)
    assert broadcast(session) == []


def test_a_deadline_that_has_passed_beats_a_result_in_the_buffer() -> None:
    config = DuplexConfig(turn_timeout_ms=199)
    session, told = run(HELLO, got(SAID, RESULT, now_ms=200), config=config)

    late = DeadlineExceeded(operation="turn", timeout_ms=199)
    assert told[1:] == [StopProcess(failure=late)]
    assert session.lifecycle.policy == late


def test_a_result_in_time_settles_the_deadline() -> None:
    config = DuplexConfig(turn_timeout_ms=200)
    session, told = run(HELLO, got(RESULT, now_ms=199), Tick(now_ms=999), config=config)

    assert isinstance(told[-1], TurnDone)
    assert next_wakeup_ms(session) is None


def test_a_timeout_of_zero_expires_at_once() -> None:
    config = DuplexConfig(turn_timeout_ms=0)
    _, told = run(HELLO, Tick(now_ms=0), config=config)

    assert told[1:] == [StopProcess(failure=DeadlineExceeded(operation="turn", timeout_ms=0))]


def test_one_control_deadline_fails_the_turn_and_every_request() -> None:
    config = DuplexConfig(control_timeout_ms=50)
    _, told = run(
        HELLO,
        Interrupt(now_ms=10),
        Interrupt(now_ms=20),
        Tick(now_ms=60),
        Reaped(code=0),
        Concluded(),
        config=config,
    )

    late = DeadlineExceeded(operation="control", timeout_ms=50)
    reaped = DeadlineExceeded(operation="control", timeout_ms=50, settled=True)
    assert told[3:] == [
        StopProcess(failure=late),
        TurnFailed(failure=reaped),
        ControlDone(request_id="interrupt-1", number=1, failure=reaped),
        ControlDone(request_id="interrupt-2", number=2, failure=reaped),
        SessionEnded(
            status=Failed(message="control request deadline exceeded: not done within 50 ms"),
            failure=reaped,
        ),
    ]


def test_acknowledgement_and_result_come_in_either_order() -> None:
    config = DuplexConfig(turn_timeout_ms=100, control_timeout_ms=50)
    interrupted = {"type": "result", "subtype": "error_during_execution", "is_error": True}
    for values in ((ack(1), interrupted), (interrupted, ack(1))):
        session, told = run(HELLO, Interrupt(now_ms=1), got(*values), config=config)

        assert ControlDone(request_id="interrupt-1", number=1) in told
        assert any(isinstance(each, TurnDone) for each in told)
        assert next_wakeup_ms(session) is None


def test_an_acknowledgement_does_not_end_the_turn() -> None:
    session, _ = run(HELLO, Interrupt(now_ms=1), got(ack(1)))

    assert session.turns.running is not None


def test_an_acknowledgement_of_nothing_is_ignored() -> None:
    _, told = run(got(ack(7)))

    assert told == [Unasked(request_id="interrupt-7")]


def test_an_interrupt_is_written_without_a_turn_too() -> None:
    _, told = run(Interrupt(now_ms=0))

    line_value = request_line("interrupt-1", "interrupt")
    assert told == [ControlLine(request_id="interrupt-1", number=1, line=line_value)]


def test_the_event_limit_comes_before_broadcast_and_retention() -> None:
    config = DuplexConfig(limits=Limits(max_turn_events=1))
    session, told = run(HELLO, got(SAID, SAID, SAID), config=config)

    tripped = LimitExceeded(limit="turn_events", max=1)
    assert told[1:] == [StopProcess(failure=tripped)]
    assert broadcast(session) == [Assistant(raw=freeze(SAID))]
    assert session.turns.running is not None
    assert len(session.turns.running.events) == 1


def test_results_and_acknowledgements_are_exempt_from_the_event_limit() -> None:
    config = DuplexConfig(limits=Limits(max_turn_events=1))
    _, told = run(HELLO, Interrupt(now_ms=0), got(SAID, ack(1), RESULT), config=config)

    assert isinstance(told[-1], TurnDone)
    assert len(told[-1].events) == 1


def test_a_permission_request_counts_as_an_event_and_is_not_put_to_anybody_beyond_the_limit() -> (
    None
):
    config = DuplexConfig(limits=Limits(max_turn_events=1))
    _, told = run(HELLO, got(SAID, permission_line("r1")), config=config)

    assert told[1:] == [StopProcess(failure=LimitExceeded(limit="turn_events", max=1))]


def test_without_a_turn_there_is_no_event_limit() -> None:
    config = DuplexConfig(limits=Limits(max_turn_events=1))
    session, told = run(got(SAID, SAID, SAID), config=config)

    assert told == []
    assert len(broadcast(session)) == 3


def test_the_closing_result_counts_against_the_bytes_of_its_turn_and_the_next_begins_anew() -> None:
    size = len(line(RESULT))
    config = DuplexConfig(limits=Limits(max_turn_bytes=size))
    session, told = run(HELLO, got(RESULT, SAID, SAID, SAID), config=config)
    assert isinstance(told[-1], TurnDone)

    _, told = run(Prompt(text="b", now_ms=2), got(RESULT), session=session, config=config)
    assert isinstance(told[-1], TurnDone)

    _, told = run(HELLO, got(SAID, RESULT), config=config)
    assert told[1:] == [StopProcess(failure=LimitExceeded(limit="turn_bytes", max=size))]


def test_a_frame_too_long_stops_the_session_without_a_turn_too() -> None:
    config = DuplexConfig(limits=Limits(max_frame_bytes=4))
    session, told = run(got("a long text"), got(SAID), config=config)

    assert told == [StopProcess(failure=LimitExceeded(limit="frame_bytes", max=4))]
    assert broadcast(session) == []


def test_a_permission_request_is_kept_and_not_broadcast_and_its_answer_tells_the_view() -> None:
    asked = permission_line("r1", tool_use_id="t1")
    session, told = run(HELLO, got(asked), Decide(request_id="r1", decision=Deny(message="no")))

    request = classify(freeze(asked))
    assert told[1:] == [
        Asked(request=request),
        Answer(
            request_id="r1",
            line=deny_line("r1", "no"),
            decision=ApprovalDecision(decision="deny", tool_call_id="t1"),
        ),
    ]
    assert broadcast(session) == []
    assert session.turns.running is not None
    assert list(session.turns.running.events) == [request]


def test_a_permission_request_without_a_turn_is_decided_too() -> None:
    config = DuplexConfig(permissions=PermissionConfig(decides=False))
    _, told = run(got(permission_line("r1")), config=config)

    assert [type(each) for each in told] == [Answer]


def test_a_withdrawn_question_is_broadcast_and_never_answered() -> None:
    withdrawal = {"type": "control_cancel_request", "request_id": "r1"}
    session, told = run(
        got(permission_line("r1"), withdrawal), Decide(request_id="r1", decision=Allow())
    )

    assert told[1:] == [Unanswered(request_id="r1", why="already_settled")]
    assert len(broadcast(session)) == 1


def test_an_interrupt_denies_what_is_open() -> None:
    _, told = run(HELLO, got(permission_line("r1")), Interrupt(now_ms=2))

    assert told[-1] == Answer(request_id="r1", line=deny_line("r1", "the turn was cancelled"))


def test_a_request_nobody_understands_gets_an_error() -> None:
    unread = {"type": "control_request", "request_id": "x", "request": {"subtype": "future"}}
    session, told = run(HELLO, got(unread))

    assert [type(each) for each in told[1:]] == [Answer]
    assert len(broadcast(session)) == 1


def test_an_orphan_result_moves_the_cost_baseline() -> None:
    first = {"type": "result", "total_cost_usd": 1}
    orphan = {"type": "result", "total_cost_usd": 3}
    last = {"type": "result", "cost_usd": 4}
    session, _ = run(HELLO, got(first, orphan), HELLO, got(last))

    assert [each.usd for each in session.costs.turns] == [Decimal(1), Decimal(1)]


def test_a_conversation_that_was_reset_counts_its_cost_from_zero() -> None:
    session, _ = run(HELLO, got(RESULT, {"type": "conversation_reset"}), HELLO, got(RESULT))

    assert [each.usd for each in session.costs.turns] == [Decimal("0.5"), Decimal("0.5")]


def test_a_prompt_over_budget_is_not_sent() -> None:
    config = DuplexConfig(costs=CostConfig(ceiling_usd=Decimal("0.5")))
    _, told = run(HELLO, got(RESULT), HELLO, config=config)

    assert told[-1] == PromptRefused(failure=BudgetExceeded(spent_usd="0.5", ceiling_usd="0.5"))


def test_a_prompt_that_cannot_be_written_leaves_no_deadline() -> None:
    broken = IoFailed(message="pipe")
    config = DuplexConfig(turn_timeout_ms=5)
    session, told = run(HELLO, Unwritten(failure=broken), config=config)

    assert told[1:] == [PromptRefused(failure=broken)]
    assert next_wakeup_ms(session) is None
    assert session.counter.used is None


def test_a_request_that_cannot_be_written_leaves_no_deadline() -> None:
    broken = IoFailed(message="pipe")
    config = DuplexConfig(control_timeout_ms=5)
    session, told = run(
        Interrupt(now_ms=0), Unwritten(failure=broken, request_id="interrupt-1"), config=config
    )

    assert told[1:] == [ControlDone(request_id="interrupt-1", number=1, failure=broken)]
    assert next_wakeup_ms(session) is None


def test_a_turn_pending_at_the_end_is_an_error_and_never_a_short_result() -> None:
    _, told = run(HELLO, got(SAID), InputEnded(), Reaped(code=0), Concluded())

    assert told[1:] == [
        TurnFailed(failure=Closed()),
        SessionEnded(status=Completed(), failure=None),
    ]


def test_an_unterminated_result_at_the_end_still_counts() -> None:
    _, told = run(HELLO, Received(chunk=line(RESULT)[:-1], now_ms=1), InputEnded())

    assert isinstance(told[-1], TurnDone)


def test_a_session_that_stops_accepts_nothing_and_reads_nothing() -> None:
    session, told = run(HostClosed(), HELLO, Interrupt(now_ms=1), got(SAID))

    assert told == [PromptRefused(failure=Closed()), ControlRefused(failure=Closed())]
    assert broadcast(session) == []


def test_deadlines_still_run_while_a_session_stops() -> None:
    config = DuplexConfig(turn_timeout_ms=50)
    _, told = run(HELLO, InputEnded(), Tick(now_ms=50), Reaped(code=0), Concluded(), config=config)

    reaped = DeadlineExceeded(operation="turn", timeout_ms=50, settled=True)
    assert told[-2:] == [
        TurnFailed(failure=reaped),
        SessionEnded(
            status=Failed(message="turn deadline exceeded: not done within 50 ms"), failure=reaped
        ),
    ]


def test_unreadable_output_stops_the_process() -> None:
    session, told = run(Received(chunk=b"\xff\n", now_ms=0), NotReaped(message="stuck"))

    why = IoFailed(message="expected UTF-8 in a line of 1 bytes: invalid start byte")
    assert told == [StopProcess(failure=why)]
    assert session.lifecycle.read_error == why.message


def test_a_concluded_session_answers_everything_and_changes_nothing() -> None:
    over, _ = run(HELLO, Reaped(code=0), Concluded())
    again, told = run(
        HELLO, Tick(now_ms=99), Concluded(), Decide(request_id="r", decision=Allow()), session=over
    )

    assert told == [
        PromptRefused(failure=Closed()),
        Unanswered(request_id="r", why="closed"),
    ]
    assert again.lifecycle is over.lifecycle


values = st.one_of(
    st.just(SAID),
    st.just(RESULT),
    st.just(ack(1)),
    st.sampled_from(["r1", "r2"]).map(permission_line),
    json_values,
)
inputs: st.SearchStrategy[DuplexInput] = st.one_of(
    st.builds(Prompt, text=st.just("p"), now_ms=st.integers(0, 50)),
    st.builds(Interrupt, now_ms=st.integers(0, 50)),
    st.builds(lambda found, now: got(*found, now_ms=now), st.lists(values), st.integers(0, 50)),
    st.builds(Received, chunk=st.binary(max_size=8), now_ms=st.integers(0, 50)),
    st.builds(Tick, now_ms=st.integers(0, 50)),
    st.builds(Decide, request_id=st.sampled_from(["r1", "r2"]), decision=st.just(Allow())),
    st.builds(
        Unwritten,
        failure=st.just(IoFailed(message="pipe")),
        request_id=st.sampled_from([None, "interrupt-1"]),
    ),
    st.sampled_from([InputEnded(), HostClosed(), Reaped(code=0), NotReaped(message="stuck")]),
)
configs = st.builds(
    DuplexConfig,
    limits=st.builds(
        Limits,
        max_frame_bytes=st.sampled_from([None, 80]),
        max_turn_bytes=st.sampled_from([None, 200]),
        max_turn_events=st.sampled_from([None, 2]),
    ),
    turn_timeout_ms=st.sampled_from([None, 20]),
    control_timeout_ms=st.sampled_from([None, 10]),
)


@given(configs, st.lists(inputs, max_size=15))
def test_whatever_happens_everybody_who_was_accepted_is_told_once(
    config: DuplexConfig, events: list[DuplexInput]
) -> None:
    _, told = run(*events, Concluded(), config=config)

    def count(*kinds: type) -> int:
        return sum(isinstance(each, kinds) for each in told)

    taken_back = told.count(PromptRefused(failure=IoFailed(message="pipe")))
    assert count(PromptLine) == count(TurnDone, TurnFailed) + taken_back
    assert count(ControlLine) == count(ControlDone)
    assert count(SessionEnded) == 1
    assert count(StopProcess) <= 2
    answered = [each.request_id for each in told if isinstance(each, Answer)]
    assert len(answered) == len(set(answered))


@given(configs, st.lists(values, max_size=6), st.integers(1, 9))
def test_what_a_session_does_depends_on_the_bytes_and_not_on_the_chunks(
    config: DuplexConfig, found: list[Any], size: int
) -> None:
    data = b"".join(map(line, found))
    pieces = [
        Received(chunk=data[start : start + size], now_ms=1) for start in range(0, len(data), size)
    ]
    _, whole = run(HELLO, Received(chunk=data, now_ms=1), config=config)
    _, cut = run(HELLO, *pieces, config=config)

    # Which of two limits trips may depend on the cut, never whether or where one does.
    assert [type(each) for each in whole] == [type(each) for each in cut]
    kept = [each for each in whole if not isinstance(each, StopProcess)]
    assert kept == [each for each in cut if not isinstance(each, StopProcess)]
