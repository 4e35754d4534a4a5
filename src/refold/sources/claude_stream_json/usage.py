"""Tokens of a run, counted once, whatever repeats them.

Rules of this file (sources/stream-json-and-acp.md 1.3, 10.8; census S7):

- A message's figures come again on each of its records, stale at first; the highest of each counts.
  They are counted when the lane goes on to another message or the turn ends, and a message that
  comes back adds only what it knows more. No figures is not zero.
- A turn's result has the last word on the main lane. What it knows beyond the messages is counted
  with it, the last request's share at the end, so that the context is that request's.
- A result leaves out messages that came whole, not streamed (a retry the client made without
  streaming). They are added where the run's own account by model, exactly, says so.
- A lane of a nested session is counted by its messages alone: no result speaks of it.
"""

from __future__ import annotations

from refold.maps import EMPTY_MAP, Map
from refold.records import evolve, evolver, positional, record
from refold.sources.claude_stream_json.tokens import NO_USAGE, Usage, added, beyond, most

__all__ = ["Ledger", "Pending", "Turn", "left", "settled", "used"]


@record
class Pending:
    """The message a lane is at, not yet counted.

    Args:
        key: the message's.
        known: its highest figures.
        recorded: the highest of those that complete records gave.
        complete: a complete record came.
        whole: it came at once, with its final figures.
    """

    key: str
    known: Usage = NO_USAGE
    recorded: Usage = NO_USAGE
    complete: bool = False
    whole: bool = False


@record
class Turn:
    """The main lane since the last result.

    Args:
        counted: what was counted.
        whole: what messages used that came at once.
        messages: how many messages complete records told of.
        latest: the last figures that a complete record gave.
    """

    counted: Usage = NO_USAGE
    whole: Usage = NO_USAGE
    messages: int = 0
    latest: Usage = NO_USAGE


@record
class Ledger:
    """What was counted so far.

    Args:
        pending: each lane's message that isn't counted yet.
        counted: what was counted of each message, by lane and message.
        turn: the main lane's turn.
        models: the run's own account by model, at the last result.
    """

    pending: Map[Pending] = EMPTY_MAP
    counted: Map[Usage] = EMPTY_MAP
    turn: Turn = Turn()
    models: Map[Usage] = EMPTY_MAP


_new_pending = positional(Pending)
_with_pending = evolver(Ledger, "pending")
_counted = evolver(Ledger, "pending", "counted")
_with_turn = evolver(Ledger, "turn")


def used(
    ledger: Ledger, lane: str, key: str, usage: Usage, *, recorded: bool, whole: bool = False
) -> Ledger:
    """Take a message's figures.

    Args:
        ledger: what was counted so far; the lane is at this message.
        lane: the lane's key, empty for the main lane.
        key: the message's.
        usage: the figures, zeros if there are none.
        recorded: a complete record gave them, not a piece of a stream.
        whole: the message came at once.
    """
    before = ledger.pending.get(lane) or Pending(key=key)
    after = _new_pending(
        key,
        most(before.known, usage),
        most(before.recorded, usage) if recorded else before.recorded,
        before.complete or recorded,
        before.whole or whole,
    )
    return ledger if after == before else _with_pending(ledger, ledger.pending.put(lane, after))


def left(ledger: Ledger, lane: str) -> tuple[Ledger, Usage]:
    """Count a lane's message, as the lane leaves it.

    Args:
        ledger: what was counted so far.
        lane: the lane's key.

    Returns:
        The ledger, and what wasn't counted of the message before.
    """
    pending = ledger.pending.get(lane)
    if pending is None:
        return ledger, NO_USAGE
    name = f"{lane}\n{pending.key}"
    before = ledger.counted.get(name)
    more = beyond(pending.known, before or NO_USAGE)
    counted = ledger.counted.put(name, most(pending.known, before or NO_USAGE))
    ledger = _counted(ledger, ledger.pending.without(lane), counted)
    if lane:
        return ledger, more
    turn = _with_message(ledger.turn, pending, more, new=before is None)
    return _with_turn(ledger, turn), more


def settled(
    ledger: Ledger, total: Usage | None, models: Map[Usage], last: Usage | None
) -> tuple[Ledger, tuple[Usage, ...]]:
    """Count what is left of a turn, as its result tells.

    Args:
        ledger: what was counted so far.
        total: the result's usage.
        models: the run's own account by model; running totals.
        last: the usage of the turn's last request, if the result tells it.

    Returns:
        The ledger in front of the next turn, and what to count now: the last part is the last
        request's.
    """
    before, pending = ledger.turn.counted, ledger.pending.get("")
    ledger, _ = left(ledger, "")
    turn = ledger.turn
    whole = turn.counted if total is None else _corrected(ledger, total, models)
    rest = beyond(most(whole, turn.counted), before)
    parts = _apart(rest, rest if turn.messages == 1 else last or _latest(turn, pending))
    return evolve(ledger, turn=Turn(), models=models or ledger.models), parts


def _with_message(turn: Turn, message: Pending, more: Usage, *, new: bool) -> Turn:
    return Turn(
        counted=added(turn.counted, more),
        whole=added(turn.whole, more) if message.whole else turn.whole,
        messages=turn.messages + (new and message.complete),
        latest=turn.latest if message.recorded == NO_USAGE else message.recorded,
    )


def _corrected(ledger: Ledger, total: Usage, models: Map[Usage]) -> Usage:
    """Return a turn's total with the messages that its result left out, if the account shows it."""
    completed = added(total, ledger.turn.whole)
    if completed == total:
        return total
    since = (beyond(usage, ledger.models.get(name, NO_USAGE)) for name, usage in models.items())
    return completed if any(each == completed for each in since) else total


def _latest(turn: Turn, pending: Pending | None) -> Usage:
    """Return the best figures there are of a turn's last request."""
    if pending is None or pending.known == NO_USAGE:
        return turn.latest
    return pending.known if pending.recorded == NO_USAGE else pending.recorded


def _apart(rest: Usage, request: Usage) -> tuple[Usage, ...]:
    """Return what is left of a turn in two parts, the last request's at the end, if it fits."""
    if request == NO_USAGE or most(rest, request) != rest:
        request = rest
    return tuple(each for each in (beyond(rest, request), request) if each != NO_USAGE)
