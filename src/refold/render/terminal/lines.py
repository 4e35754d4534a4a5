"""Lines of styled text, whatever shows them.

Rules of this file:

- A tone says what a text is, never what colour it has: that is for ``painting``.
- Without its tones a line is the same text: colours carry no words.
- Nothing here measures or wraps; nothing here comes from a trace unless made harmless before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["BLANK", "Line", "Span", "Tone", "behind", "line", "text_of"]

Tone: TypeAlias = Literal[
    "plain",
    "strong",
    "faint",
    "user",
    "thought",
    "tool",
    "code",
    "good",
    "waiting",
    "bad",
    "rule",
    "added",
    "removed",
]


class Span(NamedTuple):
    """A stretch of a line that is all of one kind."""

    text: str
    tone: Tone = "plain"


Line: TypeAlias = tuple[Span, ...]

BLANK: Line = ()


def line(text: str, tone: Tone = "plain") -> Line:
    """Return a line of one tone."""
    return (Span(text, tone),) if text else BLANK


def behind(first: Line, rest: Line, lines: Iterable[Line]) -> Iterator[Line]:
    """Yield lines with something in front of each.

    Args:
        first: what stands in front of the first one.
        rest: what stands in front of the others.
        lines: the lines.
    """
    front = first
    for each in lines:
        yield front + each if each else _trimmed(front)
        front = rest


def text_of(line: Line) -> str:
    """Return a line without its tones."""
    return "".join([span.text for span in line])


def _trimmed(front: Line) -> Line:
    """Return what stands in front of an empty line: no spaces behind it."""
    text = text_of(front)
    return (
        BLANK
        if not text.strip()
        else (*front[:-1], front[-1]._replace(text=front[-1].text.rstrip()))
    )
