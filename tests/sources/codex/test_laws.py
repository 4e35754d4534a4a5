"""The laws a source must keep (laws.md 1, 3, 5 and 12)."""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.recording import record
from refold.sources.codex import SOURCE
from refold.sources.codex.app_server import METHODS
from refold.sources.codex.events import EVENTS
from refold.sources.codex.exec_events import EXEC_EVENTS
from refold.sources.codex.items import ITEMS
from refold.sources.codex.response_items import RESPONSE_ITEMS
from refold.sources.codex.rollouts import ROLLOUT
from refold.sources.source import Record
from tests.sources.codex.lines import (
    agent_event,
    agent_item,
    app_item,
    call,
    event,
    header,
    output,
    tokens,
    told,
    user_item,
)
from tests.sources.codex.lines import (
    record as line,
)
from tests.sources.codex.strategies import anything, broken_files, files, streams
from tests.sources.readings import messages_of, texts, view_of, view_of_messages

PIECES = st.lists(st.sampled_from(["a", "bc", "\n", "é", "\ud83d", "\ude00", ""]), max_size=8)


@given(files)
def test_law_1_the_same_records_make_the_same_messages(records: list[Any]) -> None:
    assert messages_of(SOURCE, records) == messages_of(SOURCE, json.loads(json.dumps(records)))


@given(files)
def test_law_1_a_state_can_be_gone_on_from_twice(records: list[Any]) -> None:
    state = SOURCE.start()
    for each in records:
        once, twice = (SOURCE.step(state, Record(value=each), None) for _ in range(2))
        assert once[1] == twice[1]
        state = once[0]
    assert SOURCE.finish(state) == SOURCE.finish(state)


@given(broken_files)
def test_law_3_any_record_is_taken_and_any_view_made(records: list[Any]) -> None:
    view_of(SOURCE, records)


@given(st.lists(anything, max_size=8))
def test_law_3_any_json_value_is_taken(records: list[Any]) -> None:
    view_of(SOURCE, records)
    assert SOURCE.recognises(records) in (True, False)


@given(streams())
def test_law_12_what_is_streamed_decides_nothing(records: list[Any]) -> None:
    live = messages_of(SOURCE, records)
    assert view_of_messages(live) == view_of_messages(record(live))


@given(PIECES, PIECES)
def test_laws_5_and_12_deltas_change_nothing_that_is_completed(
    one: list[str], two: list[str]
) -> None:
    def deltas(pieces: list[str]) -> list[Any]:
        return [told("item/agentMessage/delta", itemId="m", delta=each) for each in pieces]

    whole = app_item("completed", "agentMessage", id="m", text="".join(two))
    live = view_of(SOURCE, [user_item("a"), *deltas(one), whole])
    assert live == view_of(SOURCE, [user_item("a"), *deltas(two), whole])
    assert live == view_of(SOURCE, [user_item("a"), whole])


def test_every_kind_in_a_table_is_taken_without_its_fields() -> None:
    records = [line(kind, {}) for kind in ROLLOUT]
    records += [event(kind) for kind in EVENTS]
    records += [line("response_item", {"type": kind}) for kind in RESPONSE_ITEMS]
    records += [{"type": "item.completed", "item": {"type": kind}} for kind in ITEMS]
    records += [{"type": kind} for kind in EXEC_EVENTS]
    records += [{"method": method} for method in METHODS]
    for each in records:
        view_of(SOURCE, [each])


def test_a_rollout_that_is_read_while_it_grows_is_the_one_read_at_the_end() -> None:
    records = [header("s"), user_item("a"), agent_event("b"), agent_item("b"), call(), output("c")]
    state, made = SOURCE.start(), []
    for place, each in enumerate(records, 1):
        state, now = SOURCE.step(state, Record(value=each, line=place), 5)
        made += now
        SOURCE.finish(state)
    assert texts(view_of_messages(made)) == texts(view_of(SOURCE, records)) == ["a", "b"]


@pytest.mark.parametrize(
    "make",
    [
        lambda n: agent_event(f"word {n}"),
        lambda n: user_item(f"word {n}"),
        lambda n: call(f"c{n}"),
        lambda n: tokens(n * 10 + 10, 10),
        lambda n: told("item/agentMessage/delta", itemId="m", delta=f"{n} "),
        lambda n: told("item/agentMessage/delta", itemId=f"m{n}", delta="x"),
        lambda n: header(f"s{n}"),
    ],
)
def test_a_record_costs_no_more_in_a_long_session(make: Callable[[int], Any]) -> None:
    assert _cost(make, 3000) <= 3 * _cost(make, 100)


def _cost(make: Callable[[int], Any], length: int) -> int:
    """Return the bytes allocated at most by a record, and the calls made, at a session's length."""
    state = SOURCE.start()
    for n in range(length):
        state, _ = SOURCE.step(state, Record(value=make(n)), None)
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    dearest = 0
    for n in range(length, length + 40):
        each = Record(value=make(n))
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        sys.setprofile(count)
        state, _ = SOURCE.step(state, each, None)
        sys.setprofile(None)
        dearest = max(dearest, tracemalloc.get_traced_memory()[1] - before)
        tracemalloc.stop()
    return dearest + calls
