"""One turn at a time.

Rules of this file (sources/stream-json-and-acp.md 2.4):

- A turn is accepted before its prompt is written; a prompt that can't be written takes the turn
  back and doesn't count it.
- The first result behind the acceptance ends the turn. A result with no turn is dropped: nothing on
  the wire says which prompt it answers.
- A turn's events are in the order they came, the result not among them. Nothing is cut: a turn that
  can't be kept whole fails.
- Giving up waiting is nothing here: a turn runs until its result or the session's end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeAlias

import attrs

from refold.json_values import Json, JsonObject
from refold.policies.duplex.dispatch import Inbound
from refold.policies.duplex.failures import Closed, Failure, TurnInFlight
from refold.policies.duplex.wire_lines import user_line
from refold.records import evolve, record
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = [
    "STEPS",
    "TURNS",
    "Arrived",
    "Ended",
    "PromptLine",
    "PromptRefused",
    "ResultDropped",
    "Returned",
    "Send",
    "Turn",
    "TurnDone",
    "TurnFailed",
    "TurnInput",
    "TurnOutput",
    "Turns",
    "WriteFailed",
    "step",
]


@record
class Turn:
    """A turn in flight; ``started_ms`` is when its prompt was accepted."""

    started_ms: int
    events: Vector[Inbound] = EMPTY_VECTOR


@record
class Turns:
    """The turn machine.

    Args:
        running: the turn in flight, or None.
        accepted: how many prompts were accepted and written.
        closed: no prompt is accepted any more.
    """

    running: Turn | None = None
    accepted: int = 0
    closed: bool = False


TURNS = Turns()


@record
class Send:
    """A prompt is to be sent."""

    kind: ClassVar[Literal["send"]] = "send"

    text: str
    now_ms: int


@record
class WriteFailed:
    """The prompt of the turn in flight couldn't be written."""

    kind: ClassVar[Literal["write_failed"]] = "write_failed"

    failure: Failure


@record
class Arrived:
    """An event that a turn retains came."""

    kind: ClassVar[Literal["arrived"]] = "arrived"

    event: Inbound


@record
class Returned:
    """A result came."""

    kind: ClassVar[Literal["returned"]] = "returned"

    raw: Json


@record
class Ended:
    """The session ended; ``failure`` is what a turn in flight is told."""

    kind: ClassVar[Literal["ended"]] = "ended"

    failure: Failure = attrs.field(factory=Closed)


TurnInput: TypeAlias = Send | WriteFailed | Arrived | Returned | Ended


@record
class PromptLine:
    """The prompt's line is to be written."""

    kind: ClassVar[Literal["prompt_line"]] = "prompt_line"

    line: JsonObject


@record
class PromptRefused:
    """A prompt wasn't accepted; nothing was written."""

    kind: ClassVar[Literal["prompt_refused"]] = "prompt_refused"

    failure: Failure


@record
class TurnDone:
    """A turn ended with a result (see ``results`` for what it says)."""

    kind: ClassVar[Literal["turn_done"]] = "turn_done"

    result: Json
    events: Vector[Inbound]


@record
class TurnFailed:
    """A turn ended without one."""

    kind: ClassVar[Literal["turn_failed"]] = "turn_failed"

    failure: Failure


@record
class ResultDropped:
    """A result came with no turn in flight."""

    kind: ClassVar[Literal["result_dropped"]] = "result_dropped"


TurnOutput: TypeAlias = PromptLine | PromptRefused | TurnDone | TurnFailed | ResultDropped
Stepped: TypeAlias = tuple[Turns, tuple[TurnOutput, ...]]


def step(turns: Turns, event: TurnInput) -> Stepped:
    """Take one input.

    Args:
        turns: the machine before it.
        event: what happened.
    """
    return STEPS[type(event)](turns, event)


def _send(turns: Turns, event: Send) -> Stepped:
    if turns.closed:
        return turns, (PromptRefused(failure=Closed()),)
    if turns.running is not None:
        return turns, (PromptRefused(failure=TurnInFlight()),)
    begun = evolve(turns, running=Turn(started_ms=event.now_ms), accepted=turns.accepted + 1)
    return begun, (PromptLine(line=user_line(event.text)),)


def _write_failed(turns: Turns, event: WriteFailed) -> Stepped:
    if turns.running is None:
        return turns, ()
    taken_back = evolve(turns, running=None, accepted=turns.accepted - 1)
    return taken_back, (PromptRefused(failure=event.failure),)


def _arrived(turns: Turns, event: Arrived) -> Stepped:
    running = turns.running
    if running is None:
        return turns, ()
    grown = evolve(running, events=running.events.append(event.event))
    return evolve(turns, running=grown), ()


def _returned(turns: Turns, event: Returned) -> Stepped:
    running = turns.running
    if running is None:
        return turns, (ResultDropped(),)
    done = TurnDone(result=event.raw, events=running.events)
    return evolve(turns, running=None), (done,)


def _ended(turns: Turns, event: Ended) -> Stepped:
    outputs = () if turns.running is None else (TurnFailed(failure=event.failure),)
    if turns.closed and turns.running is None:
        return turns, ()
    return evolve(turns, running=None, closed=True), outputs


STEPS: dict[type, Callable[[Turns, Any], Stepped]] = {
    Send: _send,
    WriteFailed: _write_failed,
    Arrived: _arrived,
    Returned: _returned,
    Ended: _ended,
}
