"""Live sessions that are told one thing after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refold.live import HistoryLoaded, LiveState, Received, connect, step
from refold.live.effects import Effect
from refold.live.inputs import Input
from refold.messages import Message

__all__ = ["effects_of", "keys", "live", "loaded", "received", "told"]


def told(state: LiveState, *inputs: Input) -> LiveState:
    """Return the state behind inputs."""
    for each in inputs:
        state, _ = step(state, each)
    return state


def effects_of(state: LiveState, happened: Input) -> list[Effect]:
    """Return what the caller must do for an input."""
    return list(step(state, happened)[1])


def received(
    messages: Sequence[Message], *, first: int = 0, epoch: str | None = "e"
) -> list[Received]:
    """Return messages as the stream brings them, under ids that count up, or under none."""
    return [
        Received(
            message=each, event_id=None if epoch is None else f"{epoch}-{first + index}", now_ms=9
        )
        for index, each in enumerate(messages)
    ]


def loaded(*messages: Message, **fields: Any) -> HistoryLoaded:
    """Return a history as a load answers it."""
    return HistoryLoaded(messages=messages, **fields)


def live(*messages: Message) -> LiveState:
    """Return a live session whose history is in."""
    return told(connect(), loaded(*messages))


def keys(state: LiveState) -> list[str]:
    """Return the keys of what is shown."""
    return [item.key for item in state.items]
