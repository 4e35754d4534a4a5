from __future__ import annotations

from collections import Counter
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.json_values import JsonObject
from refold.messages import ApprovalDecision
from refold.policies.duplex.permissions import (
    ANSWERS,
    OPEN,
    PERMISSIONS,
    STEPS,
    TRANSITIONS,
    Allow,
    Answer,
    Asked,
    Cause,
    Decided,
    Defer,
    Deny,
    Expired,
    Misunderstood,
    PermissionConfig,
    PermissionInput,
    PermissionOutput,
    Permissions,
    PermissionsEnded,
    Requested,
    Status,
    TurnCancelled,
    Unanswered,
    Withdrawn,
    step,
)
from refold.policies.duplex.wire_lines import allow_line, deny_line, error_line
from tests.policies.duplex.strategies import answers, permission, permission_inputs

CONFIG = PermissionConfig()
ASK = Requested(request=permission("r1", tool_use_id="t1"))
ALLOW = Decided(request_id="r1", decision=Allow())
DENY = Decided(request_id="r1", decision=Deny(message="no"))
DEFER = Decided(request_id="r1", decision=Defer())
INPUT = JsonObject({"command": "ls"})


def run(
    *events: PermissionInput, config: PermissionConfig = CONFIG
) -> tuple[Permissions, list[PermissionOutput]]:
    permissions = PERMISSIONS
    told: list[PermissionOutput] = []
    for event in events:
        permissions, outputs = step(config, permissions, event)
        told.extend(outputs)
    return permissions, told


def denied(message: str) -> Answer:
    return Answer(
        request_id="r1",
        line=deny_line("r1", message),
        decision=ApprovalDecision(decision="deny", tool_call_id="t1"),
    )


ALLOWED = Answer(
    request_id="r1",
    line=allow_line("r1", INPUT),
    decision=ApprovalDecision(decision="allow", tool_call_id="t1"),
)


def test_every_input_has_a_step() -> None:
    assert set(STEPS) == set(get_args(PermissionInput))


def test_every_open_status_moves_for_every_cause_and_no_settled_one_does() -> None:
    assert set(TRANSITIONS) == set(product(OPEN, get_args(Cause)))
    settled = set(get_args(Status)) - OPEN
    assert set(TRANSITIONS.values()) == settled | {"deferred"}
    assert set(ANSWERS) == settled


def test_a_request_is_put_to_the_host() -> None:
    permissions, told = run(ASK)

    assert told == [Asked(request=ASK.request)]
    assert permissions.open["r1"].status == "pending"


def test_allowing_answers_with_the_effective_input() -> None:
    other = JsonObject({"command": "pwd"})

    assert run(ASK, ALLOW)[1][1:] == [ALLOWED]
    _, told = run(ASK, Decided(request_id="r1", decision=Allow(updated_input=other)))
    assert told[1:] == [
        Answer(
            request_id="r1",
            line=allow_line("r1", other),
            decision=ApprovalDecision(decision="allow", tool_call_id="t1"),
        )
    ]


def test_denying_answers_with_the_message() -> None:
    assert run(ASK, DENY)[1][1:] == [denied("no")]


def test_deferring_decides_nothing_and_the_answer_may_come_later() -> None:
    permissions, told = run(ASK, DEFER, DEFER)

    assert told == [Asked(request=ASK.request)]
    assert permissions.open["r1"].status == "deferred"
    assert run(ASK, DEFER, ALLOW)[1][1:] == [ALLOWED]


@pytest.mark.parametrize("second", [ALLOW, DENY, DEFER])
def test_what_is_answered_is_not_answered_again(second: Decided) -> None:
    _, told = run(ASK, ALLOW, second)

    assert told[1:] == [ALLOWED, Unanswered(request_id="r1", why="already_settled")]


def test_an_unknown_id_is_answered_by_nothing() -> None:
    assert run(ALLOW)[1] == [Unanswered(request_id="r1", why="unknown")]
    digits = run(Requested(request=permission("1")), Decided(request_id="１", decision=Allow()))
    assert digits[1][1:] == [Unanswered(request_id="１", why="unknown")]


@pytest.mark.parametrize("before", [(), (ALLOW,), (DEFER,), (Withdrawn(request_id="r1"),)])
def test_an_id_asked_twice_is_one_request(before: tuple[PermissionInput, ...]) -> None:
    _, told = run(ASK, *before, ASK)

    assert told[-1] == Unanswered(request_id="r1", why="already_asked")


def test_a_withdrawn_question_has_no_answer() -> None:
    permissions, told = run(ASK, Withdrawn(request_id="r1"), ALLOW)

    assert told[1:] == [Unanswered(request_id="r1", why="already_settled")]
    assert permissions.requests["r1"].status == "withdrawn"


@pytest.mark.parametrize("before", [(), (DEFER,)])
def test_a_cancelled_turn_denies_what_is_open(before: tuple[PermissionInput, ...]) -> None:
    _, told = run(ASK, *before, TurnCancelled(), ALLOW)

    assert told[1:] == [
        denied("the turn was cancelled"),
        Unanswered(request_id="r1", why="already_settled"),
    ]


def test_an_expiry_denies_the_one_it_names() -> None:
    _, told = run(ASK, Requested(request=permission("r2")), Expired(request_id="r1"))

    assert told[2:] == [denied("nobody decided in time")]


def test_an_expiry_of_all_denies_all_in_the_order_they_came() -> None:
    asked = [Requested(request=permission(f"q{number}")) for number in (3, 1, 2)]
    _, told = run(*asked, Expired())

    assert [each.request_id for each in told[3:] if isinstance(each, Answer)] == ["q3", "q1", "q2"]


def test_the_end_denies_what_is_open_and_nothing_comes_behind_it() -> None:
    permissions, told = run(ASK, DEFER, PermissionsEnded(), ALLOW, DEFER, PermissionsEnded())

    assert told[1:] == [
        denied("the session was closed"),
        Unanswered(request_id="r1", why="closed"),
    ]
    assert permissions.closed
    assert len(permissions.open) == 0
    late = step(CONFIG, permissions, Requested(request=permission("r9")))
    assert late == (permissions, (Unanswered(request_id="r9", why="closed"),))


def test_with_nobody_to_decide_the_answer_is_no() -> None:
    _, told = run(ASK, config=PermissionConfig(decides=False))

    assert told == [denied("nobody is there to give permission")]


def test_beyond_the_most_open_ones_the_answer_is_no() -> None:
    _, told = run(Requested(request=permission("q1")), ASK, config=PermissionConfig(max_open=1))

    assert told[1:] == [denied("too many permission requests are open")]


def test_a_request_nobody_understands_is_answered_with_an_error_once() -> None:
    unread = Misunderstood(request_id="x", message="what?")
    _, told = run(unread, unread, Decided(request_id="x", decision=Allow()))

    assert told == [
        Answer(request_id="x", line=error_line("x", "what?")),
        Unanswered(request_id="x", why="already_asked"),
        Unanswered(request_id="x", why="already_settled"),
    ]


def test_one_without_an_id_cannot_be_answered() -> None:
    assert run(Misunderstood(request_id=None, message="what?"))[1] == [
        Unanswered(request_id=None, why="unanswerable")
    ]


def test_the_silence_of_older_hosts_is_an_option() -> None:
    _, told = run(
        Misunderstood(request_id="x", message="what?"),
        config=PermissionConfig(answer_unknown=False),
    )

    assert told == [Unanswered(request_id="x", why="unanswerable")]


def test_the_call_is_known_only_where_the_agent_says_it() -> None:
    _, told = run(Requested(request=permission("r1")), ALLOW)

    assert told[1:] == [Answer(request_id="r1", line=allow_line("r1", INPUT), decision=None)]


@given(st.lists(permission_inputs(), max_size=30), st.booleans(), st.integers(0, 3))
def test_every_request_gets_exactly_one_answer_unless_it_was_withdrawn(
    events: list[PermissionInput], decides: bool, max_open: int
) -> None:
    config = PermissionConfig(decides=decides, max_open=max_open)
    permissions, told = run(*events, PermissionsEnded(), config=config)
    lines = [answers(each.line)[0] for each in told if isinstance(each, Answer)]
    withdrawn = {
        each for each, tracked in permissions.requests.items() if tracked.status == "withdrawn"
    }

    assert Counter(lines) == Counter(set(permissions.requests) - withdrawn)
    assert len(permissions.open) == 0


@given(st.lists(permission_inputs(), max_size=30))
def test_what_is_open_is_what_is_not_settled(events: list[PermissionInput]) -> None:
    permissions, _ = run(*events)

    assert dict(permissions.open) == {
        each: tracked for each, tracked in permissions.requests.items() if tracked.status in OPEN
    }


@given(st.lists(permission_inputs(), max_size=30))
def test_the_wire_and_the_view_hear_the_same_decision(events: list[PermissionInput]) -> None:
    for output in run(*events)[1]:
        if isinstance(output, Answer) and output.decision is not None:
            assert answers(output.line) == (output.request_id, output.decision.decision)
            assert output.decision.tool_call_id == f"t-{output.request_id}"
