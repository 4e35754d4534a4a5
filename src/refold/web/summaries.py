"""A served session in one line of a list.

Rules of this file:

- A title is what the session calls itself, else how its user began; whoever shows it falls back on
  the file's name.
"""

from __future__ import annotations

from typing import Any, Final

from refold.items import UserTextItem
from refold.session import Session

__all__ = ["summary_json", "title_of"]

_LONGEST: Final = 120
_EARLY: Final = 20


def summary_json(session: Session) -> dict[str, Any]:
    """Return what a list says of a session, as JSON values."""
    model = session.facts.get("model")
    return {
        "title": title_of(session),
        "model": model if isinstance(model, str) else None,
        "task_open": session.task_open,
        "items": len(session.items),
    }


def title_of(session: Session) -> str | None:
    """Return a session's title, in one line; None if there is none yet."""
    title = session.facts.get("title")
    if isinstance(title, str) and title.strip():
        return _line(title)
    texts = (item.text for item in session.items[:_EARLY] if isinstance(item, UserTextItem))
    return next((_line(text) for text in texts if text.strip()), None)


def _line(text: str) -> str:
    line = " ".join(text[: 4 * _LONGEST].split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
