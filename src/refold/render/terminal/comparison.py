"""What differs between two sessions, for a person.

Rules of this file:

- What belongs to one item stands together, under a line that says where it is.
- Texts of several lines are compared line by line, others word by word, around what differs.
- What is long is elided; what is left out is counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, Final

from refold.differences import ABSENT, Difference, Part
from refold.render.terminal.brief import fitted
from refold.render.terminal.cells import clipped
from refold.render.terminal.harmless import harmless, one_line
from refold.render.terminal.layout import Layout, narrowed
from refold.render.terminal.lines import BLANK, Line, Span, Tone, behind, line

__all__ = ["difference_lines"]

_MOST: Final = 40
_MOST_LINES: Final = 12
_LONGEST: Final = 2_000
_SHORT: Final = 40
_BEFORE: Final = 24
_TAB: Final = 4
_INDENT: Final = (Span("  "),)
_NAMES: Final = ("kind", "key")
_SAID: Final = ("name", "text", "thinking", "arguments_text", "reason", "status")
_WORDS: Final = re.compile(r"\w+|\s+|[^\w\s]")


def difference_lines(found: Sequence[Difference], layout: Layout) -> Iterator[Line]:
    """Yield what differs, and how much that is.

    Args:
        found: the differences, in order.
        layout: the layout; ``full`` is every difference, whole.
    """
    shown = found if layout.full else found[:_MOST]
    for part, group in groupby(shown, key=lambda each: each.part):
        yield fitted(_title(part), layout.width)
        for each in group:
            yield from behind(_INDENT, _INDENT, _one_lines(each, narrowed(layout, 2)))
        yield BLANK
    if len(found) > len(shown):
        yield line(f"… {len(found) - len(shown):,} more", "faint")
    yield line(_count_text(len(found)), "faint")


def _title(part: Part) -> Line:
    moved = "" if part.path_b == part.path else f" (in B {one_line(part.path_b)})"
    where = one_line(part.path) + moved
    return Span(one_line(part.label), "strong"), Span(f"  {where}" if where else "", "faint")


def _count_text(count: int) -> str:
    return "1 difference" if count == 1 else f"{count or 'no'} differences"


def _one_lines(each: Difference, layout: Layout) -> Iterator[Line]:
    name = one_line(each.within.removeprefix("/"))
    if type(each.a) is str and type(each.b) is str and (len(each.a) + len(each.b)) > _SHORT:
        yield line(clipped(name, layout.width), "faint")
        yield from _text_lines(each.a, each.b, layout)
        return
    label = Span(f"{name}: " if name else "", "faint")
    if each.a is ABSENT or each.b is ABSENT:
        yield fitted((label, *_only(each)), layout.width)
        return
    left, right = Span(_value_text(each.a), "removed"), Span(_value_text(each.b), "added")
    yield fitted((label, left, Span(" → ", "faint"), right), layout.width)


def _only(each: Difference) -> Line:
    """Return what only one side has."""
    if each.b is ABSENT:
        return Span("only in A: ", "removed"), Span(_value_text(each.a))
    return Span("only in B: ", "added"), Span(_value_text(each.b))


def _value_text(value: Any) -> str:
    """Return a value on one line: of an item, what it says."""
    if type(value) is dict and "kind" in value:
        said = " ".join([value[name] for name in _SAID if type(value.get(name)) is str])
        value = said or {name: each for name, each in value.items() if name not in _NAMES}
    text = value if type(value) is str else json.dumps(value, ensure_ascii=False)
    return one_line(text[:_LONGEST]) or '""'


# --- texts ------------------------------------------------------------------------------------


def _text_lines(a: str, b: str, layout: Layout) -> Iterator[Line]:
    """Yield what differs between two texts: lines, and where there is one on each side, words."""
    left, right, number = _middle(a.split("\n"), b.split("\n"))
    if number > 1:
        yield line(f"line {number:,}", "faint")
    if len(left) == 1 and len(right) == 1:
        yield from _word_lines(left[0], right[0], layout)
        return
    sides: tuple[tuple[str, Tone, list[str]], ...] = (
        ("- ", "removed", left),
        ("+ ", "added", right),
    )
    for sign, tone, lines in sides:
        shown = lines if layout.full else lines[:_MOST_LINES]
        for each in shown:
            yield line(clipped(sign + harmless(each).expandtabs(_TAB), layout.width), tone)
        if len(lines) > len(shown):
            yield line(f"… {len(lines) - len(shown):,} more lines", "faint")


def _middle(a: list[str], b: list[str]) -> tuple[list[str], list[str], int]:
    """Return two sequences without their common beginning and end, and where they begin, from 1."""
    few = min(len(a), len(b))
    head = next((at for at in range(few) if a[at] != b[at]), few)
    most = few - head
    tail = next((at for at in range(most) if a[-1 - at] != b[-1 - at]), most)
    return a[head : len(a) - tail], b[head : len(b) - tail], head + 1


def _word_lines(a: str, b: str, layout: Layout) -> Iterator[Line]:
    """Yield two lines, from shortly before where they part, their words marked that differ."""
    few = min(len(a), len(b))
    parting = next((at for at in range(few) if a[at] != b[at]), few)
    start = max(parting - _BEFORE, 0)
    front = "…" if start else ""
    reach = start + 4 * layout.width
    left, right = _WORDS.findall(a[start:reach]), _WORDS.findall(b[start:reach])
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    old = [(tag == "equal", "".join(left[i:j])) for tag, i, j, _, _ in codes]
    new = [(tag == "equal", "".join(right[k:m])) for tag, _, _, k, m in codes]
    yield fitted(_marked("- " + front, "removed", old), layout.width)
    yield fitted(_marked("+ " + front, "added", new), layout.width)


def _marked(front: str, tone: Tone, stretches: list[tuple[bool, str]]) -> Line:
    spans = [
        Span(harmless(text).expandtabs(_TAB), "plain" if is_equal else tone)
        for is_equal, text in stretches
        if text
    ]
    return (Span(front, tone), *spans)
