"""A small counterexample out of a long one.

Rules of this file:

- Ranges are left out, halves first, as long as the law stays broken; the number of tries is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from refold.messages import Message

__all__ = ["shrunk"]

_TRIES = 400


def shrunk(
    messages: Sequence[Message], breaks: Callable[[Sequence[Message]], bool], tries: int = _TRIES
) -> tuple[Message, ...]:
    """Return fewer of the messages that still break a law.

    Args:
        messages: messages that break it.
        breaks: tells whether some do.
        tries: how often it may be asked.
    """
    left = list(messages)
    size = len(left) // 2
    while size and tries > 0:
        at, fewer = 0, False
        while at < len(left) and tries > 0:
            without = left[:at] + left[at + size :]
            tries -= 1
            if without and breaks(without):
                left, fewer = without, True
            else:
                at += size
        size = size if fewer and size > 1 else size // 2
    return tuple(left)
