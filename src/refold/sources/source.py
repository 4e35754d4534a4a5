"""What a source is.

Rules of this file (sources/README.md):

- A source turns the records of a foreign format into messages. It is a reducer: frozen state, no
  IO, total on any decoded record. Reading files and lines is elsewhere, and shared.
- Its live records and its stored records give the same settled view (laws.md, law 12): a delta
  decides nothing that the complete record doesn't, time comes from the record, and state moves per
  record, never per batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from refold.messages import Message
from refold.records import record

__all__ = ["Record", "Source"]


@record
class Record:
    """One decoded record of a foreign format.

    Args:
        value: plain JSON data, as decoded; a source must not change it.
        line: the line it was read from, 1-based; None if it came from no file.
        lane: which file or channel it came through, where that means something to the format (a
            subagent's id, ``in`` or ``out`` of a duplex run).
    """

    value: Any
    line: int | None = None
    lane: str | None = None


@record
class Source:
    """A foreign format, as four pure functions.

    Args:
        name: as in ``--format`` and in ``source.format`` of every message it makes.
        recognises: whether the first records (plain JSON data, up to some dozens) are of it.
        start: the state before any record.
        step: ``(state, record, observed_ms) -> (state, messages)``; ``observed_ms`` is when the
            caller saw the record, in Unix ms, or None; it may stand in for a time the record lacks
            but never decides anything settled.
        finish: the messages due when no record comes any more.
        counts: how many records were not understood, by reason, of a state.
        steps: ``(state, records) -> (state, messages)``, the same as ``step`` for each of them and
            never anything else, if the format can do that at less cost.
    """

    name: str
    recognises: Callable[[Sequence[Any]], bool]
    start: Callable[[], Any]
    step: Callable[[Any, Record, int | None], tuple[Any, tuple[Message, ...]]]
    finish: Callable[[Any], tuple[Message, ...]]
    counts: Callable[[Any], dict[str, int]]
    steps: Callable[[Any, Sequence[Record]], tuple[Any, Sequence[Message]]] | None = None
