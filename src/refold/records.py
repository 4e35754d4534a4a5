"""Frozen records, and a constructor for the hot path.

Rules of this file:

- ``record`` is the only way a value class is made in this package: frozen, slotted, keyword-only,
  equal by value, no conversion and no validation (checks belong to decoding).
- ``positional`` is the only place where a frozen object is filled by plain assignment. A frozen
  ``__init__`` pays ``object.__setattr__`` once per field; a twin class with the same slots assigns
  directly and then becomes the frozen class, at about a third of the cost. Nobody sees the twin.
- This file knows no message, item or session.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

import attrs

__all__ = ["positional", "record"]

T = TypeVar("T")


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(attrs.field,))
def record(cls: type[T]) -> type[T]:
    """Make a class a frozen, slotted, keyword-only attrs value.

    Args:
        cls: a class with annotated fields and no base that has fields of its own.
    """
    return attrs.frozen(kw_only=True, weakref_slot=False)(cls)


def positional(cls: type[T]) -> Callable[..., T]:
    """Return a fast constructor of a record that takes every field, in order, without defaults.

    Args:
        cls: a class made by ``record``. Its result is indistinguishable from ``cls(...)``.
    """
    names = [field.name for field in attrs.fields(cls)]  # type: ignore[arg-type]
    lines = [f"def __init__(self, {', '.join(names)}):"]
    lines += [f"    self.{name} = {name}" for name in names]
    lines += ["    self.__class__ = frozen"]
    scope: dict[str, Any] = {"frozen": cls}
    exec("\n".join(lines), scope)  # noqa: S102 - the text is made of this package's field names
    twin = type(
        cls.__name__,
        cls.__bases__,
        {
            "__slots__": cls.__slots__,  # type: ignore[attr-defined]
            "__init__": scope["__init__"],
            "__setattr__": object.__setattr__,
        },
    )
    return twin
