"""Show sessions in a browser while they grow."""

from __future__ import annotations

import argparse
import secrets

from refold.cli.exits import DONE
from refold.cli.files import Reading, add_file_arguments
from refold.cli.saying import say

__all__ = ["add_arguments", "run"]

_PORT = 8765
_HIGHEST = 65_535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold serve``."""
    add_file_arguments(parser)
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to listen at; this machine only if left out",
    )
    parser.add_argument(
        "--port", type=_port, default=_PORT, metavar="N", help=f"0 is any; {_PORT} if left out"
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name that browsers may call this machine by, beside localhost and its addresses",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted and return the exit code."""
    from refold.web.feed import Feed  # noqa: PLC0415 - these two need the extra
    from refold.web.serving import address_of, bound, is_loopback, serve  # noqa: PLC0415

    report, token = Reading(arguments).report, secrets.token_hex(4)
    feeds = [
        Feed(file, token=f"{token}.{at}", format=arguments.format, report=report)
        for at, file in enumerate(arguments.files)
    ]
    with bound(arguments.host, arguments.port) as listening:
        print(address_of(listening), flush=True)
        if not is_loopback(listening):
            say("whoever reaches this address can read these sessions")
        serve(feeds, listening, names=[arguments.host, *arguments.allow_host])
    return DONE


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > _HIGHEST:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to {_HIGHEST}, got {text!r}")
    return int(text)
