"""Where a reader of a growing file of lines stands, and whether it still may stand there.

Rules of this file (sources/claude-code.md 6.1, 6.2, 2.8, G19):

- A cursor is a byte offset behind whole lines, with a fingerprint of the bytes in front of it. Only
  whole lines are read: a half-written one stays for later.
- A file that is shorter than the cursor, or holds other bytes in front of it, was replaced. Its
  content is never replayed: the cursor goes to its end, and what was handled stays handled.
- A cursor that has read nothing adopts the file it finds. A missing file changes nothing.
- Where to start is asked once per file: at its end, at a length measured before, or at 0.
- Nothing here reads a file; ``probes`` says what the caller has to see of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from refold.policies.probes import Probe, fingerprint, offset_of_line, window
from refold.records import evolve, record

__all__ = [
    "MOST_HANDLED",
    "Cursor",
    "Verdict",
    "advanced",
    "begun",
    "fresh",
    "from_json",
    "handled",
    "migrated",
    "to_json",
    "validated",
]

MOST_HANDLED = 2000

Verdict: TypeAlias = Literal["same", "missing", "adopted", "stale"]


@record
class Cursor:
    """Where a reader stands in one file.

    Args:
        path: the file.
        offset: how many bytes were read; None in an old cursor that only counted lines.
        line: how many lines were read since the file was begun or last found replaced.
        fingerprint: of the offset and the bytes in front of it; None if the file wasn't there.
        turn: the turn that was open there, if any.
        handled: ids of what needs no delivery any more, the newest last, ``MOST_HANDLED`` at most.
    """

    path: str
    offset: int | None = 0
    line: int = 0
    fingerprint: str | None = None
    turn: str | None = None
    handled: tuple[str, ...] = ()


def begun(
    path: str, found: Probe | None, *, at_end: bool = False, measured: int | None = None
) -> Cursor:
    """Return the cursor for a file that none stands in yet.

    Args:
        path: the file.
        found: what it holds, probed at ``measured`` or at 0; None if it isn't there yet.
        at_end: whether what it holds already is to be left out.
        measured: how many bytes it held when that was decided. This is believed before the end of
            now, in front of which somebody may have written meanwhile.
    """
    if found is None:
        return Cursor(path=path)
    if measured is not None and 0 <= measured < found.end:
        mark = fingerprint(measured, found.before)
        return Cursor(path=path, offset=measured, fingerprint=mark)
    if at_end or measured is not None:
        return _at_end(Cursor(path=path), found)
    return Cursor(path=path, fingerprint=fingerprint(0, b""))


def validated(
    cursor: Cursor, found: Probe | None, *, stale: Literal["end", "start"] = "end"
) -> tuple[Cursor, Verdict]:
    """Return the cursor to read on from, and what was found of it.

    Args:
        cursor: where the reader stands; one with an offset (``migrated``).
        found: what the file holds; None if it isn't there.
        stale: where a reader of a replaced file goes. ``start`` reads all of it, as the older
            forwarder did with hook and delta logs; then what must happen once has to know so.
    """
    if found is None or cursor.offset is None:
        return cursor, "missing"
    if cursor.offset <= found.size:
        now = fingerprint(cursor.offset, found.before)
        if cursor.fingerprint == now:
            return cursor, "same"
        if cursor.fingerprint is None and cursor.offset == 0 and cursor.line == 0:
            return evolve(cursor, fingerprint=now), "adopted"
    if stale == "start":
        mark = fingerprint(0, b"")
        return evolve(cursor, offset=0, line=0, fingerprint=mark, turn=None), "stale"
    return _at_end(cursor, found), "stale"


def migrated(cursor: Cursor, content: bytes) -> Cursor:
    """Return an old cursor that only counted lines as one with an offset.

    Args:
        cursor: any cursor; one that has an offset is returned as it is.
        content: all bytes of its file.
    """
    if cursor.offset is not None:
        return cursor
    offset = offset_of_line(content, cursor.line)
    return evolve(cursor, offset=offset, fingerprint=fingerprint(offset, content[window(offset)]))


def advanced(
    cursor: Cursor, offset: int, before: bytes, *, lines: int, turn: str | None = None
) -> Cursor:
    """Return the cursor behind what was read.

    Args:
        cursor: where the reader stood.
        offset: the offset behind the last line it read.
        before: the bytes that ``window`` names for that offset.
        lines: how many lines it read.
        turn: the turn that is open there.
    """
    return evolve(
        cursor,
        offset=offset,
        line=cursor.line + lines,
        fingerprint=fingerprint(offset, before),
        turn=turn,
    )


def handled(cursor: Cursor, ids: Iterable[str]) -> Cursor:
    """Return the cursor knowing of more ids that need no delivery any more."""
    known = dict.fromkeys((*cursor.handled, *ids))
    kept = tuple(known)[-MOST_HANDLED:]
    return cursor if kept == cursor.handled else evolve(cursor, handled=kept)


def fresh(cursor: Cursor, ids: Iterable[str]) -> tuple[str, ...]:
    """Return, in order and once each, the ids that the cursor doesn't know as handled."""
    known = frozenset(cursor.handled)
    return tuple(each for each in dict.fromkeys(ids) if each not in known)


def to_json(cursor: Cursor) -> dict[str, Any]:
    """Return a cursor as plain JSON data; what is unset has no key."""
    entry: dict[str, Any] = {
        "path": cursor.path,
        "offset": cursor.offset,
        "line": cursor.line,
        "fingerprint": cursor.fingerprint,
        "turn": cursor.turn,
        "handled": list(cursor.handled),
    }
    return {name: value for name, value in entry.items() if value is not None}


def from_json(value: Any, path: str) -> Cursor:
    """Return the cursor that plain JSON data tells of, or one that has read nothing.

    Args:
        value: what was stored, of any JSON type; a cursor in another file is none.
        path: the file to read.
    """
    entry = value if isinstance(value, dict) else {}
    if entry.get("path", path) != path:
        return Cursor(path=path)
    offset, line = _count(entry.get("offset")), _count(entry.get("line"))
    ids = entry.get("handled")
    return Cursor(
        path=path,
        offset=None if offset is None and line else offset or 0,
        line=line or 0,
        fingerprint=_text(entry.get("fingerprint")),
        turn=_text(entry.get("turn")),
        handled=tuple(each for each in ids if isinstance(each, str))
        if isinstance(ids, list)
        else (),
    )


def _at_end(cursor: Cursor, found: Probe) -> Cursor:
    mark = fingerprint(found.end, found.tail)
    return evolve(cursor, offset=found.end, line=0, fingerprint=mark, turn=None)


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
