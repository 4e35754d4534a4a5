"""The records of foreign files, and one pass of a source over them.

Rules of this file:

- Several files of a format are one stream, in the order they are given in.
- A Claude Code session is more files than one: its subagents' are found by ``folder``, which knows
  where they are, and read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refold.decode.streams import OnError, report
from refold.errors import DecodeError
from refold.messages import Message
from refold.records import positional
from refold.sources.files.looks import Look, look_at
from refold.sources.registry import FormatError
from refold.sources.shapes import values_in
from refold.sources.source import Record, Source

if TYPE_CHECKING:
    from refold.sources.claude_code.folder import SessionFiles

__all__ = ["Run", "paths_of", "records_of", "session_at", "session_records_of"]


_record = positional(Record)


class Run:
    """One pass of a source over records, to be taken once.

    Args:
        source: the format.
        records: its records, in order.
    """

    def __init__(self, source: Source, records: Iterable[Record]) -> None:
        self._source = source
        self._records = records
        self._state = source.start()

    def counts(self) -> dict[str, int]:
        """Return how many records were not understood so far, by reason."""
        return self._source.counts(self._state)

    def messages(self) -> Iterator[Message]:
        """Yield the messages of all records, then those that are due at the end."""
        for each in self._records:
            self._state, messages = self._source.step(self._state, each, None)
            yield from messages
        yield from self._source.finish(self._state)


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


def session_records_of(session: SessionFiles, errors: OnError) -> Iterator[Record]:
    """Yield the records of a session's files as one stream.

    Args:
        session: the files.
        errors: what to do with what can't be read.

    Raises:
        DecodeError: something can't be read, and ``errors`` is ``raise``.
    """
    from refold.sources.claude_code.folder import session_records  # noqa: PLC0415

    return session_records(session, lambda path: _values(look_at(path), errors))


def paths_of(session: SessionFiles) -> list[Path]:
    """Return a session's transcripts, the main one first.

    Args:
        session: its files.
    """
    main = [] if session.main is None else [session.main]
    return [*main, *(each.path for each in session.agents)]
