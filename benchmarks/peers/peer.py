"""What a peer is here, and how one in Python is timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from time import process_time
from typing import Any, TypeAlias

import attrs

from benchmarks.peers.stream import Op
from benchmarks.timing import quiet

__all__ = ["LIMIT_S", "Marginal", "NotRunError", "Peer", "marginal"]

LIMIT_S = 60.0
ENOUGH_S = 5.0

Marginal: TypeAlias = Callable[[Sequence[Op], Sequence[Op]], float]


class NotRunError(Exception):
    """A peer isn't installed, or didn't finish in time; the message says which."""


@attrs.frozen(kw_only=True)
class Peer:
    """Something that folds a stream.

    Args:
        name: for the table.
        snapshot: what one has behind every event.
        marginal: from steps that went before and steps that come next to the seconds an event of
            the latter takes the processor; it may raise ``NotRunError``.
    """

    name: str
    snapshot: str
    marginal: Marginal


def marginal(
    state: Any,
    step: Callable[[Any, Any], Any],
    events: Callable[[Op], Sequence[Any]],
    coming: Sequence[Op],
) -> float:
    """Return the mean processor seconds of an event, every version kept; of fewer if they take long."""
    kept, seconds = [state], 0.0
    with quiet():
        for event in list(chain.from_iterable(map(events, coming))):
            begin = process_time()
            kept.append(step(kept[-1], event))
            seconds += process_time() - begin
            if seconds > ENOUGH_S:
                break
    return seconds / (len(kept) - 1)
