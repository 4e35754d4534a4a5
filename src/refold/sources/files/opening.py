"""The messages of a session, whatever the format of its files.

Rules of this file:

- The format is what the first records say, unless the caller says it; what was taken is told.
- OmniMessage traces are completed: with the other shards beside one that was given, if they are of
  the same session, and with the traces of nested sessions. So are Claude Code's, with the files of
  their subagents.
- A pipe is read once, so nothing is asked of it before, and nothing belongs to it.
- Lazy from end to end: what is open is bounded by how many sessions go on at one time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from refold.decode.json_lines import json_lines
from refold.decode.streams import OnError, messages_of
from refold.decode.typed import LineReader, line_reader
from refold.messages import Message
from refold.records import record
from refold.sources.files.foreign import (
    Run,
    batches_of,
    paths_of,
    session_at,
    session_batches_of,
)
from refold.sources.files.inputs import Input, is_pipe, opened
from refold.sources.files.looks import Look, detected, look_at
from refold.sources.files.reading import read, session_id_of
from refold.sources.files.shards import Neighbourhood, in_order, shards_beside
from refold.sources.nested import woven
from refold.sources.registry import FormatError, source_named
from refold.sources.shapes import values_in

if TYPE_CHECKING:
    from refold.sources.claude_code.folder import SessionFiles

__all__ = ["Trace", "open_trace"]

_OMNI: Final = "omni"
_CLAUDE_CODE: Final = "claude-code"


@record
class Trace:
    """A session's messages, to be taken once.

    Args:
        format: the name of the format that was taken.
        files: what is read, in order, as errors call it; nested sessions' traces apart.
        messages: the messages.
        counts: how many records were not understood so far, by reason.
    """

    format: str
    files: tuple[str, ...]
    messages: Iterator[Message]
    counts: Callable[[], dict[str, int]]


def open_trace(
    *sources: Input,
    format: str | None = None,
    errors: OnError = "raise",
    complete: bool = True,
    positions: bool = True,
) -> Trace:
    """Return the messages of one session.

    Args:
        sources: its files in order: paths (shards come in the order of their numbers), the common
            beginning of shards' names, ``-`` for standard input, open files, or lines; or a folder
            that holds one session.
        format: the name of a format; if left out, the first records tell.
        errors: what to do with what can't be read: ``raise`` it, ``skip`` it, or a function that
            gets the ``DecodeError``, after which reading goes on.
        complete: whether to look for shards and for nested sessions' files beside a file.
        positions: whether OmniMessages say where they came from; not to is a little faster.

    Raises:
        FormatError: the format is unknown or can't be told, or a folder holds no session, or several.
        DecodeError: something can't be read, and ``errors`` is ``raise``; when it is reached.
        OSError: a file can't be read; the first one now, others when they are reached.
    """
    folder = _session_in(Path(sources[0])) if _is_folder(sources) else None
    files: Sequence[Input] = _ordered(sources) if folder is None else paths_of(folder)
    complete = complete and not (isinstance(files[0], Path) and is_pipe(files[0]))
    first = look_at(files[0])
    source = source_named(format) if format else detected(first)
    if source.name == _OMNI:
        return _omni_trace(files, first, errors, complete=complete, positions=positions)
    if source.name == _CLAUDE_CODE and complete and len(files) == 1 and isinstance(files[0], Path):
        folder = session_at(files[0])
    if source.name == _CLAUDE_CODE and folder is not None:
        run = Run(source, session_batches_of(folder, errors))
        return _trace(source.name, paths_of(folder), run.messages(), run.counts)
    run = Run(source, batches_of(_looks(files, first), errors))
    return _trace(source.name, files, run.messages(), run.counts)


def _omni_trace(
    files: Sequence[Input], first: Look, errors: OnError, *, complete: bool, positions: bool
) -> Trace:
    if complete and len(files) == 1:
        files = _same_session(files[0])
    messages = _omni_messages(_looks(files, first), errors, positions)
    if complete and isinstance(files[0], Path):
        messages = woven(messages, _children(files[0].parent, errors, positions))
    return _trace(_OMNI, files, messages, dict)


def _trace(
    source_format: str,
    files: Sequence[Input],
    messages: Iterator[Message],
    counts: Callable[[], dict[str, int]],
) -> Trace:
    names = tuple(opened(each).name or "the input" for each in files)
    return Trace(format=source_format, files=names, messages=messages, counts=counts)


# --- which files ------------------------------------------------------------------------------


def _ordered(sources: tuple[Input, ...]) -> list[Input]:
    if not sources:
        raise ValueError("there is nothing to read: no source was given")
    if not all(_is_path(each) for each in sources):
        return list(sources)
    paths = [Path(each) for each in sources if isinstance(each, str | os.PathLike)]
    named = [each for path in paths for each in ([path] if path.exists() else shards_beside(path))]
    return list(in_order(named))


def _is_path(source: Input) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(source, str | os.PathLike) and source != "-"


def _is_folder(sources: tuple[Input, ...]) -> TypeGuard[tuple[str | os.PathLike[str]]]:
    return len(sources) == 1 and _is_path(sources[0]) and Path(sources[0]).is_dir()


def _session_in(folder: Path) -> SessionFiles:
    session = session_at(folder)
    if session is None:
        raise FormatError(f"{folder} is a folder and holds no session: name a file")
    return session


def _same_session(source: Input) -> list[Input]:
    """Return the shards of the trace that a file is one of; others beside it are other traces."""
    session_id = session_id_of(source) if isinstance(source, Path) else None
    if session_id is None or not isinstance(source, Path):
        return [source]
    beside = [source if each == source else each for each in shards_beside(source)]
    return [each for each in beside if each is source or session_id_of(each) == session_id]


# --- what is in them --------------------------------------------------------------------------


def _looks(files: Iterable[Input], first: Look) -> Iterator[Look]:
    return (first if each is first.source else look_at(each) for each in files)


def _omni_messages(looks: Iterable[Look], errors: OnError, positions: bool) -> Iterator[Message]:
    reader = line_reader()
    for look in looks:
        yield from messages_of(
            _omni_values(look, reader),
            lane=look.lane,
            name=look.name,
            errors=errors,
            positions=positions,
            message_of=reader.message_of,
        )


def _omni_values(look: Look, reader: LineReader) -> Iterator[tuple[int | None, Any]]:
    if look.shape == "lines":
        return json_lines(look.chunks, name=look.name, bounded=False, parse=reader.parse)
    return values_in(look.chunks, look.shape, name=look.name)


def _children(
    directory: Path, errors: OnError, positions: bool
) -> Callable[[str], Iterator[Message] | None]:
    """Return what opens the trace of a nested session that lies in or near a directory."""
    around = Neighbourhood(directory)

    def open_child(session_id: str) -> Iterator[Message] | None:
        paths = around.traces_of(session_id)
        traces = (read(each, errors=errors, positions=positions) for each in paths)
        return chain.from_iterable(traces) if paths else None

    return open_child
