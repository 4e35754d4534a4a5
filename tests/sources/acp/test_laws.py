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
from refold.sources.acp import SOURCE
from refold.sources.acp.routing import METHODS, RESPONSES
from refold.sources.acp.updates import UPDATES
from refold.sources.source import Record
from tests.sources.acp.strategies import anything, broken_wires, conversations, wires
from tests.sources.acp.wire import call, change, ended, prompt, request, result, said, thought, user
from tests.sources.readings import messages_of, view_of, view_of_messages


@given(wires)
def test_law_1_the_same_records_make_the_same_messages(records: list[Any]) -> None:
    assert messages_of(SOURCE, records) == messages_of(SOURCE, json.loads(json.dumps(records)))


@given(wires)
def test_law_1_a_state_can_be_gone_on_from_twice(records: list[Any]) -> None:
    state = SOURCE.start()
    for each in records:
        once, twice = (SOURCE.step(state, Record(value=each), None) for _ in range(2))
        assert once[1] == twice[1]
        state = once[0]
    assert SOURCE.finish(state) == SOURCE.finish(state)


@given(broken_wires)
def test_law_3_any_record_is_taken_and_any_view_made(records: list[Any]) -> None:
    view_of(SOURCE, records)


@given(st.lists(anything, max_size=8))
def test_law_3_any_json_value_is_taken(records: list[Any]) -> None:
    view_of(SOURCE, records)
    assert SOURCE.recognises(records) in (True, False)


def test_a_method_of_another_type_is_none() -> None:
    assert not SOURCE.recognises([{"id": 1, "method": [], "result": {}}])


@given(wires)
def test_law_12_what_is_streamed_decides_nothing(records: list[Any]) -> None:
    live = messages_of(SOURCE, records)
    assert view_of_messages(live) == view_of_messages(record(live))


@given(wires, st.integers(1, 3))
def test_law_12_when_records_come_decides_nothing(records: list[Any], hour: int) -> None:
    state, made = SOURCE.start(), []
    for place, each in enumerate(records, 1):
        state, said_now = SOURCE.step(state, Record(value=each, line=place), hour * place)
        made += said_now
    assert made + list(SOURCE.finish(state)) == messages_of(SOURCE, records)


@given(conversations(), st.booleans())
def test_law_12_a_session_that_is_loaded_looks_as_it_did_live(turns: Any, with_ids: bool) -> None:
    live, loaded = _live(turns), _loaded(turns, with_ids=with_ids)
    assert _shown(view_of(SOURCE, live)) == _shown(view_of(SOURCE, loaded))
    assert _shown(view_of(SOURCE, [*live, *loaded])) == _shown(view_of(SOURCE, live))


def test_every_kind_in_a_table_is_taken_without_its_fields() -> None:
    for kind in UPDATES:
        view_of(SOURCE, [{"sessionUpdate": kind}])
    for number, method in enumerate((*METHODS, *RESPONSES)):
        view_of(SOURCE, [{"id": number, "method": method}, {"id": number, "result": {}}])


@pytest.mark.parametrize(
    "make",
    [
        lambda n: said(f"word {n} "),
        lambda n: said(f"word {n} ", messageId=f"m{n}"),
        lambda n: call(f"t{n}", status="completed", title="ls"),
        lambda n: change("t", status="in_progress", _meta=_piece(n)),
        lambda n: prompt(f"prompt {n}", n),
        lambda n: said("x", session=f"s{n}"),
    ],
)
def test_a_record_costs_no_more_in_a_long_session(make: Callable[[int], Any]) -> None:
    assert _cost(make, 3000) <= 3 * _cost(make, 100)


def _piece(n: int) -> dict[str, Any]:
    return {"terminal_output_delta": {"terminal_id": "x", "data": f"line {n}\n"}}


def _cost(make: Callable[[int], Any], length: int) -> int:
    """Return the bytes allocated at most by a record, and the calls made, at a session's length."""
    state = SOURCE.start()
    state, _ = SOURCE.step(state, Record(value=call("t", status="in_progress")), None)
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


def _live(turns: list[tuple[str, list[tuple[str, str]]]]) -> list[Any]:
    records: list[Any] = []
    for number, (words, steps) in enumerate(turns):
        records.append(prompt(words, number))
        for place, (kind, text) in enumerate(steps):
            records += _step(kind, text, f"{number}.{place}", cut=True)
        records.append(ended(identity=number))
    return records


def _loaded(turns: list[tuple[str, list[tuple[str, str]]]], *, with_ids: bool) -> list[Any]:
    records = [request("load", "session/load", sessionId="ses", cwd="/w", mcpServers=[])]
    for number, (words, steps) in enumerate(turns):
        records.append(user(words, **({"messageId": f"u{number}"} if with_ids else {})))
        for place, (kind, text) in enumerate(steps):
            records += _step(kind, text, f"{number}.{place}", cut=False)
    return [*records, result("load")]


def _step(kind: str, text: str, identity: str, *, cut: bool) -> list[Any]:
    if kind == "call":
        status = "in_progress" if cut else "completed"
        made = [call(identity, status=status, title=text, rawInput={"n": identity})]
        return [*made, change(identity, status="completed", rawOutput=text)]
    maker = said if kind == "agent" else thought
    return [maker(each) for each in text] if cut else [maker(text)]


def _shown(view: dict[str, Any]) -> list[dict[str, Any]]:
    left_out = {"stop_reason", "forkable"}
    return [
        {name: value for name, value in each.items() if name not in left_out}
        for each in view["items"]
        if each["kind"] != "task_stats"
    ]
