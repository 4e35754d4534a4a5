"""Compactions of the main conversation.

Rules of this file (sources/stream-json-and-acp.md 1.4, 7.2):

- A status says that one begins; its boundary says that it is done, and why it was made. A boundary
  alone is both.
- One that never gets its boundary is over when the model speaks or the turn ends: broken off.
"""

from __future__ import annotations

from refold.messages import CompactionBegin, CompactionEnd
from refold.records import evolve
from refold.sources.anthropic_blocks import count
from refold.sources.claude_stream_json.lanes import said
from refold.sources.claude_stream_json.state import Entry, State, Step
from refold.sources.drafts import Draft
from refold.sources.fields import mapping, name

__all__ = ["boundary", "broken_off", "compaction_begun", "compaction_failed"]

_MODE = "summarize"


def compaction_begun(state: State, entry: Entry) -> Step:
    """Begin a compaction, unless one runs."""
    if state.run.compacting is not None:
        return state, ()
    reason = "manual" if state.run.compact_asked else "context"
    return _begun(state, entry, reason, 0)


def boundary(state: State, entry: Entry) -> Step:
    """Complete a compaction, beginning it if nothing has."""
    told = mapping(entry.value.get("compact_metadata"))
    drafts: tuple[Draft, ...] = ()
    if state.run.compacting is None:
        reason = "manual" if name(told.get("trigger")) == "manual" else "context"
        state, drafts = _begun(state, entry, reason, count(told.get("pre_tokens")))
    state, end = _ended(state, entry, "completed", None)
    return state, (*drafts, *end)


def compaction_failed(state: State, entry: Entry, message: str | None) -> Step:
    """End a compaction that failed, if one runs."""
    return _ended(state, entry, "failed", message)


def broken_off(state: State, entry: Entry) -> Step:
    """End a compaction that never got its boundary, if one runs."""
    return _ended(state, entry, "aborted", None)


def _begun(state: State, entry: Entry, reason: str, context: int) -> Step:
    state = evolve(state, run=evolve(state.run, compacting=reason))
    begin = CompactionBegin(reason=reason, mode=_MODE, context=context, turns=0)
    return state, said(entry, state.main, begin)


def _ended(state: State, entry: Entry, status: str, message: str | None) -> Step:
    reason = state.run.compacting
    if reason is None:
        return state, ()
    state = evolve(state, run=evolve(state.run, compacting=None, compact_asked=False))
    end = CompactionEnd(reason=reason, mode=_MODE, status=status, error_message=message)
    return state, said(entry, state.main, end)
