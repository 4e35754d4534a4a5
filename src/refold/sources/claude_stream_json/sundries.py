"""Records that are neither conversation nor control.

Rules of this file (sources/stream-json-and-acp.md 1.4): what is known and shows nothing is in the
table; what isn't in it is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from refold.sources.claude_stream_json.knowledge import learn, notice
from refold.sources.claude_stream_json.state import Entry, State, Step
from refold.sources.fields import frozen, mapping

__all__ = ["SUNDRIES"]

Reader: TypeAlias = Callable[[State, Entry], Step]


def _rate_limits(state: State, entry: Entry) -> Step:
    return learn(state, entry, "rate_limits", frozen(mapping(entry.value.get("rate_limit_info"))))


def _reset(state: State, entry: Entry) -> Step:
    told = {"new_conversation_id": entry.value.get("new_conversation_id")}
    return state, notice(state, entry, "conversation_reset", None, frozen(told))


def _nothing(state: State, entry: Entry) -> Step:
    return state, ()


SUNDRIES: dict[str, Reader] = {
    "rate_limit_event": _rate_limits,
    "conversation_reset": _reset,
    "auth_status": _nothing,
    "keep_alive": _nothing,
    "prompt_suggestion": _nothing,
    "streamlined_text": _nothing,
    "tool_progress": _nothing,
    "tool_use_summary": _nothing,
    "transcript_mirror": _nothing,
}
