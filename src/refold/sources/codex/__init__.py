"""Codex: what it keeps (rollouts), and what it says while it runs (``exec --json``, the app server).

Rules of this file:

- One source for the three: they tell the same threads, and a record of one can't be taken for
  another's. Rooms behind it: ``rollouts``, ``exec_events``, ``app_server``; behind these, what is
  said (``talk``), done (``calls``) and used (``tokens``).
- ``observed_ms`` is not used: a time the record doesn't give is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refold.messages import Message
from refold.records import evolve, evolver
from refold.sources.codex.app_server import is_app_message, take_app_message
from refold.sources.codex.events import EVENTS
from refold.sources.codex.exec_events import is_exec_event, take_exec_event
from refold.sources.codex.rollouts import ROLLOUT, line_of, take_line
from refold.sources.codex.state import FORMAT, State, on_thread
from refold.sources.codex.streams import left_open
from refold.sources.codex.talk import settled_thought
from refold.sources.fields import mapping, text
from refold.sources.logs.clocks import prefixed, started
from refold.sources.logs.lines import NO_LOG, Entry, Noise, read_entry
from refold.sources.logs.spots import NOWHERE, Spot
from refold.sources.source import Record, Source
from refold.sources.tally import counted, totals

__all__ = ["SOURCE", "State"]

_with_out = evolver(State, "out")


def _recognises(values: Sequence[Any]) -> bool:
    """Tell whether the first records hold one that only Codex writes."""
    log = NO_LOG
    for value in values:
        log, found = read_entry(log, value, None)
        if isinstance(found, Entry) and _is_own(found.value):
            return True
    return False


def _is_own(value: dict[str, Any]) -> bool:
    kind, payload = value.get("type"), value.get("payload")
    if isinstance(payload, dict):
        own_event = kind == "event_msg" and text(payload.get("type")) in EVENTS
        own_header = kind == "session_meta" and isinstance(payload.get("id"), str)
        return own_event or own_header or (isinstance(kind, str) and kind in _OWN_KINDS)
    if "record_type" in value or _is_of_app_server(value):
        return True
    if isinstance(kind, str) and kind.startswith(("thread.", "turn.", "item.")):
        return is_exec_event(value)
    return not kind and "instructions" in value and isinstance(value.get("id"), str)


def _is_of_app_server(value: dict[str, Any]) -> bool:
    method, result = text(value.get("method")), mapping(value.get("result"))
    return method.startswith(_OWN_METHODS) or isinstance(result.get("codexHome"), str)


_OWN_METHODS = ("item/", "remoteControl/", "thread/", "turn/")
_OWN_KINDS = frozenset(ROLLOUT) - {"event_msg"}


def _step(
    state: State, record: Record, observed_ms: int | None
) -> tuple[State, tuple[Message, ...]]:
    log, found = read_entry(state.log, record.value, record.line)
    state = state if log is state.log else evolve(state, log=log)
    if isinstance(found, Noise):
        return _noted(state, found), ()
    if found is None:
        return state, ()
    state = _taken(state, found, record.lane)
    return (_with_out(state, ()), state.out) if state.out else (state, ())


def _taken(state: State, entry: Entry, lane: str | None) -> State:
    value = entry.value
    line = line_of(value)
    if line is not None:
        return take_line(state, line, lane, entry.line)
    spot = Spot(timestamp=prefixed(entry.prefix, state.start_ms), line=entry.line)
    if is_exec_event(value):
        return take_exec_event(state, value, lane, spot)
    if is_app_message(value):
        return take_app_message(state, value, lane, spot)
    return evolve(state, tally=counted(state.tally, "no record"))


def _noted(state: State, noise: Noise) -> State:
    start_ms = started(noise.text)
    if start_ms is not None:
        return evolve(state, start_ms=start_ms)
    return evolve(state, tally=counted(state.tally, noise.reason))


def _finish(state: State) -> tuple[Message, ...]:
    for thread in state.threads.values():
        state = on_thread(
            state, thread, lambda each: settled_thought(left_open(each, NOWHERE, "aborted"))
        )
    return state.out


SOURCE = Source(
    name=FORMAT,
    recognises=_recognises,
    start=State,
    step=_step,
    finish=_finish,
    counts=lambda state: totals(state.tally),
)
