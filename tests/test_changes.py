"""What differs between two versions: the walk that skips shared nodes finds what a full walk finds."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from refold.changes import changed_names, changed_slots
from refold.sequels import EMPTY_SEQUEL, Sequel
from refold.vectors import EMPTY_VECTOR, Vector, vector_of

_STEPS = st.lists(st.tuples(st.sampled_from(["append", "put", "without"]), st.integers(0, 4000)))


def _changed(vector: Vector[Any], steps: list[tuple[str, int]]) -> Vector[Any]:
    for step, number in steps:
        slot = number % vector.slots if vector.slots else 0
        if step == "append":
            vector = vector.append(object())
        elif vector.is_filled(slot):
            vector = vector.put(slot, object()) if step == "put" else vector.without(slot)
    return vector


def _by_hand(before: Vector[Any], after: Vector[Any]) -> list[tuple[int, Any, Any]]:
    old, new = list(before.raw()), list(after.raw())
    longest = max(len(old), len(new))
    old += [None] * (longest - len(old))
    new += [None] * (longest - len(new))
    return [
        (slot, *pair)
        for slot, pair in enumerate(zip(old, new, strict=True))
        if pair[0] is not pair[1]
    ]


@given(st.integers(0, 3000), _STEPS)
def test_changed_slots_are_those_that_a_walk_over_all_slots_finds(
    length: int, steps: list[tuple[str, int]]
) -> None:
    before = vector_of([object() for _ in range(length)])
    after = _changed(before, steps)
    assert list(changed_slots(before, after)) == _by_hand(before, after)
    assert list(changed_slots(after, before)) == _by_hand(after, before)


def test_vectors_grown_across_a_level_differ_in_the_new_slots_only() -> None:
    for length in (31, 32, 33, 1023, 1024, 1025, 1056, 1057, 33 * 1024):
        before = vector_of(range(length))
        after = before.append(-1)
        assert [slot for slot, _, _ in changed_slots(before, after)] == [length]


def test_everything_is_new_in_a_vector_after_the_empty_one() -> None:
    after = vector_of(range(70))
    assert [now for _, _, now in changed_slots(EMPTY_VECTOR, after)] == list(range(70))


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 3))), st.integers(0, 20))
def test_changed_names_are_those_with_another_value(
    puts: list[tuple[str, int]], split: int
) -> None:
    before: Sequel[Any] = EMPTY_SEQUEL
    for name, _ in puts[:split]:
        before = before.put(name, object())
    after = before
    for name, _ in puts[split:]:
        after = after.put(name, object())
    expected = [name for name in after if before.get(name) is not after[name]]
    assert list(changed_names(before, after)) == expected
