"""The one strict converter: a payload's plain JSON data to its class.

Rules of this file (protocol.md, "Strictness"):

- The classes say what is expected; the hooks here say how strictly. There is no other coercion.
- ``null`` on an optional field is an absent field. A required field that is absent is an error.
- Fields a class doesn't have go to its ``extra``, frozen.
- An error names the first thing that is wrong, in the order of the class's fields, by JSON path.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

import attrs
from cattrs import AttributeValidationNote, ClassValidationError, Converter
from cattrs.gen import make_dict_structure_fn, override

from refold.decode.kinds import wire_tag
from refold.decode.values import ABSENT, below, count, frozen, frozen_object, remainder, string
from refold.errors import DecodeError
from refold.json_values import JsonObject
from refold.messages import Fact

__all__ = ["structure"]

Hook: TypeAlias = Callable[[Any, Any], Any]


def structure(value: Any, cls: Any, path: str) -> Any:
    """Return plain JSON data as a value of a type.

    Args:
        value: the data; ``ABSENT`` where there is none.
        cls: a record class, ``str``, ``int`` (a count), or one of their optional and tuple types.
        path: where the value stands.

    Raises:
        DecodeError: the data isn't what the type says.
    """
    try:
        return _hook(cls)(value, cls)
    except DecodeError as error:
        raise below(error, path) from None


@functools.cache
def _hook(cls: Any) -> Hook:
    return _converter().get_structure_hook(cls)


@functools.cache
def _converter() -> Converter:
    converter = Converter(detailed_validation=True)
    converter.register_structure_hook(str, lambda value, _: string(value))
    converter.register_structure_hook(int, lambda value, _: count(value))
    converter.register_structure_hook(JsonObject, lambda value, _: frozen_object(value))
    any_json = get_type_hints(Fact)["value"]
    converter.register_structure_hook_func(
        lambda cls: cls == any_json, lambda value, _: frozen(value)
    )
    converter.register_structure_hook_factory(_is_tuple, _tuple_hook)
    converter.register_structure_hook_factory(attrs.has, _record_hook)
    return converter


def _is_tuple(cls: Any) -> bool:
    return get_origin(cls) is tuple


def _tuple_hook(cls: Any, converter: Converter) -> Hook:
    element = get_args(cls)[0]
    element_of = converter.get_structure_hook(element)

    def structured(value: Any, _: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise DecodeError("a list", path="", value=value)
        elements = []
        for each in value:
            try:
                elements.append(element_of(each, element))
            except DecodeError as error:
                raise below(error, f"[{len(elements)}]") from None
        return tuple(elements)

    return structured


def _record_hook(cls: Any, converter: Converter) -> Hook:
    required = {field.name: field.default is attrs.NOTHING for field in attrs.fields(cls)}
    has_extra = required.pop("extra", None) is not None
    known = frozenset(required) | wire_tag(cls)
    omitted: Any = {"extra": override(omit=True)} if has_extra else {}
    made_of = make_dict_structure_fn(cls, converter, **omitted)

    def structured(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise DecodeError("an object", path="", value=value)
        try:
            made = made_of(_fields(value, required), cls)
        except ClassValidationError as group:
            raise _first_fault(group) from None
        extra = remainder(value, known)
        return attrs.evolve(made, extra=extra) if extra and has_extra else made

    return structured


def _fields(value: dict[str, Any], required: dict[str, bool]) -> dict[str, Any]:
    """Return the fields to structure: those that are set, and every required one."""
    fields = {name: value.get(name) for name in required if value.get(name) is not None}
    if len(fields) < len(required):
        for name, is_required in required.items():
            if is_required and name not in fields:
                fields[name] = value.get(name, ABSENT)
    return fields


def _first_fault(group: ClassValidationError) -> Exception:
    error = group.exceptions[0]
    note = next(each for each in error.__notes__ if isinstance(each, AttributeValidationNote))
    return below(error, f".{note.name}") if isinstance(error, DecodeError) else error
