"""OmniMessages on their way: a trace, its shards, and the traces of nested sessions.

Rules of this file (sources/README.md, ``omni``):

- Nested sessions' traces are woven in as ``nested`` says, from their pointers on; one that isn't
  there yet may still come.
- Directories are listed once a poll, and only when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from refold.decode.streams import OnError, messages_of
from refold.messages import Message, SessionMeta, Subagent
from refold.records import evolver
from refold.sources.files.following.arriving import arriving
from refold.sources.files.following.growing import Growing, GrowingFile
from refold.sources.files.following.routes import Route
from refold.sources.files.following.strands import BEFORE_ALL, Strand
from refold.sources.files.following.trails import Later, Trail
from refold.sources.files.reading import session_id_of
from refold.sources.files.shards import Neighbourhood, shards_beside
from refold.sources.nested import MAX_DEPTH
from refold.sources.shapes import Shape
from refold.times import parse_ms

__all__ = ["OMNI", "OmniRoute"]

OMNI: Final = "omni"

_under = evolver(Message, "origin")


class OmniRoute(Route):
    """The way of OmniMessages.

    Args:
        first: the trace's first file, or a stream.
        shape: the shape of its text.
        path: that file, if others are to be looked for beside it.
        errors: what to do with what can't be read.
    """

    def __init__(self, first: Growing, shape: Shape, path: Path | None, errors: OnError) -> None:
        super().__init__(OMNI)
        self._errors: OnError = errors
        self._path = path
        self._around: Neighbourhood | None = None
        self._seen: set[str] = set()
        self._woven: set[str] = set()
        self._missing: list[tuple[str, tuple[str, ...], float]] = []
        first = first if path is None else GrowingFile(_first_shard(path))
        self._strands.append(self._strand(first, shape, self._behind_main))

    def due(self) -> tuple[Message, ...]:
        """Return nothing: a message is whole by itself."""
        return ()

    def counts(self) -> dict[str, int]:
        """Return nothing: what can't be decoded is an error."""
        return {}

    def _messages(self, strand: Strand, item: Message) -> tuple[Message, ...]:
        if not self._woven.isdisjoint(item.origin):
            return ()
        return (_under(item, strand.chain + item.origin) if strand.chain else item,)

    # --- nested sessions ----------------------------------------------------------------------

    def _appeared(self) -> list[Strand]:
        self._around = None if self._path is None else Neighbourhood(self._path.parent)
        missing, self._missing = self._missing, []
        return [child for pointer in missing for child in self._child(*pointer)]

    def _beside(self, strand: Strand, item: Message) -> list[Strand]:
        payload, chain = item.payload, strand.chain + item.origin
        if not self._woven.isdisjoint(item.origin):
            return []
        self._seen.update(item.origin)
        if type(payload) is SessionMeta and not item.origin:
            self._seen.add(payload.session_id)
        if type(payload) is not Subagent or len(chain) >= MAX_DEPTH:
            return []
        return self._child(payload.session_id, chain, strand.at_ms)

    def _child(self, session_id: str, chain: tuple[str, ...], at_ms: float) -> list[Strand]:
        if session_id in self._seen or self._around is None:
            return []
        paths = self._around.traces_of(session_id)
        if not paths:
            self._missing.append((session_id, chain, at_ms))
            return []
        self._seen.add(session_id)
        self._woven.add(session_id)
        rank = len(chain) + 1, len(self._woven)
        first, later = GrowingFile(paths[0]), self._behind(session_id)
        return [self._strand(first, "lines", later, rank, at_ms, (*chain, session_id))]

    # --- files --------------------------------------------------------------------------------

    def _strand(
        self,
        first: Growing,
        shape: Shape,
        later: Later,
        rank: tuple[int, int] = (0, 0),
        at_ms: float = BEFORE_ALL,
        chain: tuple[str, ...] = (),
    ) -> Strand:
        trail = Trail(first, lambda name: arriving(shape, name=name, prose=False), later)
        self._trails.append(trail)

        def fetch() -> Iterator[Message]:
            values = trail.read()
            lane, name = trail.lane, trail.name
            return messages_of(values, lane=lane, name=name, errors=self._errors)

        return Strand(fetch, _sent_at, rank=rank, at_ms=at_ms, chain=chain)

    def _behind_main(self, path: Path) -> Path | None:
        later = None if self._path is None else _next(path, shards_beside(path))
        same = later is not None and session_id_of(later) == session_id_of(path)
        return later if same else None

    def _behind(self, session_id: str) -> Later:
        def later(path: Path) -> Path | None:
            return None if self._around is None else _next(path, self._around.traces_of(session_id))

        return later


def _first_shard(path: Path) -> Path:
    """Return the first file of the trace that a file is one of."""
    session_id = session_id_of(path)
    shards = [path] if session_id is None else shards_beside(path)
    return next((each for each in shards if session_id_of(each) == session_id), path)


def _next(path: Path, paths: list[Path]) -> Path | None:
    behind = paths[paths.index(path) + 1 :] if path in paths else []
    return behind[0] if behind else None


def _sent_at(before_ms: float, message: Message) -> float | None:
    return parse_ms(message.timestamp)
