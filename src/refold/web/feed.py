"""One file, followed and told to everybody who listens.

Rules of this file:

- One task polls; whoever listens is woken by a new version and takes what is new from the
  chronicle at its own pace. So a slow listener costs nothing and holds nobody up.
- Reading and folding happen in a thread: nobody waits for a large file.
- While a replaced file is being read, what was shown stays.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from refold.errors import DecodeError, RefoldError, told
from refold.records import record
from refold.session import Session
from refold.sources.files.following import Follower
from refold.web.chronicle import Chronicle, Version, begin, extend, since
from refold.web.growth import Growth, grow, shown
from refold.web.server_events import HEARTBEAT, RETRY, event_text
from refold.web.windowed import json_text, windowed

__all__ = ["Feed", "Status"]

_AT_ONCE: Final = 2_000
_EAGER_S: Final = 0.1
_CALM_S: Final = 0.5
_CALM_BEHIND_S: Final = 30.0
_HEARTBEAT_S: Final = 15.0

_NOTHING = Session()


@record
class Status:
    """What is to be said of a file, beside its session.

    Args:
        format: the name of its format; None as long as it can't be told.
        is_reading: there is more in it than what is shown.
        messages: how many messages were read.
        grown_ms: when it grew last, in Unix ms; None if it never did.
        faults: how many places couldn't be read.
        problem: why it can't be read at all, if so.
    """

    format: str | None = None
    is_reading: bool = True
    messages: int = 0
    grown_ms: int | None = None
    faults: int = 0
    problem: str | None = None


class Feed:
    """A file that is followed.

    Args:
        source: as ``Follower`` takes it.
        token: tells this server's event ids from those of others; without a dash.
        format: the name of its format; told from the first records if left out.
        report: gets what can't be read.
    """

    def __init__(
        self,
        source: str,
        *,
        token: str,
        format: str | None = None,
        report: Callable[[DecodeError], None] = lambda _: None,
    ) -> None:
        self.name = "standard input" if source == "-" else Path(source).name or source
        self.status = Status()
        self.chronicle: Chronicle = begin(f"{token}.none", _NOTHING)
        self._token = token
        self._report = report
        self._faults = 0
        self._follower = Follower(source, format=format, errors=self._note)
        self._growth = Growth()
        self._rested: Growth | None = None
        self._turn = asyncio.Event()
        self._is_closed = False
        self._snapshot: tuple[Version, str] | None = None

    # --- following ----------------------------------------------------------------------------

    async def follow(self) -> None:
        """Follow the file until cancelled."""
        quiet_since = time.monotonic()
        while not self._is_closed:
            chronicle, status, more = await asyncio.to_thread(self._look)
            if chronicle is not self.chronicle or status != self.status:
                self.chronicle, self.status = chronicle, status
                quiet_since = time.monotonic()
                self._wake()
            calm = time.monotonic() - quiet_since > _CALM_BEHIND_S
            await asyncio.sleep(0 if more else _CALM_S if calm else _EAGER_S)

    def close(self) -> None:
        """Let everybody who listens go."""
        self._is_closed = True
        self._wake()

    def _wake(self) -> None:
        turn, self._turn = self._turn, asyncio.Event()
        turn.set()

    def _look(self) -> tuple[Chronicle, Status, bool]:
        """Poll the file; in a thread of its own, which only reads what others read."""
        now_ms = time.time_ns() // 1_000_000
        faults = self._faults
        try:
            poll = self._follower.poll(_AT_ONCE)
        except (RefoldError, OSError) as error:
            return self.chronicle, self._status(told(error)), False
        self._faults -= faults if poll.restarted else 0
        self._growth = grow(self._growth, poll, now_ms=now_ms, written_ms=self._written_ms(now_ms))
        return self._told(now_ms), self._status(None), poll.more

    def _told(self, now_ms: int) -> Chronicle:
        growth, chronicle = self._growth, self.chronicle
        if growth.is_catching_up or growth is self._rested:
            return chronicle
        session = shown(growth, self._follower.due(), now_ms=now_ms)
        if session is not growth.session:
            self._rested = growth
        epoch = f"{self._token}.{growth.reading}"
        return extend(chronicle, session) if chronicle.epoch == epoch else begin(epoch, session)

    def _status(self, problem: str | None) -> Status:
        growth = self._growth
        return Status(
            format=self._follower.format,
            is_reading=growth.is_catching_up,
            messages=growth.messages,
            grown_ms=growth.grown_ms,
            faults=self._faults,
            problem=problem,
        )

    def _written_ms(self, now_ms: int) -> int:
        """Return when one of the files was written last, in Unix ms; now for a stream."""
        times = []
        for each in self._follower.files:
            with suppress(OSError):
                times.append(Path(each).stat().st_mtime_ns // 1_000_000)
        return max(times, default=now_ms)

    def _note(self, error: DecodeError) -> None:
        self._faults += 1
        self._report(error)

    # --- telling ------------------------------------------------------------------------------

    async def events(self, after: str | None = None) -> AsyncIterator[str]:
        """Yield the text of an event stream: the status, then a snapshot or patches, as they come.

        Args:
            after: the event id of the version that the listener has, if it has one.
        """
        yield RETRY
        told: Status | None = None
        while not self._is_closed:
            turn, chronicle, status = self._turn, self.chronicle, self.status
            if status != told:
                yield event_text("status", json_text(self.status_json()))
                told = status
            for text in self._news(chronicle, after):
                yield text
            after = chronicle.event_id
            try:
                await asyncio.wait_for(turn.wait(), _HEARTBEAT_S)
            except TimeoutError:
                yield HEARTBEAT

    def _news(self, chronicle: Chronicle, after: str | None) -> list[str]:
        versions = since(chronicle, after)
        if versions is None:
            return [event_text("snapshot", self.snapshot(chronicle), chronicle.event_id)]
        return [
            event_text("patch", each.operations or "[]", chronicle.id_of(each)) for each in versions
        ]

    def snapshot(self, chronicle: Chronicle) -> str:
        """Return the JSON text of the last version's window; made once, whoever asks."""
        version = chronicle.latest
        if self._snapshot is None or self._snapshot[0] is not version:
            self._snapshot = version, json_text(windowed(version.session))
        return self._snapshot[1]

    def status_json(self) -> dict[str, Any]:
        """Return the status as JSON values, with the clock that its times are of."""
        status = self.status
        return {
            "name": self.name,
            "format": status.format,
            "is_reading": status.is_reading,
            "messages": status.messages,
            "grown_ms": status.grown_ms,
            "faults": status.faults,
            "problem": status.problem,
            "now_ms": time.time_ns() // 1_000_000,
        }
