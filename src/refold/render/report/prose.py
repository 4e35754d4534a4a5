"""What people and models wrote: Markdown, lightly.

Rules of this file:

- No character is taken away: marks stay where they are and step back, so that a text can be copied
  as it was written and none is mistaken for another.
- What can't be seen is shown first (``harmless``), so that a line of it isn't taken for a blank one.
- Code between fences keeps its lines; so does a table. Lists hang.
- No address in a text becomes a link, and no image in it is loaded.
- Linear in the text, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, Literal, TypeAlias

from refold.render.report.html import Content, Html, element, joined
from refold.render.terminal.harmless import harmless

__all__ = ["prose"]

Kind: TypeAlias = Literal["blank", "code", "heading", "list", "quote", "table", "text"]

_FENCE: Final = re.compile(r"\s{0,8}(?P<mark>```+|~~~+)")
_KINDS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("blank", re.compile(r"\s*\Z")),
    ("heading", re.compile(r"#{1,6}\s")),
    ("table", re.compile(r"\s{0,3}\|")),
    ("quote", re.compile(r"\s{0,3}>")),
    ("list", re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s")),
)
_INLINE: Final = re.compile(
    r"(?P<code>`[^`\n]{1,1000}`)|(?P<strong>\*\*[^*\s](?:[^*\n]{0,1000}[^*\s])?\*\*)"
)
_WHOLE_LINES: Final = ("code", "table")
_ALONE: Final = ("list", "heading")


def prose(text: str) -> Html:
    """Return a text as blocks.

    Args:
        text: any text.
    """
    lines = harmless(text).strip("\n").split("\n")
    blocks = groupby(_kinds(lines), key=lambda each: each[0])
    return joined(
        [block for kind, group in blocks for block in _blocks(kind, [line for _, line in group])]
    )


def _kinds(lines: Sequence[str]) -> Iterator[tuple[tuple[Kind, int], str]]:
    """Yield each line behind its kind and, for what stands between fences, which fences."""
    fence, number = "", 0
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            yield ("code", number), line
            fence = "" if _closes(found, line, fence) else fence
        elif found is not None:
            fence, number = found["mark"], number + 1
            yield ("code", number), line
        else:
            yield (_kind(line), 0), line


def _closes(found: re.Match[str] | None, line: str, fence: str) -> bool:
    return found is not None and found["mark"].startswith(fence) and line.strip() == found["mark"]


def _kind(line: str) -> Kind:
    for kind, pattern in _KINDS:
        if pattern.match(line):
            return kind
    return "text"


def _blocks(mark: tuple[Kind, int], lines: list[str]) -> Iterator[Html]:
    kind = mark[0]
    if kind in _WHOLE_LINES:
        yield element("pre", {"class": kind}, "\n".join(lines))
    elif kind in _ALONE:
        yield from (element("p", {"class": kind}, _inline(line)) for line in lines)
    elif kind != "blank":
        yield element("p", {"class": None if kind == "text" else kind}, _inline("\n".join(lines)))


def _inline(text: str) -> Html:
    parts: list[Content] = []
    at = 0
    for found in _INLINE.finditer(text):
        parts.append(text[at : found.start()])
        size = 1 if found["code"] else 2
        inside = found[0][size:-size]
        mark = element("span", {"class": "mark"}, found[0][:size])
        parts.append(element("code" if found["code"] else "strong", {}, mark, inside, mark))
        at = found.end()
    return joined([*parts, text[at:]])
