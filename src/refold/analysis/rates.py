"""Tokens per second.

Rules of this file (reducer.md rule 25):

- Output tokens over seconds of the model's own time; None with no time, or where a float can't
  hold the result.
"""

from __future__ import annotations

__all__ = ["tokens_per_second"]


def tokens_per_second(tokens: int, milliseconds: int) -> float | None:
    """Return a rate.

    Args:
        tokens: output tokens.
        milliseconds: the time they took; 0 or less gives None.
    """
    if milliseconds <= 0:
        return None
    try:
        return tokens / (milliseconds / 1000)
    except OverflowError:
        return None
