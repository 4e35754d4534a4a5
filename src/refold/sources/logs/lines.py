"""JSON objects inside log lines.

Rules of this file:

- A record is an object, or a line that is no JSON by itself: an object behind a log prefix, or a
  line of an object that was printed over several. Whatever it is, whole objects come out, each with
  the prefix it stood behind and its first line.
- Printed objects are put together line by line at a cost that doesn't grow: brackets are counted as
  lines come, and the text is parsed once, when they balance.
- A line that is neither is log noise: counted, never an error. So is an object that is torn.
- This file knows no format; ``clocks`` reads the prefixes' times.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from refold.records import positional, record
from refold.texts import GrownText, grow

__all__ = ["NO_LOG", "Entry", "Log", "Noise", "read_entry"]

_LONGEST_PREFIX = 200
_LONGEST_OBJECT = 1 << 26
_CLOSING = ("}", "]")
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')


@record
class Entry:
    """An object found in a log.

    Args:
        value: the object.
        prefix: what stood before it on its line.
        line: its first line, 1-based, if known.
    """

    value: dict[str, Any]
    prefix: str = ""
    line: int | None = None


@record
class Noise:
    """A record without an object of its own.

    Args:
        reason: ``text_line``, ``torn_object`` or ``no_object``.
        text: the line.
    """

    reason: str
    text: str = ""


@record
class Log:
    """An object whose lines are still coming.

    Args:
        text: its lines so far; empty if none is open.
        size: how many characters that is.
        depth: how many brackets are open.
        prefix: what stood before it.
        line: its first line.
    """

    text: GrownText = ""
    size: int = 0
    depth: int = 0
    prefix: str = ""
    line: int | None = None


NO_LOG = Log()

_entry = positional(Entry)


def read_entry(log: Log, value: Any, line: int | None) -> tuple[Log, Entry | Noise | None]:
    """Take one record.

    Args:
        log: what is open.
        value: the record: an object, or a line.
        line: its number, 1-based, if known.

    Returns:
        What is open now, and an object or noise, or None if an object's lines are still coming.
    """
    if type(value) is dict:
        inner = _kept_line(value)
        return (log, _entry(value, "", line)) if inner is None else _read(log, inner, line)
    return _read(log, value, line) if type(value) is str else (log, Noise(reason="no_object"))


def _kept_line(value: dict[str, Any]) -> str | None:
    """Return the line that a harness wrapped whole, with its schema named (census A12)."""
    content = value.get("content")
    schema = value.get("schema_version")
    if type(content) is str and type(schema) is str and "log_line" in schema:
        return content
    return None


def _read(log: Log, text: str, line: int | None) -> tuple[Log, Entry | Noise | None]:
    indented = text[:1].isspace()
    at = -1 if log.depth and indented else text.find("{", 0, _LONGEST_PREFIX)
    found = None if at < 0 else _opened(text, at, line)
    if found is not None:
        return found
    if log.depth and (indented or text[:1] in _CLOSING):
        return _continued(log, text)
    return log, Noise(reason="text_line", text=text)


def _opened(text: str, at: int, line: int | None) -> tuple[Log, Entry | Noise | None] | None:
    prefix, rest = text[:at], text[at:].strip()
    if rest == "{":
        return Log(text=rest, size=1, depth=1, prefix=prefix, line=line), None
    value = _parsed(rest)
    return None if value is None else (NO_LOG, Entry(value=value, prefix=prefix, line=line))


def _continued(log: Log, text: str) -> tuple[Log, Entry | Noise | None]:
    size = log.size + len(text)
    if size > _LONGEST_OBJECT:
        return NO_LOG, Noise(reason="torn_object", text=text)
    bare = _STRINGS.sub("", text)
    depth = log.depth + sum(map(bare.count, "{[")) - sum(map(bare.count, "}]"))
    grown = grow(log.text, "\n" + text)
    if depth > 0:
        return Log(text=grown, size=size, depth=depth, prefix=log.prefix, line=log.line), None
    value = _parsed(str(grown))
    if value is None:
        return NO_LOG, Noise(reason="torn_object", text=text)
    return NO_LOG, Entry(value=value, prefix=log.prefix, line=log.line)


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if type(value) is dict else None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
