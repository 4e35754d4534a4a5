"""A duplex session, one input at a time.

Rules of this file (sources/stream-json-and-acp.md 2.3-2.10):

- Before every input with a clock the deadlines are checked; one that passed stops the session.
- A session that is stopping accepts nothing and reads nothing, but its deadlines still run: one may
  yet turn a plain end into a failure. Who was accepted hears of the end when it is concluded.
- Whatever is accepted has its deadline and its count from the acceptance on, before it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refold.policies.duplex import controls, costs, deadlines, lifecycle, permissions, turns
from refold.policies.duplex.failures import Closed, IoFailed, LimitExceeded
from refold.policies.duplex.framer import Frame, Taken, end, take
from refold.policies.duplex.limits import start_counting, stop_counting
from refold.policies.duplex.session import (
    Decide,
    Duplex,
    DuplexConfig,
    DuplexInput,
    DuplexOutput,
    Interrupt,
    Prompt,
    Received,
    SessionEnded,
    StopProcess,
    Tick,
    Unwritten,
)
from refold.policies.duplex.session_frames import Stepped, expire, fail, frame
from refold.records import evolve

__all__ = ["STEPS", "next_wakeup_ms", "step"]


def step(config: DuplexConfig, session: Duplex, event: DuplexInput) -> Stepped:
    """Take one input.

    Args:
        config: what the session may use.
        session: its state before the input.
        event: what happened.
    """
    return STEPS[type(event)](config, session, event)


def next_wakeup_ms(session: Duplex) -> int | None:
    """Return when the clock has to be read again, in Unix ms; None if nothing can expire."""
    return deadlines.next_wakeup_ms(session.deadlines)


def _takes_input(session: Duplex) -> bool:
    return session.lifecycle.stop is None and lifecycle.is_alive(session.lifecycle)


def _ticked(session: Duplex, now_ms: int) -> tuple[Duplex, Stepped | None]:
    moved = deadlines.step(session.deadlines, deadlines.Ticked(now_ms=now_ms))
    if moved is not session.deadlines:
        session = evolve(session, deadlines=moved)
    return session, expire(session) if lifecycle.is_alive(session.lifecycle) else None


def _tick(_config: DuplexConfig, session: Duplex, event: Tick) -> Stepped:
    session, late = _ticked(session, event.now_ms)
    return (session, ()) if late is None else late


def _prompt(config: DuplexConfig, session: Duplex, event: Prompt) -> Stepped:
    session, late = _ticked(session, event.now_ms)
    refused = turns.PromptRefused(failure=Closed())
    if late is not None:
        return late[0], (*late[1], refused)
    if not _takes_input(session):
        return session, (refused,)
    over = costs.gate(config.costs, session.costs)
    if over is not None:
        return session, (turns.PromptRefused(failure=over),)
    return _sent(config, session, event)


def _sent(config: DuplexConfig, session: Duplex, event: Prompt) -> Stepped:
    send = turns.Send(text=event.text, now_ms=event.now_ms)
    begun, outputs = turns.step(session.turns, send)
    if begun is session.turns:
        return session, outputs
    started = deadlines.Started(
        key=deadlines.TURN, timeout_ms=config.turn_timeout_ms, now_ms=event.now_ms
    )
    open_deadlines = deadlines.step(session.deadlines, started)
    counter = start_counting(session.counter)
    return evolve(session, turns=begun, deadlines=open_deadlines, counter=counter), outputs


def _interrupt(config: DuplexConfig, session: Duplex, event: Interrupt) -> Stepped:
    session, late = _ticked(session, event.now_ms)
    refused = controls.ControlRefused(failure=Closed())
    if late is not None:
        return late[0], (*late[1], refused)
    if not _takes_input(session):
        return session, (refused,)
    asked, outputs = controls.step(session.controls, controls.Ask())
    started = deadlines.Started(
        key=asked.last, timeout_ms=config.control_timeout_ms, now_ms=event.now_ms
    )
    left, denied = permissions.step(
        config.permissions, session.permissions, permissions.TurnCancelled()
    )
    open_deadlines = deadlines.step(session.deadlines, started)
    moved = evolve(session, controls=asked, permissions=left, deadlines=open_deadlines)
    return moved, (*outputs, *denied)


def _decide(config: DuplexConfig, session: Duplex, event: Decide) -> Stepped:
    decided = permissions.Decided(request_id=event.request_id, decision=event.decision)
    left, outputs = permissions.step(config.permissions, session.permissions, decided)
    return evolve(session, permissions=left), outputs


def _unwritten(_config: DuplexConfig, session: Duplex, event: Unwritten) -> Stepped:
    if event.request_id is None:
        return _prompt_unwritten(session, event)
    number = session.controls.outstanding.get(event.request_id)
    told = controls.ControlUnwritten(request_id=event.request_id, failure=event.failure)
    left, outputs = controls.step(session.controls, told)
    if number is None:
        return session, outputs
    settled = deadlines.step(session.deadlines, deadlines.Settled(key=number))
    return evolve(session, controls=left, deadlines=settled), outputs


def _prompt_unwritten(session: Duplex, event: Unwritten) -> Stepped:
    idle, outputs = turns.step(session.turns, turns.WriteFailed(failure=event.failure))
    left = deadlines.step(session.deadlines, deadlines.Settled(key=deadlines.TURN))
    counter = stop_counting(session.counter)
    return evolve(session, turns=idle, deadlines=left, counter=counter), outputs


def _received(config: DuplexConfig, session: Duplex, event: Received) -> Stepped:
    session, late = _ticked(session, event.now_ms)
    if late is not None:
        return late
    outputs: list[DuplexOutput] = []
    start = 0
    while start < len(event.chunk) and _takes_input(session):
        taken = take(config.limits, session.framer, session.counter, event.chunk, start)
        start += taken.consumed
        session, told = _taken(config, session, taken)
        outputs.extend(told)
    return session, tuple(outputs)


def _taken(config: DuplexConfig, session: Duplex, taken: Taken) -> Stepped:
    session = evolve(session, framer=taken.framer, counter=taken.counter)
    found = taken.found
    if isinstance(found, Frame):
        return frame(config, session, found.text)
    if isinstance(found, LimitExceeded):
        return fail(session, found)
    return (session, ()) if found is None else _unreadable(session, found)


def _unreadable(session: Duplex, why: IoFailed) -> Stepped:
    failed = lifecycle.step(session.lifecycle, lifecycle.ReadFailed(message=why.message))
    return evolve(session, lifecycle=failed), (StopProcess(failure=why),)


def _input_ended(config: DuplexConfig, session: Duplex, event: lifecycle.InputEnded) -> Stepped:
    outputs: tuple[DuplexOutput, ...] = ()
    if _takes_input(session):
        taken = end(config.limits, session.framer, session.counter)
        session, outputs = _taken(config, session, taken)
    learned, _ = _learned(config, session, event)
    return learned, outputs


def _learned(_config: DuplexConfig, session: Duplex, event: lifecycle.LifecycleInput) -> Stepped:
    moved = lifecycle.step(session.lifecycle, event)
    if moved is session.lifecycle:
        return session, ()
    return evolve(session, lifecycle=moved), ()


def _concluded(config: DuplexConfig, session: Duplex, event: lifecycle.Concluded) -> Stepped:
    if not lifecycle.is_alive(session.lifecycle):
        return session, ()
    over = lifecycle.step(session.lifecycle, event)
    failure = lifecycle.accepted_failure(over)
    idle, turn = turns.step(session.turns, turns.Ended(failure=failure))
    quiet, told = controls.step(session.controls, controls.ControlsEnded(failure=failure))
    left, denied = permissions.step(
        config.permissions, session.permissions, permissions.PermissionsEnded()
    )
    ended = SessionEnded(status=over.status, failure=lifecycle.final_failure(over))
    moved = evolve(
        session,
        lifecycle=over,
        turns=idle,
        controls=quiet,
        permissions=left,
        deadlines=deadlines.DEADLINES,
    )
    return moved, (*turn, *told, *denied, ended)


STEPS: dict[type, Callable[[DuplexConfig, Duplex, Any], Stepped]] = {
    Prompt: _prompt,
    Interrupt: _interrupt,
    Decide: _decide,
    Unwritten: _unwritten,
    Received: _received,
    Tick: _tick,
    lifecycle.InputEnded: _input_ended,
    lifecycle.HostClosed: _learned,
    lifecycle.PolicyTripped: _learned,
    lifecycle.ReadFailed: _learned,
    lifecycle.StderrRead: _learned,
    lifecycle.StderrFailed: _learned,
    lifecycle.Reaped: _learned,
    lifecycle.NotReaped: _learned,
    lifecycle.Concluded: _concluded,
}
