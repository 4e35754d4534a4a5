"""Status edges: when a turn starts to run, and how it stops.

Rules of this file (sources/claude-code.md 4.1, G1, G5, G25):

- A turn announces itself once, by the first thing the assistant says or does in it. A turn that
  only a slash or shell command opened never does, for no stop hook will close it.
- ``Stop`` ends a turn: ``idle``, or ``waiting`` while background tasks live, with their count.
  ``StopFailure`` is ``failed``, without one. A subagent's hooks are not the session's.
- An interrupt fires no hook, so the transcript's abort ends the turn too.
- A stop names the turn that was announced last and has not ended. One recorded before the current
  prompt names the turn before that prompt, however late it is read, and never the new one.
- What isn't known is absent: an edge without a count says nothing about background tasks.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.boundaries import starts_task
from refold.json_values import Json, JsonObject
from refold.messages import Abort, Message
from refold.records import evolve, evolver, record
from refold.sources.claude_hooks import turns
from refold.sources.claude_hooks.hooks import Hook
from refold.sources.claude_hooks.turns import Turns, is_answer
from refold.times import parse_ms

__all__ = ["Edge", "GaveUp", "State", "Status", "step", "to_json"]

State: TypeAlias = Literal["running", "idle", "waiting", "failed"]


@record
class Edge:
    """A change of what the session is doing.

    Args:
        state: what it is doing now.
        turn: the turn this is about, if it is known.
        background: how many background tasks live, if that was told.
        reason: why, in words.
        at_ms: when, Unix ms, if the record had a time.
    """

    state: State
    turn: str | None = None
    background: int | None = None
    reason: str | None = None
    at_ms: int | None = None


@record
class GaveUp:
    """A forwarder gave up on delivering something (``policies.outboxes``)."""

    reason: str
    turn: str | None = None


@record
class Status:
    """What edges depend on.

    Args:
        waits: whether live background tasks make a stop ``waiting`` rather than ``idle``.
        turns: the open turn of the main lane.
        announced: the turn that was announced last.
        running: that turn, until it ends or the next prompt comes.
        previous: a turn from before the current prompt whose end has not been seen.
        asked_ms: when the current prompt was written, Unix ms.
    """

    waits: bool = True
    turns: Turns = Turns()
    announced: str | None = None
    running: str | None = None
    previous: str | None = None
    asked_ms: int | None = None


def step(status: Status, event: Message | Hook | GaveUp) -> tuple[Status, tuple[Edge, ...]]:
    """Take an event; return the edges, which belong in front of what the event itself shows.

    Args:
        status: the state before.
        event: a message of the transcript, a hook, or a delivery that was given up.
    """
    match event:
        case Message():
            return _told(status, event)
        case Hook():
            return _hooked(status, event)
        case GaveUp(reason=reason, turn=turn):
            return status, (Edge(state="failed", turn=turn, reason=reason),)


def to_json(edge: Edge) -> JsonObject:
    """Return an edge as JSON; what is absent has no key."""
    entries: dict[str, Json] = {
        "state": edge.state,
        "turn": edge.turn,
        "background": edge.background,
        "reason": edge.reason,
        "at_ms": edge.at_ms,
    }
    return JsonObject({name: value for name, value in entries.items() if value is not None})


def _told(status: Status, message: Message) -> tuple[Status, tuple[Edge, ...]]:
    if message.origin:
        return status, ()
    if type(message.payload) is Abort:
        return _aborted(_turned(status, message), message.payload.reason)
    if starts_task(status.turns.boundary, message.payload):
        return _asked(_turned(status, message), parse_ms(message.timestamp)), ()
    following, turn = turns.step(status.turns, message)
    after = status if following is status.turns else _with_turns(status, following)
    if turn is None or turn == status.announced or not is_answer(message):
        return after, ()
    previous = status.running or status.previous
    announced = evolve(after, announced=turn, running=turn, previous=previous)
    return announced, (Edge(state="running", turn=turn),)


def _turned(status: Status, message: Message) -> Status:
    following, _ = turns.step(status.turns, message)
    return _with_turns(status, following)


def _asked(status: Status, at_ms: int | None) -> Status:
    previous = status.running or status.previous
    return evolve(status, running=None, previous=previous, asked_ms=at_ms)


def _aborted(status: Status, reason: str | None) -> tuple[Status, tuple[Edge, ...]]:
    turn = status.running or status.previous
    if turn is None:
        return status, ()
    ended = evolve(status, running=None, previous=None)
    return ended, (Edge(state="idle", turn=turn, reason=reason),)


def _hooked(status: Status, hook: Hook) -> tuple[Status, tuple[Edge, ...]]:
    if hook.agent or hook.event not in ("Stop", "StopFailure"):
        return status, ()
    after, turn = _ended(status, hook.at_ms)
    if hook.event == "StopFailure":
        return after, (Edge(state="failed", turn=turn, at_ms=hook.at_ms),)
    state: State = "waiting" if status.waits and hook.background else "idle"
    edge = Edge(state=state, turn=turn, background=hook.background, at_ms=hook.at_ms)
    return after, (edge,)


def _ended(status: Status, at_ms: int | None) -> tuple[Status, str | None]:
    is_late = at_ms is not None and status.asked_ms is not None and at_ms < status.asked_ms
    if status.running is not None and not is_late:
        return evolve(status, running=None), status.running
    if status.previous is None:
        return status, None
    return evolve(status, previous=None), status.previous


_with_turns = evolver(Status, "turns")
