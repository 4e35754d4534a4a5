"""All that is known of the records so far.

Rules of this file:

- The first thread is the main one; any other is nested under the one that started it, if that is
  known, else under the main one. A file (a lane of the reader) is one thread at a time.
- ``on_thread`` is the one way a record gets at a thread, and what the thread says is stamped there.
"""

from __future__ import annotations

from collections.abc import Callable

from refold.maps import EMPTY_MAP, Map
from refold.messages import Message, SessionMeta
from refold.records import evolve, evolver, record
from refold.sources.codex.threads import Thread, say
from refold.sources.logs.lines import NO_LOG, Log
from refold.sources.logs.spots import Sketch, Spot, stamped
from refold.sources.tally import NOTHING_COUNTED, Tally, counted

__all__ = ["FORMAT", "State", "Thread", "known_as", "on_thread", "opened", "thread_of"]

FORMAT = "codex"

_DEEPEST = 32
_KNOWN = ("fact", "session_meta")


@record
class State:
    """The records so far.

    Args:
        log: an object whose lines are still coming.
        start_ms: when the log started, in Unix ms, if it says so.
        threads: by id.
        main: the id of the main one; None before any.
        current: the id of the thread a lane is at, by lane.
        spawned: the thread and call that started a thread, by its id.
        asked: the item an approval was asked for, by the id of the question.
        tally: what was not understood.
        out: messages of the record at hand.
    """

    log: Log = NO_LOG
    start_ms: int | None = None
    threads: Map[Thread] = EMPTY_MAP
    main: str | None = None
    current: Map[str] = EMPTY_MAP
    spawned: Map[tuple[str, str | None]] = EMPTY_MAP
    asked: Map[str] = EMPTY_MAP
    tally: Tally = NOTHING_COUNTED
    out: tuple[Message, ...] = ()


_drained = evolver(State, "threads", "main", "spawned", "tally", "out")
_quiet = evolver(Thread, "said", "oddities")


def thread_of(state: State, lane: str | None) -> Thread:
    """Return the thread that a lane is at, a nameless one before it has any."""
    identity = state.current.get(lane or "", state.main or "")
    return state.threads.get(identity) or Thread(id=identity)


def opened(state: State, identity: str, lane: str | None, parent: str | None) -> State:
    """Return the state with a lane at a thread, made if it is new.

    What was said before any thread was named is the first one's.

    Args:
        state: the records so far.
        identity: the thread's id.
        lane: the reader's lane.
        parent: the thread that started it, if it is said.
    """
    state = evolve(state, current=state.current.put(lane or "", identity))
    if identity in state.threads:
        return state
    if not state.main:
        nameless = state.threads.get("") or Thread(id=identity)
        thread = evolve(nameless, id=identity)
        return evolve(state, main=identity, threads=state.threads.put(identity, thread))
    above, _ = state.spawned.get(identity, (parent or state.main, None))
    over = state.threads.get(above) or state.threads[state.main]
    deep = len(over.origin) >= _DEEPEST
    origin = (identity,) if deep else (*over.origin, identity)
    return evolve(state, threads=state.threads.put(identity, Thread(id=identity, origin=origin)))


def known_as(
    thread: Thread, spot: Spot, *, parent_call: str | None = None, **told: str | int | None
) -> Thread:
    """Return the thread with what it runs on said, if that is news.

    Args:
        thread: the session.
        spot: where that was said.
        parent_call: the call that started it, if it is known.
        told: ``provider``, ``model_id``, ``model_context_window``, ``system_prompt``, ``workspace``.
    """
    before = thread.meta or _unknown(thread)
    known = {name: value for name, value in told.items() if value}
    call = before.parent_tool_call_id or parent_call
    meta = evolve(before, **known, source=thread.source, parent_tool_call_id=call)
    if meta == thread.meta:
        return thread
    return say(evolve(thread, meta=meta), meta, spot)


def on_thread(state: State, thread: Thread, take: Callable[[Thread], Thread]) -> State:
    """Return the state with a thread changed and what it said taken out.

    Args:
        state: the records so far.
        thread: the thread.
        take: what to do with it.
    """
    thread = take(thread)
    messages = stamped(_to_say(thread), source=FORMAT, lane=thread.id or None, origin=thread.origin)
    tally = state.tally
    for oddity in thread.oddities:
        tally = counted(tally, oddity)
    return _drained(
        state,
        state.threads.put(
            thread.id, _quiet(thread, (), ()) if thread.said or thread.oddities else thread
        ),
        thread.id if state.main is None else state.main,
        _spawned(state.spawned, thread),
        tally,
        (*state.out, *messages),
    )


def _to_say(thread: Thread) -> tuple[Sketch, ...]:
    """Return what a thread says; of what its parent has shown already, only what is known of it."""
    if not thread.hidden or thread.copy is None:
        return thread.said
    return tuple([each for each in thread.said if each.payload.kind in _KNOWN])


def _spawned(spawned: Map[tuple[str, str | None]], thread: Thread) -> Map[tuple[str, str | None]]:
    for sketch in thread.said:
        if sketch.payload.kind == "subagent" and sketch.payload.session_id not in spawned:
            spawned = spawned.put(sketch.payload.session_id, (thread.id, sketch.id))
    return spawned


def _unknown(thread: Thread) -> SessionMeta:
    return SessionMeta(
        session_id=thread.id,
        provider="",
        model_id="",
        model_context_window=0,
        system_prompt="",
        agent_state="",
        workspace="",
    )
