"""Telling a headless or duplex run by its first records.

Rules of this file (sources/README.md, "Formats"):

- One record that only such a run has is enough; one that only a transcript has is one too many.
- Wrapped records and arrays of records count as what they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refold.sources.claude_stream_json.unwrapping import plain

__all__ = ["recognises"]

_TRANSCRIPT = ("parentUuid", "isSidechain", "sessionId", "leafUuid")
_OWN = frozenset({"stream_event", "control_request", "control_response", "control_cancel_request"})
_RESULT = ("subtype", "total_cost_usd", "num_turns", "duration_ms", "is_error")
_LANE = ("parent_tool_use_id", "session_id")


def recognises(values: Sequence[Any]) -> bool:
    """Tell whether the first records are of a headless or duplex run.

    Args:
        values: plain JSON data, up to some dozens of records.
    """
    found = [plain(each) for value in values for each in _each(value)]
    records = [each for each in found if each is not None]
    if any(name in each for each in records for name in _TRANSCRIPT):
        return False
    return any(_is_own(each) for each in records)


def _each(value: Any) -> list[Any]:
    return value[:64] if isinstance(value, list) else [value]


def _is_own(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if kind in _OWN:
        return any(isinstance(value.get(each), dict) for each in ("event", "request", "response"))
    if kind in ("assistant", "user"):
        spoken = isinstance(value.get("message"), dict)
        return spoken and any(name in value for name in _LANE)
    if kind == "system":
        return isinstance(value.get("subtype"), str) and "session_id" in value
    return kind == "result" and sum(name in value for name in _RESULT) > 1
