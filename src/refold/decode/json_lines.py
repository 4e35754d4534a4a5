"""The lines of a JSON Lines file, as they really are, to values.

Rules of this file (protocol.md; sources/census.md C9, P8 and 7):

- A bad line is an error with its place among the values; nothing is raised, and nothing good is
  lost: neither the lines around it nor the other values on it.
- Blank lines are nothing. A byte order mark, a carriage return and white space around a value
  don't matter, wherever they stand.
- Values glued on one line are all read, each with that line's number. So is one that a writer
  glued behind the torn rest of another: it opens with the same key and ends the line.
- A line is held alone: memory is bounded by the longest one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from refold.decode.json_text import LineParser, line_parser, scan, text_of, within_depth
from refold.decode.lines import MAX_LINE, Chunk, line_batches
from refold.errors import DecodeError

__all__ = ["json_lines", "placed", "values_on"]

_WHITE = " \t\r\n\ufeff"
_WHITES = re.compile(f"[{_WHITE}]*")
_OPENING = re.compile(r'\{\s*+"(?:[^"\\]|\\.)*+"\s*+:')
_TRIES = 8


def json_lines(
    chunks: Iterable[Chunk],
    *,
    name: str | None = None,
    max_line_bytes: int = MAX_LINE,
    bounded: bool = True,
    prose: bool = False,
    parse: LineParser | None = None,
) -> Iterator[tuple[int, Any]]:
    """Yield line numbers (1-based) and values; what can't be read is a ``DecodeError`` in place.

    Args:
        chunks: the file, all bytes or all text, cut anywhere.
        name: what errors call it.
        max_line_bytes: the longest line that is read, in bytes (characters of a text).
        bounded: whether a value that nests too deep is an error here; if not, whoever takes it
            must look.
        prose: whether a line that is no JSON object is given as its text, as in a log; one that
            opens an object at its very beginning and doesn't end it well is an error still.
        parse: what reads a line that is plainly one value, if not ``line_parser``.
    """
    parse = parse or line_parser()
    otherwise = _logged_on if prose else values_on
    for first, batch in line_batches(chunks, max_line_bytes):
        for number, line in enumerate(batch, first):
            try:
                value = parse(line)
                if bounded:
                    within_depth(value, line)
                if prose and not (value and type(value) is dict):
                    raise ValueError  # noqa: TRY301 - taken as any other refusal
            except Exception:  # noqa: BLE001 - whatever a parser says, the strict one decides
                for each in otherwise(line):
                    yield number, placed(each, number, name)
            else:
                yield number, value


def placed(value: Any, line: int | None, name: str | None) -> Any:
    """Return a value, an error among them with its place.

    Args:
        value: a value, or an error.
        line: where it was, 1-based.
        name: what errors call the file.
    """
    return value.at(line=line, source=name) if isinstance(value, DecodeError) else value


def values_on(line: Chunk | DecodeError) -> Iterator[Any]:
    """Yield the values on a line, and an error for each stretch that is none.

    Args:
        line: its text or its UTF-8 bytes, with or without its end, or the error in its place.
    """
    try:
        text = _text(line).rstrip(_WHITE)
    except DecodeError as error:
        yield error
        return
    at = _behind_white(text, 0)
    while at < len(text):
        try:
            value, end = scan(text, at)
        except DecodeError as error:
            yield error
            end = _behind_torn(text, at)
        else:
            yield _or_error(value, text[at:end])
        at = _behind_white(text, end)


def _text(line: Chunk | DecodeError) -> str:
    if isinstance(line, DecodeError):
        raise line
    return text_of(line.removesuffix("\n") if isinstance(line, str) else line.removesuffix(b"\n"))


def _logged_on(line: Chunk | DecodeError) -> list[Any]:
    """Return the values on a line if it is one of a record, else its text."""
    values = list(values_on(line))
    try:
        text = _text(line).lstrip("\ufeff")
    except DecodeError:
        return values
    if not values or (text.startswith("{") and text.rstrip(_WHITE) != "{"):
        return values
    kind = list if text.startswith("[") else dict
    return values if any(type(each) is kind and each for each in values) else [text.rstrip("\r\n")]


def _or_error(value: Any, text: str) -> Any:
    try:
        return within_depth(value, text)
    except DecodeError as error:
        return error


def _behind_white(text: str, at: int) -> int:
    white = _WHITES.match(text, at)
    return at if white is None else white.end()


def _behind_torn(text: str, at: int) -> int:
    """Return where a whole value is glued behind a torn one, or the end of the line."""
    opening = _OPENING.match(text, at)
    for _ in range(_TRIES if opening else 0):
        at = text.find(opening[0], at + 1)  # type: ignore[index]
        if at < 0:
            break
        if _ends_line(text, at):
            return at
    return len(text)


def _ends_line(text: str, at: int) -> bool:
    try:
        return scan(text, at)[1] == len(text)
    except DecodeError:
        return False
