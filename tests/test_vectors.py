"""A vector is a list of slots, holes included, of which every version stays."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.vectors import EMPTY_VECTOR, Vector, vector_of

_LENGTHS = [0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 1055, 1056, 1057, 1088, 1089]
_LONG = [32 * 1024, 32 * 1024 + 1, 33 * 1024 - 1, 33 * 1024, 33 * 1024 + 1, 40_000]
_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["append", "append", "put", "without", "fill", "with_hole"]),
        st.integers(0, 4000),
    ),
    max_size=40,
)
_STARTS = st.sampled_from(_LENGTHS)


def _step(
    vector: Vector[int], model: list[Any], step: str, number: int
) -> tuple[Vector[int], list[Any]]:
    slot = number % len(model) if model else 0
    filled = bool(model) and model[slot] is not None
    if step == "append":
        return vector.append(number), [*model, number]
    if step == "with_hole":
        return vector.with_hole(), [*model, None]
    if step == "put" and filled:
        return vector.put(slot, number), [*model[:slot], number, *model[slot + 1 :]]
    if step == "without" and filled:
        return vector.without(slot), [*model[:slot], None, *model[slot + 1 :]]
    if step == "fill" and model and not filled:
        return vector.fill(slot, number), [*model[:slot], number, *model[slot + 1 :]]
    return vector, model


def _built(length: int, steps: list[tuple[str, int]]) -> tuple[Vector[int], list[Any]]:
    vector, model = vector_of(range(length)), list(range(length))
    for step, number in steps:
        vector, model = _step(vector, model, step, number)
    return vector, model


def _agree(vector: Vector[int], model: list[Any]) -> None:
    filled = [slot for slot, value in enumerate(model) if value is not None]
    assert list(vector.raw()) == model
    assert list(vector) == [model[slot] for slot in filled]
    assert (len(vector), bool(vector), vector.slots) == (len(filled), bool(filled), len(model))


@pytest.mark.parametrize("length", [*_LENGTHS, *_LONG])
def test_a_vector_of_any_length_reads_as_the_list(length: int) -> None:
    vector, model = vector_of(range(length)), list(range(length))
    _agree(vector, model)
    assert [vector.at(slot) for slot in range(length)] == model
    assert [vector.select(slot) for slot in range(length)] == model


@pytest.mark.parametrize("length", [each for each in (*_LENGTHS, *_LONG) if each])
def test_a_change_at_either_end_and_in_the_middle_is_one_change(length: int) -> None:
    vector = vector_of(range(length))
    for slot in {0, length // 2, length - 1}:
        expected = list(range(length))
        expected[slot] = -1
        _agree(vector.put(slot, -1), expected)
    _agree(vector, list(range(length)))


@given(_STARTS, _STEPS)
def test_any_changes_give_what_they_give_a_list(length: int, steps: list[tuple[str, int]]) -> None:
    versions = [(vector_of(range(length)), list(range(length)))]
    for step, number in steps:
        versions.append(_step(*versions[-1], step, number))
    for vector, model in versions:
        _agree(vector, model)


@given(_STARTS, _STEPS)
def test_rank_and_select_count_filled_slots(length: int, steps: list[tuple[str, int]]) -> None:
    vector, model = _built(length, steps)
    filled = [slot for slot, value in enumerate(model) if value is not None]
    assert [vector.select(rank) for rank in range(len(filled))] == [model[slot] for slot in filled]
    assert [vector.rank(slot) for slot in filled] == list(range(len(filled)))
    asked = range(-2, len(model) + 2)
    assert [slot for slot in asked if vector.is_filled(slot)] == filled


@given(_STARTS, _STEPS, st.integers(0, 1100))
def test_what_is_behind_a_slot_is_the_filled_rest(
    length: int, steps: list[tuple[str, int]], slot: int
) -> None:
    vector, model = _built(length, steps)
    assert vector.behind(slot) == tuple(each for each in model[slot:] if each is not None)


@given(_STARTS, _STEPS, _STEPS, st.integers(0, 1200))
def test_changed_slots_are_those_whose_values_are_not_shared(
    length: int, steps: list[tuple[str, int]], more: list[tuple[str, int]], limit: int
) -> None:
    before, old = _built(length, steps)
    after, new = before, old
    for step, number in more:
        after, new = _step(after, new, step, number)
    limit = min(limit, len(old), len(new))
    expected = [slot for slot in range(limit) if before.at(slot) is not after.at(slot)]
    assert after.changed(before, limit) == expected
    assert before.changed(after, limit) == expected


@pytest.mark.parametrize("length", _LONG)
def test_versions_far_apart_differ_in_no_slot_they_share(length: int) -> None:
    before = vector_of(range(1000))
    after = before
    for number in range(1000, length):
        after = after.append(number)
    assert after.changed(before, 1000) == []
    assert after.put(7, -1).changed(before, 1000) == [7]


@given(_STARTS, _STEPS, _STEPS)
def test_vectors_are_equal_as_their_slots_are(
    length: int, steps: list[tuple[str, int]], others: list[tuple[str, int]]
) -> None:
    (one, mine), (other, theirs) = _built(length, steps), _built(length, others)
    assert (one == other) is (mine == theirs)
    rebuilt = vector_of(mine)
    assert one == rebuilt
    assert hash(one) == hash(rebuilt)


@given(_STARTS, _STEPS)
def test_a_vector_is_pickled_with_its_holes(length: int, steps: list[tuple[str, int]]) -> None:
    vector, model = _built(length, steps)
    copy = pickle.loads(pickle.dumps(vector))
    assert copy == vector
    assert list(copy.raw()) == model


def test_a_vector_equals_no_list_and_shows_its_holes() -> None:
    vector = vector_of([1, None, 3])
    assert vector != [1, None, 3]
    assert repr(vector) == "vector_of([1, None, 3])"
    assert vector_of([]) == EMPTY_VECTOR


def test_an_append_shares_what_was_there() -> None:
    """However long a vector is, the leaves of one version are those of the next."""
    before = vector_of(range(40_000))
    after = before.append(-1)
    shared = zip(before._body[0], after._body[0], strict=True)
    assert sum(mine is not theirs for mine, theirs in shared) <= 1
