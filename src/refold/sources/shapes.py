"""Which shape a foreign file's text has, and the values in it.

Rules of this file (sources/census.md A12, S10 and U1):

- Four shapes are found: JSON Lines, a log with JSON in it, values printed over several lines or in
  one array, and server-sent events. The first line that has a say tells which.
- Lines and events are read lazily. A document is read whole, up to a limit.
- Nothing is opened here, and no format is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

from refold.decode.documents import json_documents
from refold.decode.json_lines import json_lines, placed
from refold.decode.json_text import text_of
from refold.decode.lines import MAX_LINE, Chunk
from refold.errors import DecodeError
from refold.sources.event_streams import event_records

__all__ = ["MAX_DOCUMENT", "Shape", "shape_of", "values_in"]

MAX_DOCUMENT = 1 << 30

Shape: TypeAlias = Literal["document", "lines", "events"]

_SHAPES: tuple[tuple[Shape, re.Pattern[str]], ...] = (
    ("document", re.compile(r'\{\s*$|\[\s*($|[{\["])')),
    ("lines", re.compile(r"[{\[]")),
    ("events", re.compile(r"(data|event|id|retry):")),
)


def shape_of(head: Iterable[Chunk]) -> Shape:
    """Return the shape that the beginning of a file tells.

    Args:
        head: its first chunks.
    """
    text = "".join([c if isinstance(c, str) else c.decode("utf-8", "replace") for c in head])
    for line in text.split("\n"):
        for shape, opening in _SHAPES:
            if opening.match(line.strip(" \t\r\ufeff")):
                return shape
    return "lines"


def values_in(
    chunks: Iterable[Chunk],
    shape: Shape,
    *,
    name: str | None = None,
    max_line_bytes: int = MAX_LINE,
    max_document_bytes: int = MAX_DOCUMENT,
) -> Iterator[tuple[int | None, Any]]:
    """Yield line numbers (1-based) and values; what can't be read is a ``DecodeError`` in place.

    Args:
        chunks: the file, all bytes or all text, cut anywhere.
        shape: its shape.
        name: what errors call it.
        max_line_bytes: the longest line that is read, in bytes (characters of a text).
        max_document_bytes: the largest document that is read, in the same.
    """
    if shape == "document":
        return _documents(chunks, name, max_document_bytes)
    if shape == "events":
        return _events(chunks, name)
    return json_lines(chunks, name=name, max_line_bytes=max_line_bytes, prose=True)


def _documents(
    chunks: Iterable[Chunk], name: str | None, limit: int
) -> Iterator[tuple[int | None, Any]]:
    pieces: list[Any] = []
    size = 0
    for chunk in chunks:
        pieces.append(chunk)
        size += len(chunk)
        if size > limit:
            error = DecodeError(f"a document of at most {limit} bytes", value=pieces[0])
            yield 1, placed(error, 1, name)
            return
    whole = pieces[0][:0].join(pieces)
    try:
        text = text_of(whole)
    except DecodeError as error:
        yield None, DecodeError(error.expected, value=error.value, source=name)
        text = whole.decode("utf-8", "replace")
    yield from json_documents(text, name=name)


def _events(chunks: Iterable[Chunk], name: str | None) -> Iterator[tuple[int | None, Any]]:
    for each in event_records(chunks):
        value = each if isinstance(each, DecodeError) else each.value
        yield each.line, placed(value, each.line, name)
