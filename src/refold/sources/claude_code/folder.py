"""Which files of a folder are one session.

Rules of this file (sources/claude-code.md 1.7; census C11, C12):

- The only room of this package that looks at a disk. It finds files and peeks at their beginnings;
  reading them is the caller's, handed in as a function.
- A session is a main transcript and the files of its subagents: under ``<session>/subagents/`` in
  newer versions, beside the main transcript in older ones. There the session id inside tells whose
  they are; a folder with one main transcript is one session whatever that says.
- Subagents whose main transcript is missing are a session without one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from stat import S_ISDIR
from typing import Any, Final, TypeAlias

from refold.records import positional, record
from refold.sources.claude_code.fields import string
from refold.sources.claude_code.merging import merged
from refold.sources.source import Record

__all__ = ["AgentFile", "SessionFiles", "Values", "session_records", "sessions_in"]

Values: TypeAlias = Callable[[Path], Iterable[tuple[int | None, Any]]]

_AGENT: Final = "agent-"
_SUFFIX: Final = ".jsonl"
_PEEK: Final = 1 << 18

_record = positional(Record)


@record
class AgentFile:
    """A subagent's own files.

    Args:
        agent: its id.
        path: its transcript.
        meta: its side file, which names the call that spawned it, if there is one.
    """

    agent: str
    path: Path
    meta: Path | None = None


@record
class SessionFiles:
    """The files of one session.

    Args:
        session_id: its id, as the main transcript's name or its subagents' records say.
        main: the main transcript, if it is there.
        agents: the subagents' files, by id.
    """

    session_id: str
    main: Path | None
    agents: tuple[AgentFile, ...]


def sessions_in(path: Path) -> tuple[SessionFiles, ...]:
    """Return the sessions of a project's folder, of a session's folder, or of one transcript.

    Args:
        path: a folder, a main transcript, or a subagent's.

    Raises:
        OSError: the path isn't there, or something can't be listed or read.
    """
    if not S_ISDIR(path.stat().st_mode):
        return _of_file(path)
    beside = path.with_name(path.name + _SUFFIX)
    if (path / "subagents").is_dir() and not _mains(path) and beside.is_file():
        return _of_file(beside)
    return _of_folder(path)


def session_records(files: SessionFiles, values: Values) -> Iterator[Record]:
    """Yield the records of a session's files as one stream.

    Args:
        files: which files.
        values: reads one: line numbers (1-based, or None) and plain JSON data, in order.
    """
    main = () if files.main is None else _records(files.main, values)
    agents: dict[str, Iterable[Record]] = {}
    for each in files.agents:
        meta = () if each.meta is None else _records(each.meta, values)
        before = agents.get(each.agent, ())
        agents[each.agent] = chain(before, meta, _records(each.path, values))
    return merged(main, agents)


def _records(path: Path, values: Values) -> Iterator[Record]:
    return (_record(value, line, None) for line, value in values(path))


def _of_file(path: Path) -> tuple[SessionFiles, ...]:
    if path.name.startswith(_AGENT):
        session_id = _session_id(path) or path.stem
        return (SessionFiles(session_id=session_id, main=None, agents=(_agent_file(path),)),)
    return tuple(each for each in _of_folder(path.parent) if each.main == path)


def _of_folder(folder: Path) -> tuple[SessionFiles, ...]:
    mains = _mains(folder)
    agents: dict[Path | str, list[Path]] = {path: _agents(folder / path.stem) for path in mains}
    loose = [*_beside(folder), *_agents(folder / "subagents")]
    owners = _owners(mains) if loose and len(mains) > 1 else {}
    for path in loose:
        session_id = _session_id(path) or path.stem
        owner = mains[0] if len(mains) == 1 else owners.get(session_id, session_id)
        agents.setdefault(owner, []).append(path)
    return tuple(_session(owner, paths) for owner, paths in agents.items())


def _owners(mains: list[Path]) -> dict[str, Path]:
    """Return main transcripts by the session ids they go by: their names, then their records."""
    owners = {path.stem: path for path in mains}
    for path in mains:
        owners.setdefault(_session_id(path) or path.stem, path)
    return owners


def _session(owner: Path | str, paths: list[Path]) -> SessionFiles:
    agents = tuple(_agent_file(path) for path in sorted(paths, key=lambda each: each.name))
    if isinstance(owner, Path):
        return SessionFiles(session_id=owner.stem, main=owner, agents=agents)
    return SessionFiles(session_id=owner, main=None, agents=agents)


def _agent_file(path: Path) -> AgentFile:
    meta = path.with_name(f"{path.stem}.meta.json")
    return AgentFile(
        agent=path.stem.removeprefix(_AGENT), path=path, meta=meta if meta.is_file() else None
    )


def _mains(folder: Path) -> list[Path]:
    found = folder.glob(f"*{_SUFFIX}")
    return sorted(each for each in found if not each.name.startswith(_AGENT))


def _beside(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{_AGENT}*{_SUFFIX}"))


def _agents(folder: Path) -> list[Path]:
    return sorted(folder.rglob(f"{_AGENT}*{_SUFFIX}"))


def _session_id(path: Path) -> str | None:
    """Return the session id of the first record that carries one, as far as a peek tells."""
    with path.open("rb") as file:
        beginning = file.read(_PEEK)
    for line in beginning.split(b"\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        session_id = string(value, "sessionId") if type(value) is dict else None
        if session_id is not None:
            return session_id
    return None
