"""Ids and names of calls as every provider takes them.

Rules of this file:

- An id is of ``[A-Za-z0-9_-]``, at most 40 long (OpenAI Chat's limit, the narrowest), and unique
  in its history; one that already is stays as it is.
- A name is of the same letters, at most 64 long, and never empty.
- An id depends on the ids in front of it alone: what a history gains at its end changes none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["wire_ids", "wire_name"]

_LONGEST_ID = 40
_LONGEST_NAME = 64
_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")


def wire_ids(call_ids: Iterable[str]) -> tuple[str, ...]:
    """Return an id for each call that a provider takes and no other call has.

    Args:
        call_ids: the ids as recorded, in call order; repeated, empty and foreign ones included.
    """
    given: list[str] = []
    taken: set[str] = set()
    repeats: dict[str, int] = {}
    for call_id in call_ids:
        plain = _FOREIGN.sub("_", call_id[:_LONGEST_ID]) or "call"
        wire = plain
        while wire in taken:
            repeats[plain] = repeats.get(plain, 1) + 1
            suffix = f"_{repeats[plain]}"
            wire = plain[: _LONGEST_ID - len(suffix)] + suffix
        taken.add(wire)
        given.append(wire)
    return tuple(given)


def wire_name(name: str) -> str:
    """Return a tool's name as a provider takes it.

    Args:
        name: the name as recorded, possibly empty.
    """
    return _FOREIGN.sub("_", name[:_LONGEST_NAME]) or "unnamed"
