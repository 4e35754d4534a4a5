"""Records of foreign formats on their way: one file, or the transcripts of a Claude Code session.

Rules of this file:

- Claude Code's transcripts are merged as its ``merging`` says, and step the source as one stream; a
  subagent's files may still come.
- Everything else is one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from refold.decode.streams import OnError, report
from refold.errors import DecodeError
from refold.messages import Message
from refold.sources.files.following.arriving import arriving
from refold.sources.files.following.growing import Growing, GrowingFile
from refold.sources.files.following.routes import Route
from refold.sources.files.following.strands import Strand
from refold.sources.files.following.trails import Trail
from refold.sources.files.foreign import records_of, session_at
from refold.sources.files.looks import look_at
from refold.sources.shapes import Shape
from refold.sources.source import Record, Source
from refold.times import parse_ms

__all__ = ["CLAUDE_CODE", "ForeignRoute"]

CLAUDE_CODE: Final = "claude-code"

_AGENT_FILES: Final = "agent-*.jsonl"


class ForeignRoute(Route):
    """The way of records.

    Args:
        source: the format.
        first: the file that told it, or a stream.
        shape: the shape of its text.
        path: that file, if others are to be looked for beside it.
        errors: what to do with what can't be read.
    """

    def __init__(
        self, source: Source, first: Growing, shape: Shape, path: Path | None, errors: OnError
    ) -> None:
        super().__init__(source.name)
        self._source = source
        self._state = source.start()
        self._errors: OnError = errors
        self._path = path if source.name == CLAUDE_CODE else None
        self._known: set[str] = set()
        self._listed: list[Path] | None = None
        session = None if self._path is None else session_at(self._path)
        if session is None or session.main is not None:
            self._strands.append(self._strand(first, shape))

    def due(self) -> tuple[Message, ...]:
        """Return what the source gives at the end."""
        return self._source.finish(self._state)

    def counts(self) -> dict[str, int]:
        """Return what the source didn't understand."""
        return self._source.counts(self._state)

    def _messages(self, strand: Strand, item: Record) -> tuple[Message, ...]:
        self._state, messages = self._source.step(self._state, item, None)
        return messages

    def _strand(self, first: Growing, shape: Shape, agent: str = "") -> Strand:
        prose = shape == "lines"
        trail = Trail(first, lambda name: arriving(shape, name=name, prose=prose))
        self._trails.append(trail)

        def fetch() -> Iterator[Record]:
            return _records(trail.read(), agent, self._errors)

        return Strand(fetch, _recorded_at, rank=(agent, 1))

    # --- subagents ----------------------------------------------------------------------------

    def _appeared(self) -> list[Strand]:
        """Return strands of the subagents whose files came; their names tell whether any did."""
        if self._path is None:
            return []
        beside = self._path.parent
        listed = [*beside.glob(_AGENT_FILES), *(beside / "subagents").rglob(_AGENT_FILES)]
        listed += self._path.with_suffix("").rglob(_AGENT_FILES)
        if listed == self._listed:
            return []
        self._listed = listed
        session = session_at(self._path)
        agents = () if session is None else session.agents
        new = [each for each in agents if each.agent not in self._known]
        self._known.update(each.agent for each in new)
        return [
            strand
            for each in new
            for strand in (
                _side_strand(each.path.with_suffix(".meta.json"), each.agent),
                self._strand(GrowingFile(each.path), "lines", each.agent),
            )
        ]


def _side_strand(path: Path, agent: str) -> Strand:
    """Return the strand of a side file, which is written once and says whose the transcript is."""
    taken: list[Record] = []

    def fetch() -> Iterable[Record]:
        if taken or not path.is_file():
            return ()
        records = records_of([look_at(path)], "skip")
        taken.extend(Record(value=each.value, line=each.line, lane=agent) for each in records)
        return list(taken)

    return Strand(fetch, _recorded_at, rank=(agent, 0))


def _records(
    values: Iterable[tuple[int | None, Any]], agent: str, errors: OnError
) -> Iterator[Record]:
    for line, value in values:
        if isinstance(value, DecodeError):
            report(value, errors)
        else:
            yield Record(value=value, line=line, lane=agent or None)


def _recorded_at(before_ms: float, record: Record) -> float | None:
    """Return when a record was written; a time that steps back doesn't hurry."""
    stated = record.value.get("timestamp") if type(record.value) is dict else None
    at_ms = parse_ms(stated) if type(stated) is str else None
    return before_ms if at_ms is None else max(before_ms, at_ms)
