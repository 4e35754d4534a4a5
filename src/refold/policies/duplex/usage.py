"""Tokens of a session, counted once, as a machine with inputs.

Rules of this file (sources/stream-json-and-acp.md 10.8):

- The rules of counting are those of reading a run (``sources.claude_stream_json.usage``): a host and
  a reader of its recording must agree. Here they are inputs and outputs like the other machines'.
- Nothing is counted while a lane is at a message: its figures are stale and still growing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeAlias

from refold.maps import EMPTY_MAP, Map
from refold.records import record
from refold.sources.claude_stream_json.tokens import NO_USAGE, Usage
from refold.sources.claude_stream_json.usage import Ledger, left, settled, used

__all__ = [
    "STEPS",
    "USAGES",
    "Counted",
    "LaneLeft",
    "Seen",
    "TurnSettled",
    "UsageInput",
    "step",
]

USAGES = Ledger()


@record
class Seen:
    """A message's figures were seen.

    Args:
        lane: the lane's key, empty for the main one.
        message: the message's id.
        usage: the figures.
        recorded: a complete record gave them, not a piece of a stream.
        whole: the message came at once, with its final figures.
    """

    kind: ClassVar[Literal["seen"]] = "seen"

    lane: str
    message: str
    usage: Usage
    recorded: bool = True
    whole: bool = False


@record
class LaneLeft:
    """A lane is done with its message."""

    kind: ClassVar[Literal["lane_left"]] = "lane_left"

    lane: str


@record
class TurnSettled:
    """A result came.

    Args:
        total: the turn's usage, if the result tells it.
        models: the session's running account by model.
        last: the last request's usage, if the result tells it.
    """

    kind: ClassVar[Literal["turn_settled"]] = "turn_settled"

    total: Usage | None = None
    models: Map[Usage] = EMPTY_MAP
    last: Usage | None = None


UsageInput: TypeAlias = Seen | LaneLeft | TurnSettled


@record
class Counted:
    """Tokens to add to a lane's; each is counted once."""

    lane: str
    usage: Usage


Stepped: TypeAlias = tuple[Ledger, tuple[Counted, ...]]


def step(ledger: Ledger, event: UsageInput) -> Stepped:
    """Take one input.

    Args:
        ledger: what was counted before it.
        event: what happened.
    """
    return STEPS[type(event)](ledger, event)


def _seen(ledger: Ledger, event: Seen) -> Stepped:
    before = ledger.pending.get(event.lane)
    counted: tuple[Counted, ...] = ()
    if before is not None and before.key != event.message:
        ledger, counted = _left(ledger, LaneLeft(lane=event.lane))
    ledger = used(
        ledger,
        event.lane,
        event.message,
        event.usage,
        recorded=event.recorded,
        whole=event.whole,
    )
    return ledger, counted


def _left(ledger: Ledger, event: LaneLeft) -> Stepped:
    ledger, more = left(ledger, event.lane)
    return ledger, () if more == NO_USAGE else (Counted(lane=event.lane, usage=more),)


def _settled(ledger: Ledger, event: TurnSettled) -> Stepped:
    ledger, parts = settled(ledger, event.total, event.models, event.last)
    return ledger, tuple([Counted(lane="", usage=each) for each in parts])


STEPS: dict[type, Callable[[Ledger, Any], Stepped]] = {
    Seen: _seen,
    LaneLeft: _left,
    TurnSettled: _settled,
}
