"""The end of a session's view, and pages in front of it.

Rules of this file:

- A window is the view's JSON with the last items only; ``start`` says how many stand in front. So
  the indices in patches of the whole view are right for every window, whoever holds which.
- A nested session is shown without items: whoever opens it asks for a page.
- A window holds one item at least, however large; more only while they are few and small.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from refold.session import Session
from refold.views import frame_json, item_json

__all__ = ["MOST", "json_text", "nested_at", "page", "windowed"]

MOST: Final = 200
_SIZE: Final = 1 << 20


def windowed(session: Session, most: int = MOST, size: int = _SIZE) -> dict[str, Any]:
    """Return a view's JSON with the last items only.

    Args:
        session: the session.
        most: how many items at most; of nested sessions, none.
        size: how many characters of JSON their items take at most, about.
    """
    shown = page(session, len(session.items), most, size)
    if session.subagents:
        shown["subagents"] = {
            name: windowed(each, most=0) for name, each in session.subagents.items()
        }
    return {**shown, **frame_json(session)}


def page(session: Session, before: int, most: int = MOST, size: int = _SIZE) -> dict[str, Any]:
    """Return the items in front of an index: ``{"start": …, "items": […]}``.

    Args:
        session: the session.
        before: the index of the first item that isn't wanted.
        most: how many items at most.
        size: how many characters of JSON they take at most, about.
    """
    start = end = min(max(before, 0), len(session.items))
    items: list[dict[str, Any]] = []
    while start > 0 and end - start < most and size > 0:
        start -= 1
        item = item_json(session.items[start])
        size -= len(json_text(item))
        items.append(item)
    return {"start": start, "items": items[::-1]}


def nested_at(session: Session, chain: Iterable[str]) -> Session | None:
    """Return the nested session at an origin, if there is one.

    Args:
        session: the main session.
        chain: session ids, outer to inner; the main session itself if there are none.
    """
    found: Session | None = session
    for session_id in chain:
        found = None if found is None else found.subagents.get(session_id)
    return found


def json_text(value: Any) -> str:
    """Return JSON in ASCII and without white space: one line, whatever is in its strings."""
    return json.dumps(value, separators=(",", ":"))
