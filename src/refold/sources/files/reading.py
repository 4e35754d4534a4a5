"""The messages of one file of OmniMessages.

Rules of this file:

- Lazy: a line is read when its message is asked for, and memory is bounded by the longest line.
- What becomes of bad lines is the caller's choice; whatever it is, the lines around them are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from refold.decode.json_lines import json_lines
from refold.decode.lines import MAX_LINE
from refold.decode.streams import OnError, messages_of
from refold.decode.typed import line_reader
from refold.messages import Message, SessionMeta
from refold.sources.files.inputs import Input, opened

__all__ = ["read", "session_id_of"]


def read(
    source: Input,
    *,
    errors: OnError = "raise",
    positions: bool = True,
    max_line_bytes: int = MAX_LINE,
) -> Iterator[Message]:
    """Yield the messages of a trace or a live capture, each with its place as ``transport.source``.

    Args:
        source: a path, ``-`` for standard input, an open binary or text file, or lines.
        errors: what to do with a line that is no message: ``raise`` it, ``skip`` it, or a function
            that gets the ``DecodeError``, after which reading goes on.
        positions: whether to say where each message came from; not to is a little faster.
        max_line_bytes: the longest line that is read, in bytes (characters of a text file).

    Raises:
        DecodeError: a line is no message, and ``errors`` is ``raise``.
        OSError: the file can't be read; when the first message is asked for.
    """
    file = opened(source)
    reader = line_reader()
    values = json_lines(
        file.chunks,
        name=file.name,
        max_line_bytes=max_line_bytes,
        bounded=False,
        parse=reader.parse,
    )
    return messages_of(
        values,
        lane=file.lane,
        name=file.name,
        errors=errors,
        positions=positions,
        message_of=reader.message_of,
    )


def session_id_of(path: Path) -> str | None:
    """Return the session id that a trace opens with, or None if it opens with something else.

    Args:
        path: the file.

    Raises:
        OSError: it can't be read.
    """
    first = next(read(path, errors="skip", positions=False), None)
    payload = None if first is None else first.payload
    return payload.session_id if isinstance(payload, SessionMeta) else None
