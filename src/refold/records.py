"""Frozen records, and a constructor for the hot path.

Rules of this file:

- ``record`` is the only way a value class is made in this package: frozen, slotted, keyword-only,
  equal by value, no conversion and no validation (checks belong to decoding).
- A frozen ``__init__`` pays ``object.__setattr__`` once per field. So every record has a base class
  that owns its slots and isn't frozen: ``positional`` and ``evolver`` fill an instance of that base
  by plain assignment, and then make it the record, at a third of the cost. Changing the class of an
  object to a subclass without slots of its own is the one change that CPython does at once.
  Nobody outside this file sees the base.
- This file knows no message, item or session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, cast, dataclass_transform

import attrs

__all__ = ["evolve", "evolver", "field_names", "positional", "record", "thawing", "unfrozen"]

T = TypeVar("T")

_INSTANCE_MEMBERS = ("__dict__", "__weakref__")


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(attrs.field,))
def record(cls: type[T]) -> type[T]:
    """Make a class a frozen, slotted, keyword-only attrs value.

    Args:
        cls: a class with annotated fields and no base that has fields of its own.
    """
    slots = [name for name, kind in cls.__annotations__.items() if not _is_class_variable(kind)]
    base = type(f"_{cls.__name__}", (), {"__slots__": slots})
    members = {name: each for name, each in vars(cls).items() if name not in _INSTANCE_MEMBERS}
    bases = (base, *[each for each in cls.__bases__ if each is not object])
    framed = cast("type[T]", type(cls.__name__, bases, members))
    return attrs.frozen(kw_only=True, weakref_slot=False)(framed)


def evolve(value: T, **changes: Any) -> T:
    """Return a record with some fields changed, at about a fifth of the cost of ``attrs.evolve``.

    Args:
        value: an instance of a class made by ``record``, not of a generic one.
        changes: new values by attribute name.
    """
    kind: Any = type(value)
    changed: T = _evolver_of(kind, tuple(changes))(value, *changes.values())
    return changed


def positional(cls: type[T], *taken: str) -> Callable[..., T]:
    """Return a fast constructor of a record, whose result can't be told from that of ``cls``.

    Args:
        cls: a class made by ``record``.
        taken: the names of the fields it takes, in this order; the others have defaults, and keep
            them. All fields, in their own order, if left out.
    """
    arguments = list(taken) or field_names(cls)
    fields = attrs.fields_dict(cast("Any", cls))
    left = {name: field.default for name, field in fields.items() if name not in arguments}
    unknown = set(arguments) - set(fields)
    assert not unknown, f"{cls.__name__} has no field {sorted(unknown)}"
    needed = [name for name, default in left.items() if not _is_a_value(default)]
    assert not needed, f"{cls.__name__} needs {needed}"
    values = {name: f"default_{name}" if name in left else name for name in fields}
    defaults = {values[name]: default for name, default in left.items()}
    return _maker(cls, arguments, values, defaults)


def evolver(cls: type[T], *changed: str) -> Callable[..., T]:
    """Return a function that copies a record with some fields changed.

    Args:
        cls: a class made by ``record``.
        changed: the names of the fields it takes, behind the record, in this order.
    """
    names = field_names(cls)
    unknown = set(changed) - set(names)
    assert not unknown, f"{cls.__name__} has no field {sorted(unknown)}"
    values = {name: name if name in changed else f"before.{name}" for name in names}
    return _maker(cls, ["before", *changed], values)


@cache
def _evolver_of(cls: Any, names: tuple[str, ...]) -> Callable[..., Any]:
    return evolver(cls, *names)


def field_names(cls: type[Any]) -> list[str]:
    """Return the names of a record's fields, in order."""
    return [field.name for field in attrs.fields(cls)]


def thawing(draft: type[T]) -> Callable[[Any], T]:
    """Return a function that copies a value's slots into a new draft of it.

    Args:
        draft: a mutable attrs class, of which the value's class is a subclass without slots of its
            own. What is made is of a subclass, too: one whose making fills nothing, a fifth cheaper.
    """
    names = list(attrs.fields_dict(cast("Any", draft)))
    bare = type(draft.__name__, (draft,), {"__slots__": (), "__init__": object.__init__})
    lines = ["def thaw(value):", "    draft = bare()"]
    lines += [f"    draft.{name} = value.{name}" for name in names]
    scope: dict[str, Any] = {"bare": bare}
    exec("\n".join([*lines, "    return draft"]), scope)  # noqa: S102 - our own field names
    thaw: Callable[[Any], T] = scope["thaw"]
    return thaw


def unfrozen(cls: type[Any]) -> type[Any]:
    """Return the base that owns a record's slots, for code that is written out as it is here."""
    base: type[Any] = cls.__mro__[1]
    return base


def _maker(
    cls: type[T],
    arguments: list[str],
    values: dict[str, str],
    known: Mapping[str, Any] = MappingProxyType({}),
) -> Callable[..., T]:
    """Write a function that makes a record of an expression for each field.

    Args:
        cls: the record.
        arguments: the names of what the function takes.
        values: the expressions, by field.
        known: what else an expression may name.
    """
    lines = [f"def make({', '.join(arguments)}):", "    new_record = base()"]
    lines += [f"    new_record.{name} = {value}" for name, value in values.items()]
    lines += ["    new_record.__class__ = record", "    return new_record"]
    scope: dict[str, Any] = {"base": unfrozen(cls), "record": cls, **known}
    exec("\n".join(lines), scope)  # noqa: S102 - the text is made of this package's field names
    make: Callable[..., T] = scope["make"]
    return make


def _is_a_value(default: Any) -> bool:
    return default is not attrs.NOTHING and not isinstance(default, attrs.Factory)  # type: ignore[arg-type]


def _is_class_variable(annotation: object) -> bool:
    return str(annotation).startswith(("ClassVar", "typing.ClassVar"))
