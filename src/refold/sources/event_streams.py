"""A recorded event stream, from its text to records.

Rules of this file:

- Three shapes are found in the wild and told apart by the text alone: server-sent events
  (``data: {…}``), JSON Lines without framing (``*.chunks.txt``), and one JSON document holding
  the events (sources/census.md 6, U1: with a byte order mark).
- One bad record costs nothing but itself: it is yielded as an error with its line, and reading
  goes on.
- Lazy where the shape allows it: frames and lines are yielded as they come, a document is not.
- Which format the records are of is the source's to say.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NoReturn, TypeAlias

from refold.errors import DecodeError
from refold.sources.source import Record
from refold.sources.sse import OversizedEvent, SseEvent, SseOutcome, close, feed, framer

__all__ = ["END_OF_STREAM", "EventRecord", "event_records"]

END_OF_STREAM = "[DONE]"

EventRecord: TypeAlias = Record | DecodeError

_WHITE = " \t\n\r\ufeff"
_BLANK = re.compile(rf"[{_WHITE}]*")


def event_records(chunks: Iterable[bytes | str]) -> Iterator[EventRecord]:
    """Yield the records of a recorded event stream, and an error for each that can't be read.

    Args:
        chunks: the text or its UTF-8 bytes, cut anywhere.
    """
    pieces = iter(_texts(chunks))
    head = ""
    for piece in pieces:
        head += piece
        if head.strip(_WHITE):
            break
    start = head.lstrip(_WHITE)
    whole = chain([head], pieces)
    return _json_records(whole) if start.startswith(("{", "[")) else _framed_records(whole)


def _texts(chunks: Iterable[bytes | str]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for chunk in chunks:
        yield chunk if isinstance(chunk, str) else decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


# --- server-sent events ---------------------------------------------------------------------


def _framed_records(texts: Iterable[str]) -> Iterator[EventRecord]:
    state = framer()
    for text in texts:
        state, outcomes = feed(state, text)
        yield from _records_of(outcomes)
    yield from _records_of(close(state)[1])


def _records_of(outcomes: tuple[SseOutcome, ...]) -> Iterator[EventRecord]:
    for outcome in outcomes:
        if isinstance(outcome, OversizedEvent):
            yield DecodeError("an event within the size limit", value="", line=outcome.line)
        elif outcome.data.strip(_WHITE):
            yield _record_of(outcome)


def _record_of(event: SseEvent) -> EventRecord:
    if event.data.strip(_WHITE) == END_OF_STREAM:
        return Record(value=END_OF_STREAM, line=event.line)
    value = _loaded(event.data, event.line)
    if isinstance(value, DecodeError):
        return value
    if isinstance(value, dict) and "type" not in value and event.event != "message":
        value = {"type": event.event, **value}
    return Record(value=value, line=event.line)


# --- JSON Lines, or one document ------------------------------------------------------------


def _json_records(texts: Iterable[str]) -> Iterator[EventRecord]:
    lines = _lines(texts)
    first, skipped = next(lines, ""), 0
    while first and not first.strip(_WHITE):
        first, skipped = next(lines, ""), skipped + 1
    if _is_record(first.strip(_WHITE)):
        return _line_records(chain([first], lines), skipped)
    return _document_records("".join(chain([first], lines)), skipped)


def _lines(texts: Iterable[str]) -> Iterator[str]:
    """Yield lines with their ends. Only a line feed ends one (sources/census.md 7)."""
    pieces: list[str] = []
    for text in texts:
        *ended, rest = text.split("\n")
        for piece in ended:
            pieces.append(piece)
            yield "".join(pieces) + "\n"
            pieces.clear()
        pieces.append(rest)
    if any(pieces):
        yield "".join(pieces)


def _line_records(lines: Iterable[str], skipped: int) -> Iterator[EventRecord]:
    for number, line in enumerate(lines, skipped + 1):
        text = line.strip(_WHITE)
        if text == END_OF_STREAM:
            yield Record(value=END_OF_STREAM, line=number)
        elif text:
            yield from _values(text, number)


def _values(text: str, number: int) -> Iterator[EventRecord]:
    """Yield what stands on a line: one value, or several glued together."""
    at = 0
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield _refusal(text[at:], number)
            return
        yield from _events(value, number)
        at = _skipped(text, at)


def _events(value: Any, number: int | None) -> Iterator[EventRecord]:
    if isinstance(value, list):
        yield from (Record(value=each, line=number) for each in value)
    else:
        yield Record(value=value, line=number)


def _document_records(text: str, skipped: int) -> Iterator[EventRecord]:
    start = _skipped(text, 0)
    if text[start] == "[":
        yield from _element_records(text, start, skipped)
        return
    value = _loaded(text[start:].strip(_WHITE), None)
    if isinstance(value, DecodeError):
        yield from _line_records(_lines([text]), skipped)
    else:
        yield from _events(value, skipped + 1)


def _element_records(text: str, start: int, skipped: int) -> Iterator[EventRecord]:
    """Yield the elements of an array that spans lines, each with its own line."""
    at, counted, number = _skipped(text, start + 1), 0, skipped + 1
    while at < len(text) and text[at] != "]":
        number += text.count("\n", counted, at)
        counted = at
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield _refusal(text[at:], number)
            return
        yield Record(value=value, line=number)
        at = _skipped(text, at)
        if text[at : at + 1] == ",":
            at = _skipped(text, at + 1)


def _skipped(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def _is_record(line: str) -> bool:
    return line == END_OF_STREAM or not isinstance(_loaded(line, None), DecodeError)


def _loaded(text: str, line: int | None) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return _refusal(text, line)


def _refusal(text: str, line: int | None) -> DecodeError:
    return DecodeError("a JSON value", value=text, line=line)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
