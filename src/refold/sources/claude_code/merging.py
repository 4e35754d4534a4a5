"""One stream of records out of the files of one session.

Rules of this file (sources/claude-code.md 8.1 P3, sources/README.md):

- Each file keeps its own order, which is the order of what happened; between files the time of the
  records decides, and at a tie the main thread comes first, then the agents by id.
- A record without a time stays with the one in front of it, and a time that steps back doesn't
  hurry: a file is never ahead of its latest record.
- Lazy: no more than one record of each file is held.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from refold.records import positional
from refold.sources.claude_code.fields import string
from refold.sources.claude_code.values import MAIN
from refold.sources.source import Record
from refold.times import parse_ms

__all__ = ["merged"]

Timed: TypeAlias = tuple[tuple[float, str], Record]

_record = positional(Record)
_BEFORE_ALL = float("-inf")


def merged(main: Iterable[Record], agents: Mapping[str, Iterable[Record]]) -> Iterator[Record]:
    """Yield the records of a session's files as one stream, each on the lane of its file.

    Args:
        main: the records of the main transcript, in its order.
        agents: the records of each subagent's own file, by agent id; a side file's record, if
            there is one, in front.
    """
    if not agents:
        return iter(main)
    files = [_timed(MAIN, main), *[_timed(agent, each) for agent, each in agents.items()]]
    return (record for _, record in heapq.merge(*files, key=_when))


def _when(timed: Timed) -> tuple[float, str]:
    return timed[0]


def _timed(agent: str, records: Iterable[Record]) -> Iterator[Timed]:
    latest = _BEFORE_ALL
    for record in records:
        at = parse_ms(string(record.value, "timestamp")) if type(record.value) is dict else None
        latest = latest if at is None else max(latest, at)
        lane = agent or record.lane
        yield (latest, agent), _record(record.value, record.line, lane)
