"""What a reader of a growing file of lines has to see of it.

Rules of this file (sources/claude-code.md 6.1):

- A place in a file is told by its offset and up to ``WINDOW`` bytes in front of it.
- Nothing here reads a file: the caller reads the bytes that ``window`` names.
"""

from __future__ import annotations

import hashlib

from refold.records import record

__all__ = ["WINDOW", "Probe", "end_of_lines", "fingerprint", "offset_of_line", "probe", "window"]

WINDOW = 256


@record
class Probe:
    """What the caller saw of a file.

    Args:
        size: its length in bytes.
        before: the bytes that ``window`` names for the cursor's offset.
        end: the offset behind its last whole line.
        tail: the bytes that ``window`` names for ``end``.
    """

    size: int
    before: bytes
    end: int
    tail: bytes


def window(offset: int) -> slice:
    """Return which bytes of the file stand in front of an offset and are fingerprinted."""
    return slice(max(0, offset - WINDOW), max(0, offset))


def probe(content: bytes, offset: int = 0) -> Probe:
    """Return the probe of a file that is in memory.

    Args:
        content: all its bytes.
        offset: where its reader stands.
    """
    end = end_of_lines(content)
    return Probe(
        size=len(content),
        before=content[window(offset)],
        end=end,
        tail=content[window(end)],
    )


def end_of_lines(content: bytes) -> int:
    """Return the offset behind the last whole line."""
    return content.rfind(b"\n") + 1


def offset_of_line(content: bytes, line: int) -> int:
    """Return the offset behind the first ``line`` whole lines, or behind all there are."""
    offset = 0
    for _ in range(line):
        found = content.find(b"\n", offset)
        if found < 0:
            break
        offset = found + 1
    return offset


def fingerprint(offset: int, before: bytes) -> str:
    """Return the fingerprint of a place in a file.

    Args:
        offset: the place.
        before: the bytes that ``window`` names for it.
    """
    return hashlib.sha256(offset.to_bytes(8, "big") + before).hexdigest()
