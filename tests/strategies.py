"""Streams for properties: those an engine would send, and chaos.

``disciplined_streams`` keeps the discipline of protocol.md (see ``engine``); ``chaotic_streams``
keeps none: any message, any order, few ids so that they collide (see ``payloads``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any

from hypothesis import strategies as st

from refold.messages import Message
from refold.times import format_ms
from tests.engine import Pick, session_stream
from tests.payloads import (
    COMPLETES,
    EVENTS,
    METAS,
    ORIGINS,
    PARTIALS,
    START_MS,
    TIMESTAMPS,
    TRANSPORTS,
)

__all__ = ["any_streams", "chaotic_streams", "disciplined_streams", "messages", "timed"]

_KINDS = (*COMPLETES, *COMPLETES, *EVENTS, *PARTIALS, *PARTIALS, *PARTIALS, *PARTIALS, METAS)
_RUN = 12


@cache
def _below(limit: int) -> st.SearchStrategy[int]:
    return st.integers(0, limit - 1)


def _picking(draw: st.DrawFn) -> Pick:
    def pick(options: Sequence[Any]) -> Any:
        return options[draw(_below(len(options)))]

    return pick


@st.composite
def messages(draw: st.DrawFn) -> Message:
    """Any message at all."""
    pick = _picking(draw)
    return Message(
        payload=pick(pick(_KINDS)),
        timestamp=pick(TIMESTAMPS),
        origin=pick(ORIGINS),
        transport=pick(TRANSPORTS),
    )


def chaotic_streams(max_size: int = 48) -> st.SearchStrategy[list[Message]]:
    """Any messages in any order."""
    runs = st.lists(messages(), max_size=_RUN)
    count = max(1, max_size // _RUN)
    return st.tuples(*[runs] * count).map(lambda parts: list(chain.from_iterable(parts))[:max_size])


@st.composite
def disciplined_streams(
    draw: st.DrawFn, *, most_tasks: int = 3, interruptions: bool = True
) -> list[Message]:
    """A session an engine would send, with sessions nested in it.

    Args:
        draw: Hypothesis's.
        most_tasks: of the main session.
        interruptions: whether anything may come in the middle of a fragment.
    """
    return session_stream(_picking(draw), most_tasks=most_tasks, interruptions=interruptions)


def any_streams() -> st.SearchStrategy[list[Message]]:
    """Streams of either sort."""
    return st.one_of(chaotic_streams(), disciplined_streams())


def timed(payloads: list[Any], origin: tuple[str, ...] = ()) -> list[Message]:
    """Return payloads as messages of one session, 100 ms apart."""
    return [
        Message(payload=payload, timestamp=format_ms(START_MS + 100 * n), origin=origin)
        for n, payload in enumerate(payloads)
    ]
