"""What a user says while a run goes on, until the run can hear it.

Rules of this file (sources/stream-json-and-acp.md 10.20):

- A text is taken only for the run it was meant for, if it says something and there is room;
  otherwise it is refused with the reason, and the sender still has it.
- The queue is handed out whole, in order, between two rounds; as user turns the run reads them.
- A run that ends gives back what it never heard.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from refold.markers import is_blank
from refold.policies.history import UserTurn, steering
from refold.records import record

__all__ = [
    "Accepted",
    "Delivered",
    "QueueConfig",
    "QueueInput",
    "QueueOutput",
    "QueueState",
    "Refused",
    "RoundBoundary",
    "RunEnded",
    "RunStarted",
    "Steered",
    "Undelivered",
    "step",
]


@record
class QueueConfig:
    """How many texts may wait."""

    capacity: int = 64


@record
class QueueState:
    """The run that goes on, if any, and what waits for it."""

    run_id: str | None = None
    waiting: tuple[str, ...] = ()


@record
class RunStarted:
    """A prompt's run began."""

    kind: ClassVar[Literal["run_started"]] = "run_started"

    run_id: str


@record
class Steered:
    """The user said something; ``run_id`` is the run it is meant for, None for whichever runs."""

    kind: ClassVar[Literal["steered"]] = "steered"

    text: str
    run_id: str | None = None


@record
class RoundBoundary:
    """One round of the run is over, the next not begun."""

    kind: ClassVar[Literal["round_boundary"]] = "round_boundary"


@record
class RunEnded:
    """The run is over, however it ended."""

    kind: ClassVar[Literal["run_ended"]] = "run_ended"


QueueInput: TypeAlias = RunStarted | Steered | RoundBoundary | RunEnded


@record
class Accepted:
    """The text waits; ``position`` counts from 1."""

    kind: ClassVar[Literal["accepted"]] = "accepted"

    position: int


@record
class Refused:
    """The text was not taken, and why."""

    kind: ClassVar[Literal["refused"]] = "refused"

    reason: Literal["no_run", "other_run", "empty", "full"]


@record
class Delivered:
    """The turns the run is to read now, in order."""

    kind: ClassVar[Literal["delivered"]] = "delivered"

    turns: tuple[UserTurn, ...]


@record
class Undelivered:
    """What the run that ended never read, in order."""

    kind: ClassVar[Literal["undelivered"]] = "undelivered"

    texts: tuple[str, ...]


QueueOutput: TypeAlias = Accepted | Refused | Delivered | Undelivered

_IDLE = QueueState()


def step(
    config: QueueConfig, state: QueueState, event: QueueInput
) -> tuple[QueueState, QueueOutput | None]:
    """Take what happened and say what follows, or None if nothing does.

    Args:
        config: the capacity.
        state: the run and its queue.
        event: what happened.
    """
    match event:
        case RunStarted():
            return QueueState(run_id=event.run_id), _undelivered(state)
        case Steered():
            return _steered(config, state, event)
        case RoundBoundary():
            return _delivered(state)
        case RunEnded():
            return (state if state == _IDLE else _IDLE), _undelivered(state)


def _steered(
    config: QueueConfig, state: QueueState, event: Steered
) -> tuple[QueueState, QueueOutput]:
    refused = _refusal(config, state, event)
    if refused is not None:
        return state, refused
    waiting = (*state.waiting, event.text)
    return QueueState(run_id=state.run_id, waiting=waiting), Accepted(position=len(waiting))


def _refusal(config: QueueConfig, state: QueueState, event: Steered) -> Refused | None:
    if state.run_id is None:
        return Refused(reason="no_run")
    if event.run_id not in (None, state.run_id):
        return Refused(reason="other_run")
    if is_blank(event.text):
        return Refused(reason="empty")
    return Refused(reason="full") if len(state.waiting) >= config.capacity else None


def _delivered(state: QueueState) -> tuple[QueueState, QueueOutput | None]:
    if not state.waiting:
        return state, None
    turns = tuple([steering(text) for text in state.waiting])
    return QueueState(run_id=state.run_id), Delivered(turns=turns)


def _undelivered(state: QueueState) -> QueueOutput | None:
    return Undelivered(texts=state.waiting) if state.waiting else None
