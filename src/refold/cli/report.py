"""Write one self-contained HTML page about a session.

Rules of this file:

- All FILEs are one session. The page is written whole, or not at all.
- What it is and how large is said on standard error, where the page itself doesn't go.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from refold.cli.files import Reading, add_file_arguments, output
from refold.cli.prices import add_prices_argument, prices_of
from refold.cli.saying import say
from refold.render.numbers import count_text
from refold.render.report import Cover, Subject, report_html, subject_of
from refold.sources.files import Trace

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold report``."""
    add_file_arguments(parser)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT",
        help="the page to write; - is standard output",
    )
    parser.add_argument("--title", help="the page's title; the session's own if left out")
    add_prices_argument(parser)
    parser.add_argument(
        "--whole", action="store_true", help="leave nothing out of very long outputs"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the page and return the exit code."""
    prices = prices_of(arguments)
    reading = Reading(arguments)
    trace = reading.open(*arguments.files)
    subject = subject_of(trace.messages, prices=prices)
    page = _page(arguments, trace, subject)
    with output(arguments.output) as out:
        out.write(page)
    items = sum(len(session.items) for session in subject.sessions)
    size = count_text(len(page.encode()))
    say(f"{arguments.output}: {items:,} items, {size} bytes")
    return reading.code


def _page(arguments: argparse.Namespace, trace: Trace, subject: Subject) -> str:
    cover = Cover(
        title=arguments.title,
        files=tuple([Path(file).name for file in trace.files]),
        format=trace.format,
        unread=tuple(sorted(trace.counts().items())),
    )
    if arguments.whole:
        return report_html(subject, cover, longest=0)
    return report_html(subject, cover)
