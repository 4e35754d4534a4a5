"""Whether a resumed session is a fork: what its transcript tells.

Rules of this file (sources/claude-code.md 4.4):

- Evidence is a record of the resumed session that says it was forked from the one before, among
  the first or last ``NEAR`` records; or its own ``/fork`` or ``/branch``, written within
  ``WINDOW_MS`` of the hook, among the last ``NEAR``.
- ``forkedFrom`` stays in a transcript for ever. So evidence alone makes no fork: ``rotation`` asks
  besides that the session was never seen before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from refold.sources.claude_hooks.hooks import Hook
from refold.sources.fields import mapping, name, text
from refold.times import parse_ms

__all__ = ["NEAR", "WINDOW_MS", "tells_of_fork"]

NEAR = 200
WINDOW_MS = 10_000
_COMMAND = re.compile(r"<command-name>\s*/(?:fork|branch)\s*</command-name>")


def tells_of_fork(hook: Hook, previous: str | None, records: Sequence[Any]) -> bool:
    """Tell whether a transcript shows that the session a hook resumes is a fork.

    Args:
        hook: the ``SessionStart`` of the resume.
        previous: the native session that was current before.
        records: the transcript's records, plain JSON data; only its ends are looked at.
    """
    own = hook.session_id
    if own is None or previous is None or previous == own:
        return False
    last = records[-NEAR:]
    return any(_is_copied(each, own, previous) for each in (*records[:NEAR], *last)) or any(
        _is_command(each, own, hook.at_ms) for each in last
    )


def _is_copied(value: Any, own: str, previous: str) -> bool:
    entry = mapping(value)
    origin = name(mapping(entry.get("forkedFrom")).get("sessionId"))
    return origin == previous and entry.get("sessionId") == own


def _is_command(value: Any, own: str, at_ms: int | None) -> bool:
    entry = mapping(value)
    if entry.get("subtype") != "local_command" or entry.get("sessionId") != own:
        return False
    written_ms = parse_ms(name(entry.get("timestamp")))
    if written_ms is None or at_ms is None or abs(at_ms - written_ms) > WINDOW_MS:
        return False
    return _COMMAND.search(text(entry.get("content"))) is not None
