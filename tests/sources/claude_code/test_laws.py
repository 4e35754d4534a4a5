"""The laws a source promises, on any records and on plausible sessions (laws.md, law 12)."""

from __future__ import annotations

import pickle
from itertools import pairwise, zip_longest
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from refold import Session, apply, finalize, replay, settled, to_json
from refold.messages import Message, TokenUsage
from refold.sources.claude_code import SOURCE
from refold.sources.claude_code.state import freeze_lane, thaw_lane
from refold.sources.source import Record
from tests.sources.claude_code.strategies import any_json, any_records, sessions
from tests.sources.claude_code.transcripts import (
    Raw,
    assistant,
    messages_of,
    step_all,
    text,
    tokens,
    user,
)

LANES = st.sampled_from([None, None, "a1", "a2", ""])
SAID_AGAIN = {"session_meta", "fact"}


def placed(record: Any, lane: str | None = None) -> Record:
    return Record(value=record, line=1, lane=lane)


@given(st.lists(st.builds(placed, any_records() | any_json(), LANES), max_size=8))
def test_any_records_give_messages_that_fold(records: list[Record]) -> None:
    state, messages = step_all(records)
    messages += SOURCE.finish(state)
    assert all(isinstance(each, Message) for each in messages)
    to_json(finalize(replay(messages, now_ms=0)))
    assert all(each > 0 for each in SOURCE.counts(state).values())


@given(st.lists(st.builds(placed, any_records(), LANES), max_size=6))
def test_the_same_records_give_the_same_state_and_messages(records: list[Record]) -> None:
    assert step_all(records) == step_all(records)


@given(sessions())
def test_a_step_changes_no_state_it_was_given(records: list[Raw]) -> None:
    states = [SOURCE.start()]
    for record in records:
        states.append(SOURCE.step(states[-1], placed(record), None)[0])
    kept = [pickle.dumps(each) for each in states]
    for state, record in zip_longest(states, records):
        SOURCE.finish(state)
        SOURCE.step(state, placed(record), None)
    assert [pickle.dumps(each) for each in states] == kept


@given(
    st.lists(st.builds(placed, any_records() | any_json(), LANES), max_size=6),
    sessions(),
    st.integers(0, 20),
)
def test_records_taken_together_give_what_they_give_one_by_one(
    any_: list[Record], plausible: list[Raw], cut: int
) -> None:
    assert SOURCE.steps is not None
    records = [*any_, *map(placed, plausible)]
    between, first = SOURCE.steps(SOURCE.start(), records[:cut])
    kept = pickle.dumps(between)
    state, second = SOURCE.steps(between, records[cut:])
    assert (state, [*first, *second]) == step_all(records)
    assert pickle.dumps(between) == kept


@given(sessions())
def test_live_records_and_stored_records_settle_the_same(records: list[Raw]) -> None:
    stored = replay(messages_of(*records), now_ms=0)
    state, live = SOURCE.start(), Session()
    for line, record in enumerate(records, 1):
        state, messages = SOURCE.step(state, Record(value=record, line=line), 5 * line)
        for message in messages:
            live = apply(live, message, now_ms=1000 + line)
        SOURCE.finish(state)
    for message in SOURCE.finish(state):
        live = apply(live, message, now_ms=2000)
    assert settled(live) == settled(stored)


@given(sessions(), st.integers(0, 20))
def test_what_is_fed_again_is_not_said_again(records: list[Raw], start: int) -> None:
    state, _ = step_all(records)
    again = step_all(records[start:], state)[1]
    assert {each.payload.kind for each in again} <= SAID_AGAIN


@given(sessions(), sessions(), st.data())
def test_lanes_dont_depend_on_how_they_interleave(
    one: list[Raw], two: list[Raw], data: st.DataObject
) -> None:
    agents = [[placed(each, "a1") for each in one], [placed(each, "a2") for each in two]]
    orders = [agents[0] + agents[1], agents[1] + agents[0], woven(data, *agents)]
    views = [settled(replay(messages_of(*each), now_ms=0)).subagents for each in orders]
    assert views[0] == views[1] == views[2]


def woven(data: st.DataObject, one: list[Record], two: list[Record]) -> list[Record]:
    turns = data.draw(st.permutations([0] * len(one) + [1] * len(two)))
    sources = (iter(one), iter(two))
    return [next(sources[each]) for each in turns]


SILENT = assistant(text(" "), uuid="a1", usage=tokens(1))


@given(sessions())
@example([user("hi"), SILENT, assistant(text("a"), uuid="a2", usage=tokens(2)), SILENT])
def test_the_requests_add_up_to_the_session(records: list[Raw]) -> None:
    usages = [each.payload for each in messages_of(*records) if type(each.payload) is TokenUsage]
    for before, after in pairwise(usages):
        assert after.session.total == before.session.total + after.request.total
    last_of: dict[str, int] = {}
    for record in records:
        message = record.get("message", {})
        if "usage" in message:
            usage = message["usage"]
            total = usage["input_tokens"] + usage["output_tokens"]
            last_of[message["id"]] = max(total, last_of.get(message["id"], 0))
    assert (usages[-1].session.total if usages else 0) == sum(last_of.values())


@given(sessions())
def test_every_message_says_which_record_it_was_made_of(records: list[Raw]) -> None:
    seen = set()
    for message in messages_of(*records):
        source = message.transport.source if message.transport else None
        assert source is not None
        assert (source.format, source.lane) == ("claude-code", None)
        position = (source.line, source.ordinal)
        assert position not in seen
        seen.add(position)


def test_a_lane_thaws_to_a_draft_and_freezes_to_the_same_value() -> None:
    state, _ = step_all(
        [{"type": "user", "uuid": "u", "message": {"role": "user", "content": "a"}}]
    )
    lane = state.main
    assert freeze_lane(thaw_lane(lane)) == lane
    assert hash(freeze_lane(thaw_lane(lane))) == hash(lane)
