"""A law, and how it is said that one is broken.

Rules of this file:

- A law is a function from messages to nothing, or to what differs first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from refold.errors import shorten
from refold.messages import Message
from refold.records import record

__all__ = ["Broken", "Law", "first_difference"]


@record
class Law:
    """One promise.

    Args:
        number: as in laws.md.
        name: what it is called.
        says: the promise in a sentence.
        differs: what a list of messages breaks it by; None if it holds.
    """

    number: int
    name: str
    says: str
    differs: Callable[[Sequence[Message]], str | None]


@record
class Broken:
    """A law that a list of messages breaks.

    Args:
        law: the law.
        difference: what differs first, with its JSON path.
        messages: the messages that break it, fewer if it could be made to break by fewer.
    """

    law: Law
    difference: str
    messages: tuple[Message, ...]


def first_difference(one: Any, other: Any, path: str = "$") -> str | None:
    """Return where two JSON values differ first, and by what.

    Args:
        one: plain JSON data.
        other: plain JSON data.
        path: the JSON path of the two.
    """
    if type(one) is dict and type(other) is dict:
        return _first_in_objects(one, other, path)
    if type(one) is list and type(other) is list:
        return _first_in_lists(one, other, path)
    if one == other and (type(one) is type(other) or _are_numbers(one, other)):
        return None
    return f"{path}: {shorten(one)} or {shorten(other)}"


def _first_in_objects(one: dict[str, Any], other: dict[str, Any], path: str) -> str | None:
    for name in {**one, **other}:
        if name not in one or name not in other:
            value, place = (one, "first") if name in one else (other, "second")
            return f"{path}.{name}: only the {place} has it: {shorten(value[name])}"
        found = first_difference(one[name], other[name], f"{path}.{name}")
        if found:
            return found
    return None


def _first_in_lists(one: list[Any], other: list[Any], path: str) -> str | None:
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        found = first_difference(left, right, f"{path}[{index}]")
        if found:
            return found
    return None if len(one) == len(other) else f"{path}: {len(one)} or {len(other)} elements"


def _are_numbers(one: Any, other: Any) -> bool:
    return {type(one), type(other)} == {int, float}
