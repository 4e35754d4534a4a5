"""The records of foreign files, and one pass of a source over them.

Rules of this file:

- Several files of a format are one stream, in the order they are given in.
- A file's records are taken some at a time: to decode some, then step some, then fold some keeps each
  of these in the processor's caches, and saves a tenth of all. Of a pipe or of lines they are taken
  one at a time, for the next may be long in coming.
- Records that are taken together were read in one chunk: memory is bounded by the longest line.
- A Claude Code session is more files than one: its subagents' are found by ``folder``, which knows
  where they are, and read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from refold.decode.lines import Chunk
from refold.decode.streams import OnError, report
from refold.errors import DecodeError
from refold.messages import Message
from refold.records import positional
from refold.sources.files.inputs import is_pipe
from refold.sources.files.looks import Look, look_at
from refold.sources.registry import FormatError
from refold.sources.shapes import values_in
from refold.sources.source import Record, Source

if TYPE_CHECKING:
    from refold.sources.claude_code.folder import SessionFiles

__all__ = ["Run", "batches_of", "paths_of", "records_of", "session_at", "session_batches_of"]

_MOST_TOGETHER: Final = 128


_record = positional(Record)


class Run:
    """One pass of a source over records, to be taken once.

    Args:
        source: the format.
        batches: its records, in order, those together that are there at one time.
    """

    def __init__(self, source: Source, batches: Iterable[Sequence[Record]]) -> None:
        self._source = source
        self._batches = batches
        self._state = source.start()

    def counts(self) -> dict[str, int]:
        """Return how many records were not understood so far, by reason."""
        return self._source.counts(self._state)

    def messages(self) -> Iterator[Message]:
        """Yield the messages of all records, then those that are due at the end."""
        for batch in self._batches:
            yield from self._stepped(batch)
        yield from self._source.finish(self._state)

    def _stepped(self, batch: Sequence[Record]) -> Sequence[Message]:
        step, steps, state = self._source.step, self._source.steps, self._state
        if steps is not None:
            self._state, stepped = steps(state, batch)
            return stepped
        messages: list[Message] = []
        for each in batch:
            state, more = step(state, each, None)
            messages += more
        self._state = state
        return messages


def batches_of(looks: Iterable[Look], errors: OnError) -> Iterator[Sequence[Record]]:
    """Yield the records of files, one behind the other, some at a time.

    Args:
        looks: the files.
        errors: what to do with what can't be read.

    Raises:
        DecodeError: something can't be read, and ``errors`` is ``raise``; behind all records in
            front of it.
    """
    for look in looks:
        if isinstance(look.source, Path) and not is_pipe(look.source):
            yield from _together(look, errors)
        else:
            yield from ((each,) for each in records_of((look,), errors))


def records_of(looks: Iterable[Look], errors: OnError) -> Iterator[Record]:
    """Yield the records of files, one behind the other.

    Args:
        looks: the files.
        errors: what to do with what can't be read.

    Raises:
        DecodeError: something can't be read, and ``errors`` is ``raise``.
    """
    for look in looks:
        for line, value in _values(look, errors):
            yield _record(value, line, None)


def _together(look: Look, errors: OnError) -> Iterator[Sequence[Record]]:
    chunks = _Chunks(look.chunks)
    batch: list[Record] = []
    chunk = 0
    try:
        for line, value in values_in(chunks, look.shape, name=look.name):
            if isinstance(value, DecodeError):
                report(value, errors)
                continue
            if batch and (len(batch) == _MOST_TOGETHER or chunk != chunks.taken):
                yield batch
                batch = []
            chunk = chunks.taken
            batch.append(_record(value, line, None))
    except (DecodeError, OSError):
        yield batch
        raise
    yield batch


class _Chunks:
    """The chunks of a file, and how many of them were taken."""

    def __init__(self, chunks: Iterator[Chunk]) -> None:
        self._chunks = chunks
        self.taken = 0

    def __iter__(self) -> Iterator[Chunk]:
        return self

    def __next__(self) -> Chunk:
        self.taken += 1
        return next(self._chunks)


def _values(look: Look, errors: OnError) -> Iterator[tuple[int | None, Any]]:
    for line, value in values_in(look.chunks, look.shape, name=look.name):
        if isinstance(value, DecodeError):
            report(value, errors)
        else:
            yield line, value


# --- Claude Code ------------------------------------------------------------------------------


def session_at(path: Path) -> SessionFiles | None:
    """Return the files of the session that a transcript or a folder is of, if there is one.

    Args:
        path: a transcript, a session's folder, or a folder with one session.

    Raises:
        FormatError: the folder holds more than one session.
    """
    # One format's code costs nothing to the readers of another.
    from refold.sources.claude_code.folder import sessions_in  # noqa: PLC0415

    sessions = sessions_in(path)
    if len(sessions) > 1:
        names = ", ".join(each.session_id for each in sessions[:5])
        raise FormatError(f"{path} holds {len(sessions)} sessions, name the file of one: {names}")
    return sessions[0] if sessions else None


def session_batches_of(session: SessionFiles, errors: OnError) -> Iterator[Sequence[Record]]:
    """Yield the records of a session's files as one stream, some at a time if it is one file.

    Args:
        session: the files.
        errors: what to do with what can't be read.

    Raises:
        DecodeError: something can't be read, and ``errors`` is ``raise``.
    """
    from refold.sources.claude_code.folder import session_records  # noqa: PLC0415

    if session.main is not None and not session.agents:
        return batches_of([look_at(session.main)], errors)
    records = session_records(session, lambda path: _values(look_at(path), errors))
    return ((each,) for each in records)


def paths_of(session: SessionFiles) -> list[Path]:
    """Return a session's transcripts, the main one first.

    Args:
        session: its files.
    """
    main = [] if session.main is None else [session.main]
    return [*main, *(each.path for each in session.agents)]
