"""Where a fork's own part begins.

Rules of this file (census.md X3):

- A fork's file may begin with what its parent's holds, written again with times of the fork. That
  part is the parent's: none of its tokens are the fork's.
- Newer files say where the own part begins, by ordinal. With the parent at hand, its records tell:
  the first that isn't one of them is the fork's own. Without it, the times in the ids of turns do,
  which are not written again; and where there are none, the first pause: the copy is written in one
  go, a person and a model take their time.
- A record's identity is what it says, without its time: its kind, its ids, and how its text begins.
"""

from __future__ import annotations

import re
from typing import Any

from refold.records import evolve, positional, record
from refold.sources.codex.threads import Copy, Thread
from refold.sources.fields import mapping, text
from refold.sources.logs.values import compact, first, first_text, number
from refold.times import parse_ms
from refold.vectors import Vector

__all__ = ["Line", "begin_copy", "identity_of", "line_made", "still_copied"]

_PAUSE_MS = 2000
_AHEAD = 16
_SHOWN = 80
_UUID_7 = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_KINDS = "internal_chat_message_metadata_passthrough"
_TEXTS = ("message", "text", "arguments", "input", "output", "content", "summary", "info")


@record
class Line:
    """A record of a rollout.

    Args:
        kind: its type.
        payload: what it holds.
        timestamp: its time, if it has one.
        ordinal: its number, if it has one.
        metadata: what the record says about its payload.
    """

    kind: str
    payload: dict[str, Any]
    timestamp: str | None = None
    ordinal: int | None = None
    metadata: dict[str, Any]


line_made = positional(Line)


def identity_of(line: Line) -> str:
    """Return what is the same in a record and its copy."""
    payload = line.payload
    identity = first_text(payload, "call_id", "id", "turn_id") or ""
    told = first(payload, *_TEXTS)
    said = told if isinstance(told, str) else compact(told)
    return f"{line.kind} {text(payload.get('type'))} {identity} {len(said)} {said[:_SHOWN]}"


def begin_copy(line: Line) -> Copy | None:
    """Return the copy that a thread's first record announces, or None if it is no fork.

    Args:
        line: a ``session_meta``.
    """
    payload = line.payload
    parent = first_text(payload, "forked_from_id")
    if parent is None:
        return None
    return Copy(
        parent=parent,
        before=number(payload.get("forked_from_ordinal_exclusive")),
        forked_ms=parse_ms(first_text(payload, "timestamp") or line.timestamp),
        last_ms=parse_ms(line.timestamp),
    )


def still_copied(thread: Thread, line: Line, parent: Vector[str] | None) -> Thread:
    """Return the thread behind a record as far as copying goes: its ``copy`` is None if it is own.

    Args:
        thread: a thread whose copy lasts.
        line: the record.
        parent: the identities of the parent's records, if the parent is at hand.
    """
    copy = thread.copy
    assert copy is not None
    if copy.before is not None and line.ordinal is not None:
        return thread if line.ordinal < copy.before else evolve(thread, copy=None)
    if parent is not None:
        return evolve(thread, copy=_matched(copy, line, parent))
    now_ms = parse_ms(line.timestamp)
    if _is_own(copy, _turn_ms(line.payload), now_ms):
        return evolve(thread, copy=None)
    known = [each for each in (copy.last_ms, now_ms) if each is not None]
    return evolve(thread, copy=evolve(copy, last_ms=max(known, default=None)))


def _is_own(copy: Copy, turn_ms: int | None, now_ms: int | None) -> bool:
    if turn_ms is not None and copy.forked_ms is not None:
        return turn_ms >= copy.forked_ms
    if now_ms is None or copy.last_ms is None:
        return False
    return now_ms - copy.last_ms > _PAUSE_MS


def _matched(copy: Copy, line: Line, parent: Vector[str]) -> Copy | None:
    sought = identity_of(line)
    for at in range(copy.cursor, min(copy.cursor + _AHEAD, parent.slots)):
        if parent.at(at) == sought:
            return evolve(copy, cursor=at + 1)
    return copy if line.kind == "session_meta" else None


def _turn_ms(payload: dict[str, Any]) -> int | None:
    """Return the time in a turn's id, which is a UUID of version 7, in Unix ms."""
    turn = first_text(payload, "turn_id") or first_text(mapping(payload.get(_KINDS)), "turn_id")
    timed = _UUID_7.fullmatch(turn or "")
    return None if timed is None else int(timed[1] + timed[2], 16)
