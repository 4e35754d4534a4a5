"""Markdown, lightly: tones for what stands out, and the text as it is.

Rules of this file:

- No character is taken away or added: what was written can be copied, and colours carry no words.
- A list's entries and quotations hang: their further rows stand under their first.
- Code between fences isn't wrapped at words' cost: it is only broken where it is too long.
- Whatever the text, it is rows of spans; nothing here is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from refold.render.terminal.cells import columns, rows
from refold.render.terminal.harmless import harmless
from refold.render.terminal.lines import Line, Span, Tone, line

__all__ = ["markdown_lines"]

_TAB: Final = 4
_HANGING: Final = re.compile(r"\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?|>\s?)?")
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_HEADING: Final = re.compile(r"#{1,6}\s")
_INLINE: Final = re.compile(r"(?P<code>`[^`]+`)|(?P<strong>\*\*[^*\s](?:[^*]*[^*\s])?\*\*)")


def markdown_lines(text: str, width: int) -> Iterator[Line]:
    """Yield a text in lines of spans.

    Args:
        text: any text.
        width: how many columns there are.
    """
    fenced = False
    for source in text.strip("\n").split("\n"):
        flat = harmless(source.removesuffix("\r")).expandtabs(_TAB)
        fence = _FENCE.match(flat) is not None
        if fenced or fence:
            yield from (line(row, "faint" if fence else "code") for row in rows(flat, width))
        elif _HEADING.match(flat):
            yield from (line(row, "strong") for row in rows(flat, width))
        else:
            yield from map(_inline, _hanging(flat, width))
        fenced ^= fence


def _hanging(text: str, width: int) -> Iterator[str]:
    front = _HANGING.match(text)
    size = 0 if front is None else columns(front[0])
    if not 0 < size <= width // 2:
        yield from rows(text, width)
        return
    opening, rest = text[: len(front[0])], text[len(front[0]) :]  # type: ignore[index]
    for row in rows(rest, width - size):
        yield (opening + row).rstrip()
        opening = " " * size


def _inline(row: str) -> Line:
    spans: list[Span] = []
    at = 0
    for found in _INLINE.finditer(row):
        tone: Tone = "code" if found["code"] else "strong"
        spans += [Span(row[at : found.start()]), Span(found[0], tone)]
        at = found.end()
    spans.append(Span(row[at:]))
    return tuple([span for span in spans if span.text])
