"""The socket of ``refold serve``, and the server behind it (extra ``web``).

Rules of this file:

- The socket is bound before anything is said, so the address that is told is the one in use.
- Streams never end by themselves: they are ended before the server waits for its connections.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any

from refold.errors import MissingExtraError
from refold.web.app import make_app
from refold.web.feed import Feed

try:
    import uvicorn
except ImportError as error:
    raise MissingExtraError("refold serve", "web") from error

__all__ = ["address_of", "bound", "is_loopback", "serve"]


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens at a host and port; port 0 is any that is free.

    Raises:
        OSError: the host is none of this machine's, or the port is taken.
    """
    family, *_, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    return socket.create_server(address[:2], family=family, backlog=128)


def address_of(listening: socket.socket) -> str:
    """Return the URL at which a browser on this machine finds a socket."""
    host, port = listening.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = "127.0.0.1" if listening.family == socket.AF_INET else "::1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_loopback(listening: socket.socket) -> bool:
    """Tell whether only this machine reaches a socket."""
    return ip_address(listening.getsockname()[0]).is_loopback


def serve(feeds: Sequence[Feed], listening: socket.socket, *, names: Sequence[str] = ()) -> None:
    """Serve sessions until interrupted.

    Args:
        feeds: the sessions' files.
        listening: where.
        names: host names that requests may use beside localhost and addresses.
    """
    config = uvicorn.Config(
        make_app(feeds, names=names), log_level="warning", access_log=False, server_header=False
    )
    _Server(config, feeds).run(sockets=[listening])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, feeds: Sequence[Feed]) -> None:
        super().__init__(config)
        self._feeds = feeds

    async def shutdown(self, sockets: Any = None) -> None:
        for each in self._feeds:
            each.close()
        await super().shutdown(sockets)
