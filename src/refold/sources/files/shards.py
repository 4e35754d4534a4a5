"""Which files hold one trace, and where the traces of nested sessions are.

Rules of this file (sources/README.md, ``omni``):

- A trace that grew too large goes on in another file: ``NAME_001.jsonl``, ``NAME_002.jsonl``, …,
  in the order of their numbers.
- The trace of a session has its id as its name, whole or behind a prefix that ends in two
  underscores. Names come from listing directories: an id is never made into a path.
- Traces lie side by side, in one directory or in one for each day; the id then says the day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

__all__ = ["Neighbourhood", "in_order", "shards_beside"]

_SHARD = re.compile(r"(?P<stem>.+)_(?P<number>\d{3,18})\.jsonl")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ENDING = ".jsonl"


def in_order(paths: Iterable[Path]) -> list[Path]:
    """Return paths without doubles, the shards of a trace together and by number.

    Args:
        paths: files, in any order.
    """
    groups: dict[Path, dict[Path, Path]] = {}
    for path in paths:
        whole = path.resolve()
        groups.setdefault(whole.with_name(_stem(whole)), {}).setdefault(whole, path)
    return [path for group in groups.values() for path in sorted(group.values(), key=_number)]


def shards_beside(path: Path) -> list[Path]:
    """Return the files of the trace that a path names, in order.

    Args:
        path: one of them, or what their names begin with: all but the number and the ending.
    """
    exists = path.exists()
    if exists and not _SHARD.fullmatch(path.name):
        return [path]
    stem = _stem(path) if exists else path.name
    shards = [each for each in _listed(path.parent) if _SHARD.fullmatch(each.name)]
    return [each for each in shards if _stem(each) == stem] or [path]


class Neighbourhood:
    """The traces that lie around one, listed once.

    Args:
        directory: where that one lies.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._named: dict[Path, dict[str, list[Path]]] = {}

    def traces_of(self, session_id: str) -> list[Path]:
        """Return the files of a session's trace, in order; none if there is no trace.

        Args:
            session_id: any text.
        """
        for place in self._places(session_id):
            if place not in self._named:
                self._named[place] = _by_session(place)
            found = self._named[place].get(session_id)
            if found:
                return found
        return []

    def _places(self, session_id: str) -> list[Path]:
        day = _DAY.search(session_id)
        if day is None or not _DAY.fullmatch(self._directory.name):
            return [self._directory]
        return [self._directory, self._directory.with_name(day[0])]


def _by_session(directory: Path) -> dict[str, list[Path]]:
    stems: dict[str, list[Path]] = {}
    for path in _listed(directory):
        stems.setdefault(_stem(path), []).append(path)
    return {stem.rpartition("__")[2]: paths for stem, paths in stems.items()} | stems


def _listed(directory: Path) -> list[Path]:
    """Return the traces in a directory by name and number, none if there is no such directory."""
    try:
        paths = [each for each in directory.iterdir() if each.name.endswith(_ENDING)]
    except OSError:
        return []
    return sorted(paths, key=lambda path: (_stem(path), _number(path)))


def _stem(path: Path) -> str:
    shard = _SHARD.fullmatch(path.name)
    return path.name.removesuffix(_ENDING) if shard is None else shard["stem"]


def _number(path: Path) -> int:
    shard = _SHARD.fullmatch(path.name)
    return 0 if shard is None else int(shard["number"])
