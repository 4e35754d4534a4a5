"""The messages of a session whose files grow.

Rules of this file:

- What was polled since the last restart folds to what a fresh reading of the files folds to: a
  file that was replaced or cut begins the session anew.
- Messages are given as soon as they are whole; only a torn last line waits.
- Shards that appear are followed, and so are the files of nested sessions: those of OmniMessages by
  their pointers, those of Claude Code's subagents by their folder.
- Nothing here waits, and nothing here knows what time it is: whoever polls decides how often.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from refold.decode.streams import OnError
from refold.messages import Message
from refold.records import record
from refold.sources.files.following.foreign_route import ForeignRoute
from refold.sources.files.following.growing import Growing, GrowingFile, GrowingStream
from refold.sources.files.following.omni_route import OMNI, OmniRoute
from refold.sources.files.following.routes import Route
from refold.sources.files.foreign import session_at
from refold.sources.files.inputs import is_pipe
from refold.sources.files.looks import Look, detected
from refold.sources.files.shards import shards_beside
from refold.sources.registry import FormatError, source_named
from refold.sources.source import Source

__all__ = ["Follower", "Poll"]

_MOST: Final = 10_000
_TELLING: Final = 32


@record
class Poll:
    """What came since the last poll.

    Args:
        messages: the next messages, in order.
        restarted: what was polled before is void; these begin the session anew.
        more: whether there may be more by now, so that it is worth polling at once.
    """

    messages: tuple[Message, ...] = ()
    restarted: bool = False
    more: bool = False


class Follower:
    """Follows a session's files while they grow.

    Poll it as often as you like, and fold what comes::

        follower = Follower("trace_001.jsonl")
        while True:
            poll = follower.poll()
            session = Session() if poll.restarted else session
            session = replay(poll.messages, now_ms=clock(), session=session)
            if not poll.more:
                sleep(0.25)

    Args:
        source: a trace, a live capture, another agent's transcript, the common beginning of
            shards' names, the folder of one Claude Code session, a pipe (opening it waits for a
            writer), or ``-`` for standard input. It need not be there yet.
        format: the name of a format; if left out, the first records tell, as soon as there are
            any.
        errors: what to do with what can't be read: ``raise`` it, ``skip`` it, or a function that
            gets the ``DecodeError``, after which reading goes on. After a restart it gets those of
            the new reading.
        complete: whether to look for shards and for nested sessions' files.

    Raises:
        FormatError: there is no format of that name.
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        *,
        format: str | None = None,
        errors: OnError = "skip",
        complete: bool = True,
    ) -> None:
        self._path = None if source == "-" else Path(source)
        self._source = None if format is None else source_named(format)
        self._errors: OnError = errors
        self._complete = complete
        self._route: Route | None = None
        self._file = self._beginning()

    @property
    def format(self) -> str | None:
        """The name of the format; None as long as it can't be told."""
        if self._route is not None:
            return self._route.format
        return None if self._source is None else self._source.name

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are read so far, those of nested sessions among them."""
        return () if self._route is None else tuple(map(str, self._route.paths))

    @property
    def ended(self) -> bool:
        """Whether a pipe was closed, so that nothing new can come. A file never ends."""
        return self._file.ended

    def poll(self, most: int = _MOST) -> Poll:
        """Return what came since the last poll; it doesn't wait.

        Args:
            most: how many messages to return, about: a record may give several.

        Raises:
            DecodeError: something can't be read, and ``errors`` is ``raise``.
            FormatError: the first records are of no known format, or of more than one.
            OSError: a file is there but can't be read.
        """
        restarted = self._route is not None and self._route.void
        if restarted:
            self._route, self._file = None, self._beginning()
        route = self._route = self._route or self._begun()
        if route is None:
            return Poll(restarted=restarted)
        messages: list[Message] = []
        for each in route.arrived():
            messages += each
            if len(messages) >= most:
                break
        if route.void:
            # These, too, are void; the next poll begins anew.
            return Poll(restarted=restarted, more=True)
        return Poll(messages=tuple(messages), restarted=restarted, more=len(messages) >= most)

    def due(self) -> tuple[Message, ...]:
        """Return the messages that would be due if no record came any more.

        They aren't taken back by what comes: fold them into a copy, to show it, or at the very end.
        """
        return () if self._route is None else self._route.due()

    def counts(self) -> dict[str, int]:
        """Return how many records were not understood since the last restart, by reason."""
        return {} if self._route is None else self._route.counts()

    # --- how it begins ------------------------------------------------------------------------

    def _beginning(self) -> Growing:
        if self._path is None:
            return GrowingStream(sys.stdin.fileno(), "<stdin>")
        if is_pipe(self._path):
            return GrowingStream(os.open(self._path, os.O_RDONLY), str(self._path))
        if self._path.is_dir():
            session = session_at(self._path)
            paths = [] if session is None else [session.main, *(a.path for a in session.agents)]
            return GrowingFile(next((each for each in paths if each is not None), self._path))
        return GrowingFile(self._path if self._path.exists() else shards_beside(self._path)[0])

    def _begun(self) -> Route | None:
        """Return the way of the format, as soon as that can be told."""
        try:
            look = self._file.look()
        except (FileNotFoundError, IsADirectoryError):
            self._file = self._beginning()
            return None
        source = self._source_of(look)
        if source is None:
            return None
        file, path = self._file, self._file.path if isinstance(self._file, GrowingFile) else None
        path = path if self._complete else None
        if source.name == OMNI:
            return OmniRoute(file, look.shape, path, self._errors)
        return ForeignRoute(source, file, look.shape, path, self._errors)

    def _source_of(self, look: Look) -> Source | None:
        if self._source is not None:
            return self._source if look.values else None
        try:
            return detected(look)
        except FormatError:
            if look.compression is None and len(look.values) < _TELLING and not self._file.ended:
                return None
            raise
