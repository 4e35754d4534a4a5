"""What a delta log says: pieces of an assistant text, before its record exists.

Rules of this file (sources/claude-code.md 1.5):

- ``{"message_id", "index", "final", "delta"}``, all four, of their types, or it is no delta.
- ``message_id`` never occurs in a transcript: nothing here is an id of anything else.
- There is no time in it.
"""

from __future__ import annotations

from typing import Any

from refold.records import record

__all__ = ["Delta", "read_delta"]


@record
class Delta:
    """A piece of a text being shown.

    Args:
        message_id: which text.
        index: which piece of it, from 0; pieces may arrive in any order and more than once.
        final: no piece has a higher index.
        text: the piece.
    """

    message_id: str
    index: int
    final: bool
    text: str


def read_delta(value: Any) -> Delta | None:
    """Read a line of a delta log.

    Args:
        value: plain JSON data of any type.

    Returns:
        The delta, or None if the value is none.
    """
    if not isinstance(value, dict):
        return None
    message_id, index = value.get("message_id"), value.get("index")
    final, text = value.get("final"), value.get("delta")
    if not (isinstance(message_id, str) and message_id and type(index) is int and index >= 0):
        return None
    if not (isinstance(final, bool) and isinstance(text, str)):
        return None
    return Delta(message_id=message_id, index=index, final=final, text=text)
