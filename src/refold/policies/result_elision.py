"""Keep a tool's result within its budgets.

Rules of this file (sources/stream-json-and-acp.md 5.3):

- Texts share one budget and, with the images, the total, in order; both count UTF-8 bytes and
  include every marker, so neither is ever exceeded.
- A text that doesn't fit loses its middle: its beginning and its end say most. The marker tells
  how many bytes went. Cuts fall between characters.
- An image passes whole or becomes a marker: half an image is none.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.policies.history import Image, Part, PlainText
from refold.policies.utf8 import head, sendable, tail, utf8_length

__all__ = ["TEXT_BYTES", "TOTAL_BYTES", "elide_result", "elide_text"]

TEXT_BYTES = 50 * 1024
TOTAL_BYTES = 8 * 1024 * 1024


def elide_result(
    parts: Iterable[Part], *, total_bytes: int = TOTAL_BYTES, text_bytes: int = TEXT_BYTES
) -> tuple[Part, ...]:
    """Return a result's parts within both budgets; a part nothing is left for is dropped.

    Args:
        parts: texts and images, in order.
        total_bytes: what all of them may take, an image counting its URL.
        text_bytes: what the texts and markers may take.
    """
    kept: list[Part] = []
    for part in parts:
        fitted = _fitted(part, total_bytes, min(total_bytes, text_bytes))
        size = utf8_length(fitted.url if isinstance(fitted, Image) else fitted.text)
        total_bytes -= size
        text_bytes -= 0 if isinstance(fitted, Image) else size
        kept += [fitted] if size or not _bytes_of(part) else []
    return tuple(kept)


def elide_text(text: str, limit: int) -> str:
    """Return a text within a limit, its middle taken out where it is too long.

    Args:
        text: any string.
        limit: bytes, the marker included; where not even the marker fits, a beginning stays.
    """
    size = utf8_length(text)
    if size <= limit:
        return sendable(text)
    room = limit - utf8_length(_elided(size))
    if room < 0:
        return head(text, limit)
    front = head(text, room - room // 2)
    back = tail(text, room // 2)
    return front + _elided(size - utf8_length(front) - utf8_length(back)) + back


def _fitted(part: Part, total: int, texts: int) -> Part:
    if isinstance(part, PlainText):
        return PlainText(text=elide_text(part.text, texts))
    size = utf8_length(part.url)
    if size <= total:
        return part
    return PlainText(text=head(f"[image of {size} bytes left out]", texts))


def _bytes_of(part: Part) -> int:
    return utf8_length(part.url if isinstance(part, Image) else part.text)


def _elided(size: int) -> str:
    return f"\n[{size} bytes elided]\n"
