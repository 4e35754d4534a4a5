"""Records of a rollout, of every version.

Rules of this file (census.md X4, X5, X12):

- Since autumn 2025 a record is ``{timestamp, type, payload}``, lately with an ordinal. Before, the
  model's items stood bare behind a header of ``{id, timestamp, instructions}``, without times.
- A header that is repeated is the same thread; one of another thread begins that one, but for the
  parent's own, which a fork repeats.
- Where a thread runs and on what model, it says again every turn: only news are said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.records import evolve, evolver
from refold.sources.codex.copies import Line, begin_copy, identity_of, line_made, still_copied
from refold.sources.codex.events import take_event
from refold.sources.codex.knowledge import compacted, learn
from refold.sources.codex.response_items import RESPONSE_ITEMS, take_response_item
from refold.sources.codex.state import State, known_as, on_thread, opened, thread_of
from refold.sources.codex.threads import Thread
from refold.sources.codex.tokens import token_counts
from refold.sources.fields import mapping, name, text
from refold.sources.logs.clocks import absolute
from refold.sources.logs.spots import Spot, spot_at
from refold.sources.logs.values import first_text, number
from refold.sources.tally import unknown

__all__ = ["ROLLOUT", "line_of", "take_line"]

Taker: TypeAlias = Callable[[Thread, Line, Spot], Thread]

_with_records = evolver(Thread, "records")


def line_of(value: dict[str, Any]) -> Line | None:
    """Return a record as a rollout's line, or None if it is none.

    Args:
        value: the record.
    """
    kind, payload = text(value.get("type")), value.get("payload")
    timestamp = absolute(value.get("timestamp"))
    if isinstance(payload, dict):
        ordinal = number(value.get("ordinal"))
        return line_made(kind, payload, timestamp, ordinal, mapping(value.get("metadata")))
    if "record_type" in value:
        return Line(kind="record_state", payload=value, metadata={})
    if kind in RESPONSE_ITEMS:
        return Line(kind="response_item", payload=value, timestamp=timestamp, metadata={})
    if not kind and name(value.get("id")) and "instructions" in value:
        return Line(kind="session_meta", payload=value, timestamp=timestamp, metadata={})
    return None


def take_line(state: State, line: Line, lane: str | None, number_in_file: int | None) -> State:
    """Take a line.

    Args:
        state: the records so far.
        line: the line.
        lane: the reader's lane.
        number_in_file: which line it is, 1-based.
    """
    spot = spot_at(line.timestamp, number_in_file)
    if line.kind == "session_meta":
        return _header(state, line, lane, spot)
    thread = thread_of(state, lane)
    if thread.copy is not None:
        parent = state.threads.get(thread.copy.parent)
        thread = still_copied(thread, line, None if parent is None else parent.records)
    thread = _remembered(thread, line)
    taker = ROLLOUT.get(line.kind)
    if taker is None:
        state = evolve(state, tally=unknown(state.tally, "record", line.kind))
        return on_thread(state, thread, lambda same: same)
    return on_thread(state, thread, lambda each: taker(each, line, spot))


def _remembered(thread: Thread, line: Line) -> Thread:
    return _with_records(thread, thread.records.append(identity_of(line)))


def _header(state: State, line: Line, lane: str | None, spot: Spot) -> State:
    payload = line.payload
    identity = first_text(payload, "id", "session_id") or ""
    thread = thread_of(state, lane)
    if thread.copy is not None and identity != thread.id:
        return on_thread(state, _remembered(thread, line), lambda same: same)
    source = mapping(mapping(payload.get("source")).get("subagent"))
    spawn = mapping(source.get("thread_spawn"))
    parent = first_text(payload, "parent_thread_id", "forked_from_id")
    parent = first_text(spawn, "parent_thread_id") or parent
    is_new = identity not in state.threads
    state = opened(state, identity, lane, parent)
    thread = state.threads[identity]
    if is_new:
        copy = begin_copy(line)
        hidden = copy is not None and copy.parent in state.threads
        kind = "subagent" if source or payload.get("thread_source") == "subagent" else None
        thread = evolve(thread, copy=copy, hidden=hidden, forked=copy is not None, source=kind)
    _, call = state.spawned.get(identity, (None, None))
    return on_thread(state, thread, lambda each: _introduced(each, line, call, spot))


def _introduced(thread: Thread, line: Line, call: str | None, spot: Spot) -> Thread:
    payload = line.payload
    instructions = first_text(mapping(payload.get("base_instructions")), "text")
    copying, quiet = thread.copy, evolve(thread, copy=None)
    quiet = known_as(
        _remembered(quiet, line),
        Spot(timestamp=line.timestamp or absolute(payload.get("timestamp")), line=spot.line),
        parent_call=call,
        provider=first_text(payload, "model_provider"),
        workspace=first_text(payload, "cwd"),
        system_prompt=instructions or first_text(payload, "instructions"),
    )
    nickname = first_text(payload, "agent_nickname")
    if nickname is not None:
        quiet = learn(quiet, "agent_name", nickname, spot)
    return quiet if copying is None else evolve(quiet, copy=copying)


def _context(thread: Thread, line: Line, spot: Spot) -> Thread:
    payload = line.payload
    model = first_text(payload, "model")
    thread = known_as(thread, spot, model_id=model, workspace=first_text(payload, "cwd"))
    return thread if model is None else learn(thread, "model", model, spot)


def _response_item(thread: Thread, line: Line, spot: Spot) -> Thread:
    return take_response_item(thread, line.payload, spot, line.metadata)


def _event(thread: Thread, line: Line, spot: Spot) -> Thread:
    return take_event(thread, line.payload, spot)


def _compacted(thread: Thread, line: Line, spot: Spot) -> Thread:
    return compacted(thread, "response", text(line.payload.get("message")), spot)


def _usage(thread: Thread, line: Line, spot: Spot) -> Thread:
    payload = line.payload
    return token_counts(thread, payload.get("thread_token_usage"), payload.get("usage"), spot)


def _silent(thread: Thread, line: Line, spot: Spot) -> Thread:
    return thread


ROLLOUT: dict[str, Taker] = {
    "turn_context": _context,
    "response_item": _response_item,
    "event_msg": _event,
    "compacted": _compacted,
    "token_usage_record": _usage,
    "world_state": _silent,
    "inter_agent_communication_metadata": _silent,
    "record_state": _silent,
}
