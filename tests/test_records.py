"""Records are frozen values, however they were made."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any, ClassVar, get_args

import attrs
import pytest

from refold.items import Item
from refold.messages import Message, Payload
from refold.records import evolve, evolver, field_names, positional, record, thawing, unfrozen

_CLASSES = [*get_args(Item), *get_args(Payload), Message]


@record
class Point:
    """A value with a class variable, a private field and a property."""

    kind: ClassVar[str] = "point"

    x: int
    y: int = 0
    _label: str = attrs.field(default="", alias="label")

    @property
    def label(self) -> str:
        """Read the private field."""
        return self._label


def _unfrozen_point(x: int, y: int, label: str) -> Point:
    made: Any = object.__new__(unfrozen(Point))
    made.x, made.y, made._label = x, y, label
    made.__class__ = Point
    return made


_WAYS: dict[str, Callable[[], Point]] = {
    "positional": lambda: positional(Point)(1, 2, "l"),
    "positional with a default": lambda: evolve(positional(Point, "_label", "x")("l", 1), y=2),
    "evolver": lambda: evolver(Point, "y", "_label")(Point(x=1), 2, "l"),
    "evolver of nothing": lambda: evolver(Point)(Point(x=1, y=2, label="l")),
    "evolve": lambda: evolve(Point(x=1, label="l"), y=2),
    "attrs.evolve": lambda: attrs.evolve(Point(x=1, label="l"), y=2),
    "written out": lambda: _unfrozen_point(1, 2, "l"),
    "pickled": lambda: pickle.loads(pickle.dumps(Point(x=1, y=2, label="l"))),
    "copied": lambda: copy.copy(Point(x=1, y=2, label="l")),
}


@pytest.mark.parametrize("way", _WAYS)
def test_a_record_is_the_same_value_however_it_was_made(way: str) -> None:
    plain, made = Point(x=1, y=2, label="l"), _WAYS[way]()
    assert made == plain
    assert plain == made
    assert type(made) is Point
    assert (hash(made), repr(made)) == (hash(plain), repr(plain))
    assert (made.x, made.y, made.label, made.kind) == (1, 2, "l", "point")


@pytest.mark.parametrize("way", _WAYS)
def test_a_record_is_frozen_however_it_was_made(way: str) -> None:
    made: Any = _WAYS[way]()
    for name in ("x", "_label", "new"):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(made, name, 3)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        del made.x
    assert not hasattr(made, "__dict__")


@pytest.mark.parametrize("cls", _CLASSES)
def test_the_records_of_the_package_are_frozen_slotted_and_keyword_only(cls: Any) -> None:
    assert "__dict__" not in dir(cls)
    assert all(field.kw_only for field in attrs.fields(cls))
    assert "__weakref__" not in dir(cls)
    made = positional(cls)(*[None] * len(field_names(cls)))
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        made.anything = 1
    with pytest.raises(TypeError, match="positional argument"):
        cls(1)


def test_what_is_evolved_stays_as_it_was() -> None:
    before = Point(x=1)
    assert evolve(before, x=2) == Point(x=2)
    assert before == Point(x=1)


def test_records_differ_by_value_and_by_class() -> None:
    @record
    class Other:
        """The same fields, another class."""

        x: int
        y: int = 0
        _label: str = attrs.field(default="", alias="label")

    assert Point(x=1) != Point(x=2)
    assert Point(x=1) != Other(x=1)


def test_an_unknown_field_is_refused_when_the_function_is_made() -> None:
    for make in (evolver, positional):
        with pytest.raises(AssertionError, match="Point has no field"):
            make(Point, "z")


def test_field_names_leave_class_variables_out() -> None:
    assert field_names(Point) == ["x", "y", "_label"]


def test_a_missing_field_is_refused() -> None:
    make: Any = Point
    with pytest.raises(TypeError, match="'x'"):
        make(y=1)
    with pytest.raises(TypeError):
        positional(Point)(1, 2)
    with pytest.raises(AssertionError, match=r"Point needs \['x'\]"):
        positional(Point, "y")


@attrs.define(kw_only=True)
class Sketch:
    """A draft: mutable, and frozen by its class."""

    x: int
    y: int = 0


def test_a_thawed_value_is_a_draft_with_every_slot_of_it() -> None:
    before = Sketch(x=1, y=2)
    draft = thawing(Sketch)(before)
    assert isinstance(draft, Sketch)
    assert (draft.x, draft.y) == (1, 2)
    draft.x = 3
    assert (before.x, draft.x) == (1, 3)
    draft.__class__ = Sketch
    assert draft == Sketch(x=3, y=2)
