"""Server-sent events, from chunks of a stream to whole events.

Rules of this file (WHATWG HTML, "Parsing an event stream"):

- ``feed`` is pure: chunks may end anywhere, inside a character, a CRLF or a field name, and the
  events are the same.
- It never raises: bytes that are no UTF-8 become U+FFFD, unknown fields are ignored, and an event
  larger than the limit is an ``OversizedEvent``, not a growing buffer.
- One deviation, in ``close``: an event that the end of the input cuts off is given, where the
  standard discards it. Recordings often lack the last blank line; a cut JSON text tells itself.
- This file knows no JSON and no provider.
"""

from __future__ import annotations

import codecs
import re
from typing import TypeAlias

from refold.records import positional, record
from refold.texts import GrownText, grow

__all__ = ["OversizedEvent", "SseEvent", "SseFramer", "SseOutcome", "close", "feed", "framer"]

_LINE_END = re.compile(r"\r\n|\r|\n")
_LARGEST = 64 * 1024 * 1024
_LONGEST_RETRY = 15


@record
class SseEvent:
    """One dispatched event.

    Args:
        event: its name; ``message`` if it has none.
        data: its data lines, joined by line feeds.
        id: the last event id of the stream so far, empty if there was none.
        line: the line its first field stands on, 1-based.
    """

    event: str
    data: str
    id: str
    line: int


@record
class OversizedEvent:
    """An event that was dropped because it is larger than the limit.

    Args:
        line: the line its first field stands on, 1-based.
    """

    line: int


SseOutcome: TypeAlias = SseEvent | OversizedEvent


@record
class _Pending:
    """An event whose blank line hasn't come: ``data`` is None before its first data line."""

    event: str
    data: GrownText | None
    line: int | None
    size: int


@record
class SseFramer:
    """Where in a stream the framer stands. Make one with ``framer``.

    Args:
        limit: the most characters an event may hold.
        undecoded: the first bytes of a character that a chunk cut off.
        begun: whether the place of a byte order mark lies behind.
        after_cr: whether a line feed would belong to the line end before.
        rest: the line that no end has come for, None if it is over the limit.
        rest_size: its characters.
        lines: how many lines have ended.
        pending: the event being read.
        id: the last event id.
        retry_ms: the reconnection time the stream asked for last, in ms.
    """

    limit: int
    undecoded: bytes = b""
    begun: bool = False
    after_cr: bool = False
    rest: GrownText | None = ""
    rest_size: int = 0
    lines: int = 0
    pending: _Pending
    id: str = ""
    retry_ms: int | None = None


_NOTHING = _Pending(event="", data=None, line=None, size=0)
_new_pending = positional(_Pending)
_new_framer = positional(SseFramer)
_new_event = positional(SseEvent)


def framer(limit: int = _LARGEST) -> SseFramer:
    """Return a framer at the beginning of a stream.

    Args:
        limit: the most characters an event may hold; a larger one is dropped and reported.
    """
    return SseFramer(limit=limit, pending=_NOTHING)


def feed(state: SseFramer, chunk: bytes | str) -> tuple[SseFramer, tuple[SseOutcome, ...]]:
    """Read the next chunk of a stream.

    Args:
        state: where the stream stands.
        chunk: bytes as they arrived, or text that somebody else decoded.

    Returns:
        The state behind the chunk, and the events that it completes.
    """
    text, undecoded = _decoded(state.undecoded, chunk)
    if not text:
        return _with_bytes(state, undecoded), ()
    first = 1 if not state.begun and text[0] == "\ufeff" else 0
    if state.after_cr and text[first : first + 1] == "\n":
        first += 1
    body = text[first:]
    *ended, rest = _LINE_END.split(body)
    return _read(state, ended, rest, body.endswith("\r"), undecoded)


def close(state: SseFramer) -> tuple[SseFramer, tuple[SseOutcome, ...]]:
    """Read the end of a stream: what stands unfinished is given as if a blank line followed.

    Args:
        state: where the stream stands.
    """
    tail = "\ufffd" if state.undecoded else ""
    # One to end the line, one to end the event; the first may belong to a carriage return.
    return feed(_with_bytes(state, b""), f"{tail}\n\n\n")


def _decoded(undecoded: bytes, chunk: bytes | str) -> tuple[str, bytes]:
    if isinstance(chunk, str):
        return ("\ufffd" + chunk if undecoded else chunk), b""
    whole = undecoded + chunk
    text, used = codecs.utf_8_decode(whole, "replace", False)
    return text, whole[used:]


def _with_bytes(state: SseFramer, undecoded: bytes) -> SseFramer:
    if undecoded == state.undecoded:
        return state
    return _new_framer(
        state.limit,
        undecoded,
        state.begun,
        state.after_cr,
        state.rest,
        state.rest_size,
        state.lines,
        state.pending,
        state.id,
        state.retry_ms,
    )


def _read(
    state: SseFramer, ended: list[str], rest: str, after_cr: bool, undecoded: bytes
) -> tuple[SseFramer, tuple[SseOutcome, ...]]:
    """Take the lines a chunk ended, and keep the one it began."""
    unfinished, size, lines = state.rest, state.rest_size, state.lines
    pending, event_id, retry_ms = state.pending, state.id, state.retry_ms
    outcomes: list[SseOutcome] = []
    for piece in ended:
        unfinished, _ = _grown(unfinished, size, piece, state.limit)
        line, unfinished, size, lines = _whole(unfinished), "", 0, lines + 1
        if line == "":
            outcomes += _dispatched(pending, event_id, state.limit)
            pending = _NOTHING
            continue
        name, value = ("", "") if line is None else _field(line)
        if name == "id" and "\0" not in value:
            event_id = value
        elif name == "retry" and _is_retry(value):
            retry_ms = int(value)
        pending = _with_field(pending, line, name, value, lines, state.limit)
    unfinished, size = _grown(unfinished, size, rest, state.limit)
    after = (state.limit, undecoded, True, after_cr, unfinished, size, lines)
    return _new_framer(*after, pending, event_id, retry_ms), tuple(outcomes)


def _grown(
    unfinished: GrownText | None, size: int, piece: str, limit: int
) -> tuple[GrownText | None, int]:
    size += len(piece)
    if unfinished is None or size > limit:
        return None, size
    return (grow(unfinished, piece) if size > len(piece) else piece), size


def _whole(text: GrownText | None) -> str | None:
    return None if text is None else str(text)


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name, value.removeprefix(" ")


def _with_field(
    pending: _Pending, line: str | None, name: str, value: str, number: int, limit: int
) -> _Pending:
    if line is None:
        return _new_pending("", None, pending.line or number, limit + 1)
    if name not in ("data", "event", "id", "retry"):
        return pending
    first = pending.line or number
    size = pending.size + len(line)
    if size > limit:
        return _new_pending("", None, first, size)
    if name == "data":
        return _new_pending(pending.event, _with_line(pending.data, value), first, size)
    return _new_pending(value if name == "event" else pending.event, pending.data, first, size)


def _with_line(data: GrownText | None, line: str) -> GrownText:
    return line if data is None else grow(data, "\n" + line)


def _dispatched(pending: _Pending, event_id: str, limit: int) -> tuple[SseOutcome, ...]:
    if pending.size > limit:
        return (OversizedEvent(line=pending.line or 0),)
    if pending.data is None:
        return ()
    return (_new_event(pending.event or "message", str(pending.data), event_id, pending.line),)


def _is_retry(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= _LONGEST_RETRY
