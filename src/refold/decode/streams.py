"""Values with their lines to messages with their positions.

Rules of this file:

- Every message says where it came from, unless it says so itself.
- What becomes of what can't be read or decoded is the caller's choice, made once per fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, TypeAlias

from refold.decode.generated import placer
from refold.decode.messages import decode
from refold.errors import DecodeError
from refold.messages import Message

__all__ = ["OnError", "messages_of", "report"]

OnError: TypeAlias = Literal["raise", "skip"] | Callable[[DecodeError], object]

_FORMAT = "omni"


def messages_of(
    values: Iterable[tuple[int | None, Any]],
    *,
    lane: str | None = None,
    name: str | None = None,
    errors: OnError = "raise",
    positions: bool = True,
    message_of: Callable[..., Message] = decode,
) -> Iterator[Message]:
    """Yield the messages that values stand for, in order, each with its place as its source.

    Args:
        values: line numbers and plain JSON data, or the error that stands in a value's place.
        lane: the name of the file, for positions.
        name: what errors call the file.
        errors: ``raise`` the first fault, ``skip`` faults, or a function that gets each.
        positions: whether to say where each message came from; not to costs less.
        message_of: what decodes a value; a ``LineReader``'s for values it has parsed.

    Raises:
        DecodeError: a value can't be decoded, and ``errors`` is ``raise``.
    """
    placed = placer(_FORMAT, lane) if positions else _nowhere
    for line, value in values:
        try:
            message = message_of(value, place=placed(line))
        except DecodeError as error:
            fault = value if isinstance(value, DecodeError) else error.at(line=line, source=name)
            report(fault, errors)
        else:
            yield message


def _nowhere(line: int | None) -> None:
    """Know nothing of where a line stands."""


def report(fault: DecodeError, errors: OnError) -> None:
    """Do with a fault what the caller wants.

    Args:
        fault: what is wrong, with its place.
        errors: ``raise``, ``skip``, or a function that gets it.

    Raises:
        DecodeError: ``errors`` is ``raise``.
    """
    if errors == "raise":
        raise fault
    if errors != "skip":
        errors(fault)
