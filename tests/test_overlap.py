"""Which live messages a history absorbs, case by case (reducer.md rule 38)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from refold.json_values import JsonObject
from refold.messages import (
    Message,
    PartialText,
    RequestBegin,
    SessionMeta,
    Text,
    TracePosition,
    Transport,
    UnknownPayload,
)
from refold.overlap import EMPTY_OVERLAP, Overlap, absorbed, is_duplicate, overlap_of
from refold.records import evolve
from refold.reduce.cases import role_of
from tests.strategies import any_streams, timed

_A, _B, _C, _D = timed([Text(role="assistant", text=each) for each in "abcd"])
_UNTIMED = Message(payload=RequestBegin())
_NESTED = evolve(_A, origin=("c1",))
_PIECE = Message(payload=PartialText(role="assistant", event_type="delta", text="a"))
_LATER, _LATER_EVENT = (
    Message(payload=UnknownPayload(category=category, body=JsonObject({"type": "later"})))
    for category in ("model_msg", "event_msg")
)
_META = Message(payload=SessionMeta(session_id="s"))


def _absorbs(history: list[Message], live: list[Message]) -> list[bool]:
    overlap, found = overlap_of(history), []
    for message in live:
        overlap, taken = absorbed(overlap, message)
        found.append(taken)
    return found


@pytest.mark.parametrize(
    ("history", "live", "expected"),
    [
        ([], [_A], [False]),
        ([_A, _B], [_A, _B], [True, True]),
        ([_A, _B], [_B], [True]),
        ([_META], [_META], [True]),
        # Each absorbs one: what really occurs twice shows twice.
        ([_A], [_A, _A], [True, False]),
        ([_A, _A], [_A, _A, _A], [True, True, False]),
        # The first equal one behind the last absorbed, else an earlier one if its time is known.
        ([_A, _B], [_B, _A], [True, True]),
        ([_UNTIMED, _B], [_B, _UNTIMED], [True, False]),
        ([_UNTIMED, _B, _UNTIMED], [_B, _UNTIMED, _UNTIMED], [True, True, False]),
        # The first that isn't absorbed ends the session's overlap, and no other's.
        ([_A, _B], [_C, _A, _B], [False, False, False]),
        ([_A, _NESTED], [_C, _NESTED, _A], [False, True, False]),
        ([_A, _NESTED], [evolve(_C, origin=("c1",)), _NESTED, _A], [False, False, True]),
        # A partial and an unknown model payload end nothing; a partial is never a duplicate.
        ([_PIECE, _A], [_PIECE, _A], [False, True]),
        ([_A], [_LATER, _A], [False, True]),
        ([_LATER, _A], [_LATER, _LATER, _A], [True, False, True]),
        ([_A], [_LATER_EVENT, _A], [False, False]),
    ],
)
def test_a_history_absorbs_what_it_holds(
    history: list[Message], live: list[Message], expected: list[bool]
) -> None:
    assert _absorbs(history, live) == expected


def test_identity_is_the_envelope_without_what_rides_on_it() -> None:
    riding = Transport(trace_position=TracePosition(file_index=0, ordinal=3), started_at="x")
    assert _absorbs([_A], [evolve(_A, transport=riding)]) == [True]
    others: list[Any] = [{"timestamp": None}, {"origin": ("c1",)}, {"extra": JsonObject({"x": 1})}]
    for other in others:
        assert not is_duplicate(overlap_of([_A]), evolve(_A, **other))


def test_the_order_of_keys_is_no_part_of_identity() -> None:
    one, other = JsonObject({"x": 1, "y": 2}), JsonObject({"y": 2, "x": 1})
    assert _absorbs([evolve(_A, extra=one)], [evolve(_A, extra=other)]) == [True]


def test_only_the_last_of_a_history_may_be_indexed() -> None:
    overlap = overlap_of([_A, _B, _C], 2)
    assert [is_duplicate(overlap, each) for each in (_A, _B, _C)] == [False, True, True]
    assert overlap_of([_A], 0) == EMPTY_OVERLAP


def test_asking_takes_nothing() -> None:
    overlap = overlap_of([_A])
    assert [is_duplicate(overlap, _A), is_duplicate(overlap, _A)] == [True, True]
    later, _ = absorbed(overlap, _A)
    assert [is_duplicate(later, _A), is_duplicate(overlap, _A)] == [False, True]


def test_an_index_that_decides_nothing_any_more_is_the_same_object() -> None:
    over, _ = absorbed(overlap_of([_A]), _C)
    for overlap in (EMPTY_OVERLAP, over):
        assert absorbed(overlap, _B) == (overlap, False)
        assert absorbed(overlap, _B)[0] is overlap


@given(any_streams())
def test_a_history_absorbs_itself_once(stream: list[Message]) -> None:
    complete = [each for each in stream if role_of(each.payload) != "partial"]
    assert _absorbs(stream, stream) == [role_of(each.payload) != "partial" for each in stream]
    assert _absorbs(complete, complete * 2)[: len(complete)] == [True] * len(complete)


@given(any_streams())
def test_no_history_absorbs_more_than_it_holds(stream: list[Message]) -> None:
    overlap: Overlap = overlap_of(stream)
    for message in stream * 2:
        overlap, _ = absorbed(overlap, message)
    held = sum(role_of(each.payload) != "partial" for each in stream)
    assert overlap.taken.bit_count() == held
