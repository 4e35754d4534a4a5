"""``refold serve`` as a process of its own, and requests to it.

Rules of this file:

- The real command on a real socket; what it prints tells where it is.
- Whoever waits waits for a condition; the limit is only for what never comes.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from refold.sources.sse import SseEvent, feed, framer

__all__ = ["Answer", "Server", "served", "wait_for"]

_PATIENCE_S = 30.0


def wait_for(condition: Callable[[], Any], what: str = "") -> Any:
    """Return what a condition gives as soon as that is true."""
    limit = time.monotonic() + _PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < limit, f"this never came: {what or condition}"
        time.sleep(0.02)
    return found


class Answer(NamedTuple):
    """What a server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """A running ``refold serve``.

    Args:
        files: what it serves.
        port: where; any if 0.
    """

    def __init__(self, *files: Path, port: int = 0, more: tuple[str, ...] = ()) -> None:
        words = ["serve", "--port", str(port), *more, *map(str, files)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "refold", *words], stdout=subprocess.PIPE, encoding="utf-8"
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        self.port = urlsplit(self.url).port or 0
        try:
            wait_for(self._answers, "the server")
        except BaseException:
            self.close()
            raise

    def _answers(self) -> bool:
        assert self.process.poll() is None, "the server has ended"
        try:
            return self.get("/api/sessions").status == 200
        except ConnectionRefusedError:
            return False

    def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """Ask for a path, sent as it is; ``_`` in a header's name stands for a dash."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE_S)
        names = {name.replace("_", "-").lower(): value for name, value in headers.items()}
        connection.putrequest(method, path, skip_host="host" in names)
        for name, value in names.items():
            connection.putheader(name, value)
        connection.endheaders()
        found = connection.getresponse()
        answer = Answer(found.status, {k.lower(): v for k, v in found.getheaders()}, found.read())
        connection.close()
        return answer

    @contextmanager
    def events(self, path: str, **headers: str) -> Iterator[Iterator[SseEvent]]:
        """Open an event stream and yield its events as they come."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE_S)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers=names)
        try:
            yield _events(connection.getresponse())
        finally:
            connection.close()

    def status(self, number: int = 0) -> Any:
        """Return what the list of sessions says of one."""
        return self.get("/api/sessions").json[number]

    def has_read(self, messages: int, number: int = 0) -> None:
        """Wait until that many messages of a session are shown."""

        def is_read() -> bool:
            status = self.status(number)
            return status["messages"] == messages and not status["is_reading"]

        wait_for(is_read, f"{messages} messages, {self.status(number)}")

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self.process.kill()
        self.close()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(_PATIENCE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def served(*files: Path, port: int = 0, more: tuple[str, ...] = ()) -> Iterator[Server]:
    """Serve files as long as the context lasts."""
    server = Server(*files, port=port, more=more)
    try:
        yield server
    finally:
        server.close()


def _events(response: http.client.HTTPResponse) -> Iterator[SseEvent]:
    state = framer()
    while chunk := response.read1(1 << 16):
        state, found = feed(state, chunk)
        yield from (each for each in found if isinstance(each, SseEvent))
