"""An event stream's text (HTML standard, "Server-sent events").

Rules of this file:

- Data is JSON in one line, so no event can end inside another's data.
- Only what a reader can resume from has an id.
"""

from __future__ import annotations

from typing import Final

__all__ = ["HEARTBEAT", "RETRY", "event_text"]

HEARTBEAT: Final = ":\n\n"
"""A comment, so that whoever stands between doesn't take the stream for dead."""

RETRY: Final = "retry: 1000\n\n"
"""How long a reader waits before it connects again, in ms."""


def event_text(name: str, data: str, event_id: str | None = None) -> str:
    """Return an event as text.

    Args:
        name: the event's type.
        data: JSON text in one line.
        event_id: what the reader gives when it comes back.
    """
    head = "" if event_id is None else f"id: {event_id}\n"
    return f"{head}event: {name}\ndata: {data}\n\n"
