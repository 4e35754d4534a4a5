"""The Agent Client Protocol, as its wire is logged.

Rules of this file:

- The source is four functions over one state (``sources/source.py``); rooms before it: ``frames``
  (envelopes), ``requests`` (ids), ``sessions`` (lanes), ``updates`` and ``turns`` (what is said).
- ``observed_ms`` is not used: a time the log doesn't give is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refold.messages import Message
from refold.records import evolve, evolver
from refold.sources.acp.frames import Frame, frame_of
from refold.sources.acp.routing import METHODS, take_frame
from refold.sources.acp.state import FORMAT, State, drained
from refold.sources.acp.turns import close
from refold.sources.acp.updates import UPDATES
from refold.sources.fields import mapping, text
from refold.sources.logs.clocks import started
from refold.sources.logs.lines import NO_LOG, Entry, Noise, read_entry
from refold.sources.logs.spots import NOWHERE
from refold.sources.source import Record, Source
from refold.sources.tally import counted, totals

__all__ = ["SOURCE", "State"]

_with_out = evolver(State, "out")


def _recognises(values: Sequence[Any]) -> bool:
    """Tell whether the first records hold a message that only this protocol has."""
    log = NO_LOG
    for value in values:
        log, found = read_entry(log, value, None)
        frame = frame_of(found, None) if isinstance(found, Entry) else None
        if frame is not None and _is_own(frame):
            return True
    return '"sessionUpdate"' in str(log.text)


def _is_own(frame: Frame) -> bool:
    method, params = text(frame.message.get("method")), mapping(frame.message.get("params"))
    if method == "initialize":
        return type(params.get("protocolVersion")) is int
    if method == "session/update":
        update = params if "sessionUpdate" in params else mapping(params.get("update"))
        return text(update.get("sessionUpdate")) in UPDATES
    return method in METHODS or "stopReason" in mapping(frame.message.get("result"))


def _step(
    state: State, record: Record, observed_ms: int | None
) -> tuple[State, tuple[Message, ...]]:
    log, found = read_entry(state.log, record.value, record.line)
    state = state if log is state.log else evolve(state, log=log)
    if isinstance(found, Noise):
        return _noted(state, found), ()
    if found is None:
        return state, ()
    frame = frame_of(found, state.start_ms)
    if frame is None:
        return evolve(state, tally=counted(state.tally, "no message")), ()
    state = take_frame(state, frame)
    return (_with_out(state, ()), state.out) if state.out else (state, ())


def _noted(state: State, noise: Noise) -> State:
    start_ms = started(noise.text)
    if start_ms is not None:
        return evolve(state, start_ms=start_ms)
    return evolve(state, tally=counted(state.tally, noise.reason))


def _finish(state: State) -> tuple[Message, ...]:
    for key, lane in state.sessions.lanes.items():
        state = drained(state, key, close(lane, NOWHERE), state.sessions.last)
    return state.out


SOURCE = Source(
    name=FORMAT,
    recognises=_recognises,
    start=State,
    step=_step,
    finish=_finish,
    counts=lambda state: totals(state.tally),
)
