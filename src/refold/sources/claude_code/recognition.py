"""Telling a transcript from other formats by its first records.

Rules of this file:

- A record of a transcript is told by fields no other format writes: a parent uuid, a session id in
  camel case beside a type, a snapshot or a title that points at a record.
- The headless stream shares types and messages with transcripts, but spells its ids in snake case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refold.sources.claude_code.fields import dict_at, string
from refold.sources.claude_code.reading import RECORD_TYPES

__all__ = ["recognises"]

_STREAMED = ("session_id", "parent_tool_use_id")


def recognises(records: Sequence[Any]) -> bool:
    """Tell whether the first records of a file are a transcript's.

    Args:
        records: plain JSON data, up to some dozens.
    """
    return any(_is_transcript(each) for each in records if type(each) is dict)


def _is_transcript(record: dict[str, Any]) -> bool:
    kind = string(record, "type")
    if kind not in RECORD_TYPES:
        return False
    if "parentUuid" in record or string(record, "sessionId") is not None:
        return True
    if kind in ("file-history-snapshot", "summary"):
        return "messageId" in record or "leafUuid" in record
    if kind == "attachment":
        return bool(dict_at(record, "attachment"))
    speaks = kind in ("user", "assistant") and bool(dict_at(record, "message"))
    return speaks and not any(name in record for name in _STREAMED)
