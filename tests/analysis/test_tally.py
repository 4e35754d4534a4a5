"""The pass itself: pure, total, and no larger than what it found."""

from __future__ import annotations

import pickle

from hypothesis import given, settings
from hypothesis import strategies as st

from refold.analysis import Tally, analyse, finish, step, steps
from refold.analysis.cases import CASES
from refold.messages import (
    CompletePayload,
    EventPayload,
    Fact,
    Message,
    PartialPayload,
    PartialText,
    PartialToolCallOutput,
    SessionMeta,
    UnknownPayload,
)
from tests.analysis.streams import at, call, meta, output, said, usage, user
from tests.strategies import chaotic_streams, disciplined_streams

streams = st.one_of(disciplined_streams(), chaotic_streams(max_size=60))

WITHOUT_A_CASE = {
    "inline_data",
    "partial_text",
    "partial_thinking",
    "partial_tool_call_output",
    "subagent",
    "tool_list_ready",
    "mcp_connect_end",
    "goal_finished",
    "fact",
}


def _tally(messages: list[Message]) -> Tally:
    tally = Tally()
    for message in messages:
        tally = step(tally, message)
    return tally


def test_every_kind_has_a_case_or_is_known_to_need_none() -> None:
    union = {
        kind.kind
        for payloads in (CompletePayload, PartialPayload, EventPayload)
        for kind in payloads.__args__
    }
    assert set(CASES) | WITHOUT_A_CASE == union
    assert not set(CASES) & WITHOUT_A_CASE
    assert {SessionMeta.kind, UnknownPayload.kind}.isdisjoint(union)


@settings(max_examples=60)
@given(streams, st.data())
def test_a_tally_can_be_finished_anywhere_and_goes_on(
    messages: list[Message], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(messages)))
    tally = _tally(messages[:cut])
    assert finish(tally) == analyse(messages[:cut])
    before = pickle.dumps(tally)
    other = step(tally, at(0, user()))
    for message in messages[cut:]:
        tally = step(tally, message)
    assert finish(tally) == analyse(messages)
    assert finish(other) == analyse([*messages[:cut], at(0, user())])
    assert pickle.loads(before) == _tally(messages[:cut])


@settings(max_examples=60)
@given(streams)
def test_steps_is_one_step_after_another(messages: list[Message]) -> None:
    assert steps(Tally(), messages) == _tally(messages)
    half = len(messages) // 2
    assert steps(steps(Tally(), messages[:half]), iter(messages[half:])) == _tally(messages)


def test_what_streams_is_not_kept() -> None:
    delta = PartialText(role="assistant", event_type="delta", text="x" * 1000)
    piece = PartialToolCallOutput(
        role="user", event_type="delta", output="x" * 1000, tool_call_id="c"
    )
    short = _tally([at(0, user()), at(1, call("c")), at(2, delta)])
    long = _tally([at(0, user()), at(1, call("c")), *[at(2, delta), at(2, piece)] * 500])
    assert long.accounts == short.accounts
    assert long.messages == 1002


def test_texts_are_not_kept() -> None:
    def size(text: str) -> int:
        found = analyse(
            [at(0, user(text)), at(1, said(text)), at(2, call("c")), at(3, output("c"))]
        )
        return len(pickle.dumps(found))

    assert size("y" * 1_000_000) < size("y") + 200


def test_an_origin_chain_of_ten_thousand_is_ten_thousand_sessions() -> None:
    chain = tuple(str(n) for n in range(10_000))
    message = Message(payload=usage(1, 2, 3, 6), timestamp=None, origin=chain)
    analysis = analyse([message, message])
    assert len(analysis.sessions) == 10_001
    assert analysis.sessions[-1].depth == 10_000
    assert analysis.main.subtree.tokens.total == 12


def test_a_fact_names_the_model_from_then_on() -> None:
    session = analyse(
        [
            at(0, meta(model="old")),
            at(0, Fact(name="model", value="new")),
            at(0, Fact(name="model", value=7)),
            at(0, usage(1, 2, 3, 6)),
        ]
    ).main
    assert (session.model, session.own.models[0].model) == ("new", "new")


def test_nothing_at_all_is_an_empty_main_session() -> None:
    analysis = analyse([])
    assert (analysis.messages, len(analysis.sessions), analysis.cost) == (0, 1, None)
    assert analysis.main.tasks == ()
    assert analysis.main.wall_ms is None
