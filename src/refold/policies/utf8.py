"""Texts measured and cut in UTF-8 bytes.

Rules of this file:

- A limit is in bytes and is never exceeded, its marker included; a cut falls between characters.
- What UTF-8 can't carry is replaced: two halves of a surrogate pair join to their character, a
  lone half becomes U+FFFD. A text that needs no change is returned as it is.
- A code point never takes less than a byte, so a cut looks at ``limit`` of them, not at the whole.
"""

from __future__ import annotations

__all__ = ["clamp", "head", "sendable", "tail", "utf8_length"]


def sendable(text: str) -> str:
    """Return a text that UTF-8 can carry.

    Args:
        text: any string, lone surrogates included.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def utf8_length(text: str) -> int:
    """Return how many UTF-8 bytes a text takes once it is sendable."""
    return len(text) if text.isascii() else len(sendable(text).encode())


def head(text: str, limit: int) -> str:
    """Return the longest beginning of a text within a limit.

    Args:
        text: any string.
        limit: bytes; below 0 counts as 0.
    """
    limit = max(0, limit)
    return sendable(text[:limit]).encode()[:limit].decode("utf-8", "ignore")


def tail(text: str, limit: int) -> str:
    """Return the longest end of a text within a limit.

    Args:
        text: any string.
        limit: bytes; below 0 counts as 0.
    """
    limit = max(0, limit)
    kept = sendable(text[max(0, len(text) - limit) :]).encode()
    return kept[max(0, len(kept) - limit) :].decode("utf-8", "ignore")


def clamp(text: str, limit: int, marker: str = "…") -> str:
    """Return a text, cut to a limit that includes the marker which says so.

    Args:
        text: any string.
        limit: bytes.
        marker: what stands at a cut; left out where it doesn't fit itself.
    """
    if utf8_length(text) <= limit:
        return sendable(text)
    room = limit - utf8_length(marker)
    return head(text, limit) if room < 0 else head(text, room) + marker
