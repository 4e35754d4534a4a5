"""Maps are dicts of which every version stays; what they show depends on no hash seed.

All three kinds of maps are held to one model here.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.maps import EMPTY_MAP, Map
from refold.recents import EMPTY_RECENT, Recent
from refold.sequels import EMPTY_SEQUEL, Sequel


class Crafted(str):
    """A name whose hash is chosen: names of one hash share all their nodes."""

    __slots__ = ()

    def __hash__(self) -> int:
        return {"a": 0, "b": 0, "c": 0, "d": 1 << 55, "e": 32, "f": (1 << 60) - 1}.get(self[:1], 7)

    def __reduce__(self) -> tuple[type[Crafted], tuple[str]]:
        return Crafted, (str(self),)


_CRAFTED = st.text("abcdefg", min_size=1, max_size=3).map(Crafted)
_PLAIN = st.text("abc", max_size=3) | st.integers(0, 5000).map(str)
_FAMILIES = st.sampled_from([_CRAFTED, _PLAIN])


def _steps(names: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    what = st.sampled_from(["put", "put", "put", "without", "end"])
    return st.lists(st.tuples(what, names, st.integers()), max_size=60)


# Names of one family at a time: those of another hash are other names to a dict as well.
_NAMES = _FAMILIES.flatmap(_steps)
_NAMES_AND_ONE = _FAMILIES.flatmap(lambda names: st.tuples(_steps(names), names))
_NAMES_TWICE = _FAMILIES.flatmap(lambda names: st.tuples(_steps(names), _steps(names)))

Steps = list[tuple[str, str, int]]


def _map_step(made: Any, model: dict[str, int], step: Any) -> tuple[Any, dict[str, int]]:
    what, name, value = step
    if what == "put":
        return made.put(name, value), {**model, name: value}
    return made.without(name), {each: model[each] for each in model if each != name}


def _sequel_step(
    made: Sequel[int], model: dict[str, int], step: Any
) -> tuple[Sequel[int], dict[str, int]]:
    what, name, value = step
    if what == "put":
        return made.put(name, value), {**model, name: value}
    left = {each: model[each] for each in model if each != name}
    if what == "without":
        return made.without(name), left
    if name not in model:
        return made, model
    return made.moved_to_end(name), {**left, name: model[name]}


def _map(steps: Steps) -> tuple[Map[int], dict[str, int]]:
    made, model = EMPTY_MAP, {}
    for step in steps:
        made, model = _map_step(made, model, step)
    return made, model


def _recent(steps: Steps) -> tuple[Recent[int], dict[str, int]]:
    made, model = EMPTY_RECENT, {}
    for step in steps:
        made, model = _map_step(made, model, step)
    return made, model


def _sequel(steps: Steps) -> tuple[Sequel[int], dict[str, int]]:
    made, model = EMPTY_SEQUEL, {}
    for step in steps:
        made, model = _sequel_step(made, model, step)
    return made, model


@pytest.mark.parametrize("empty", [EMPTY_MAP, EMPTY_RECENT])
@given(steps=_NAMES)
def test_every_version_of_a_map_is_the_dict_in_order_of_names(empty: Any, steps: Steps) -> None:
    versions: list[tuple[Any, dict[str, int]]] = [(empty, {})]
    for step in steps:
        versions.append(_map_step(*versions[-1], step))
    for made, model in versions:
        assert list(made.items()) == sorted(model.items())
        assert len(made) == len(model)


@given(_NAMES)
def test_every_version_of_a_sequel_is_the_dict_in_its_order(steps: Steps) -> None:
    versions: list[tuple[Sequel[int], dict[str, int]]] = [(EMPTY_SEQUEL, {})]
    for step in steps:
        versions.append(_sequel_step(*versions[-1], step))
    for made, model in versions:
        assert list(made.items()) == list(model.items())
        assert len(made) == len(model)


@given(_NAMES_AND_ONE)
def test_a_name_is_looked_up_as_in_a_dict(drawn: tuple[Steps, str]) -> None:
    steps, name = drawn
    for made, model in (_map(steps), _recent(steps), _sequel(steps)):
        assert (name in made) is (name in model)
        assert (made.get(name), made.get(name, -1)) == (model.get(name), model.get(name, -1))


@pytest.mark.parametrize("empty", [EMPTY_MAP, EMPTY_RECENT, EMPTY_SEQUEL])
def test_a_missing_name_is_a_key_error(empty: Any) -> None:
    with pytest.raises(KeyError, match="absent"):
        empty.put("there", 1)["absent"]
    assert 7 not in empty


@given(_NAMES_TWICE)
def test_equality_is_that_of_mappings(drawn: tuple[Steps, Steps]) -> None:
    steps, others = drawn
    for make in (_map, _recent, _sequel):
        (one, mine), (other, theirs) = make(steps), make(others)
        assert (one == other) is (mine == theirs)
        if mine == theirs:
            assert hash(one) == hash(other)


def test_a_no_op_is_the_same_object() -> None:
    for empty in (EMPTY_MAP, EMPTY_RECENT, EMPTY_SEQUEL):
        made: Any = empty.put("a", 1)
        assert made.without("b") is made


@given(_NAMES)
def test_a_map_that_was_emptied_is_the_empty_map(steps: Steps) -> None:
    made, model = _map(steps)
    for name in model:
        made = made.without(name)
    assert made == EMPTY_MAP
    assert list(made) == []


def test_names_of_one_hash_are_told_apart_all_the_way_down() -> None:
    names = [Crafted(f"a{number}") for number in range(100)]
    made = EMPTY_MAP
    for number, name in enumerate(names):
        made = made.put(name, number)
    assert [made[name] for name in names] == list(range(100))
    for name in names[::2]:
        made = made.without(name)
    assert sorted(made.values()) == list(range(1, 100, 2))


@pytest.mark.parametrize("count", [32, 33, 1024, 1025, 20_000])
def test_large_maps_hold_everything(count: int) -> None:
    made, sequel = EMPTY_MAP, EMPTY_SEQUEL
    for number in range(count):
        made, sequel = made.put(str(number), number), sequel.put(str(number), number)
    assert dict(made) == {str(number): number for number in range(count)}
    assert list(sequel.values()) == list(range(count))


@given(_NAMES_TWICE)
def test_the_changed_names_of_a_map_are_those_with_other_values(drawn: tuple[Steps, Steps]) -> None:
    steps, more = drawn
    before, old = _map(steps)
    after, new = before, old
    for step in more:
        after, new = _map_step(after, new, step)
    absent = object()
    differing = {each for each in {*old, *new} if old.get(each, absent) != new.get(each, absent)}
    touched = {name for _, name, _ in more}
    changed = after.changed_names(before)
    assert changed == sorted(changed)
    assert differing <= set(changed) <= touched
    assert set(changed) == set(before.changed_names(after))


def test_the_changed_names_of_one_put_are_found_in_a_large_map() -> None:
    before = EMPTY_MAP
    for number in range(2000):
        before = before.put(str(number), number)
    assert before.put("7", None).changed_names(before) == ["7"]
    assert before.put("new", None).changed_names(before) == ["new"]
    assert before.without("7").changed_names(before) == ["7"]
    assert before.changed_names(before) == []


@given(_NAMES_TWICE)
def test_changed_names_are_those_with_other_values_or_places(drawn: tuple[Steps, Steps]) -> None:
    """No changed name is left out; a name that was touched may be told as well."""
    steps, more = drawn
    before, old = _sequel(steps)
    after, new = before, old
    for step in more:
        after, new = _sequel_step(after, new, step)
    changed = after.changed(before)
    assert changed == [(name, new.get(name), old.get(name)) for name, _, _ in changed]
    names = [name for name, _, _ in changed]
    differing = [name for name in [*old, *new] if old.get(name) != new.get(name)]
    touched = [name for _, name, _ in more]
    assert len(names) == len(set(names))
    assert set(differing) <= set(names) <= set(touched)


@given(_NAMES)
def test_maps_are_pickled_with_their_values_and_order(steps: Steps) -> None:
    made, model = _map(steps)
    assert list(pickle.loads(pickle.dumps(made)).items()) == sorted(model.items())
    recent, model = _recent(steps)
    assert pickle.loads(pickle.dumps(recent)) == recent
    sequel, model = _sequel(steps)
    assert list(pickle.loads(pickle.dumps(sequel)).items()) == list(model.items())


_SHOWS = """
import pickle, sys
from refold.maps import EMPTY_MAP
from refold.sequels import EMPTY_SEQUEL
made, sequel = EMPTY_MAP, EMPTY_SEQUEL
for number in range(500):
    name = f"n{number * 7919 % 500}"
    made, sequel = made.put(name, number), sequel.put(name, number)
sys.stdout.buffer.write(pickle.dumps((repr(made), repr(sequel), made, sequel)))
"""


def _in_a_process(seed: str) -> Any:
    shown = subprocess.run(
        [sys.executable, "-c", _SHOWS],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
    )
    return pickle.loads(shown.stdout)


def test_processes_with_other_hash_seeds_see_the_same() -> None:
    one, other = _in_a_process("1"), _in_a_process("2")
    assert one[:2] == other[:2]
    assert one == other
    assert [one[2][f"n{number}"] for number in range(500)] == [
        other[3][f"n{number}"] for number in range(500)
    ]
