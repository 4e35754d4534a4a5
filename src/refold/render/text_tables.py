"""Sections in a terminal: with colours where ``rich`` is installed, plain otherwise.

Rules of this file:

- Both show the same texts in the same order; only the elastic columns are shortened, to the width.
- ``rich`` is imported where it is used and nowhere else. Nothing here reads the environment: the
  width and whether there are colours are arguments.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from refold.render.sections import Head, Section, Tone, without_column

__all__ = ["fitted", "has_rich", "plain_text", "rich_text"]

_GAP = "  "
_LEAST = 10
_ROOM = 24
_STYLES: dict[Tone, str] = {
    "plain": "",
    "name": "bold",
    "faint": "dim",
    "bar": "cyan",
    "model": "cyan",
    "tools": "green",
    "waiting": "yellow",
    "idle": "dim",
}


def has_rich() -> bool:
    """Tell whether ``rich`` is installed (the extra ``cli``)."""
    return find_spec("rich") is not None


def plain_text(sections: Iterable[Section], *, width: int) -> str:
    """Return sections as lines of plain text.

    Args:
        sections: what to show.
        width: how many columns there are; a table whose other columns need more gets more.
    """
    return "\n\n".join(_plain_section(section, width) for section in sections) + "\n"


def rich_text(sections: Iterable[Section], *, width: int) -> str:
    """Return sections as lines with colours, as terminals take them.

    Args:
        sections: what to show.
        width: how many columns there are.
    """
    console = import_module("rich.console").Console(
        width=width, force_terminal=True, color_system="256", legacy_windows=False
    )
    with console.capture() as capture:
        for number, section in enumerate(sections):
            if number:
                console.print()
            console.print(_rich_section(fitted(section, width), width))
            if section.note:
                console.print(section.note, style="dim italic", markup=False, highlight=False)
    text: str = capture.get()
    return text


# --- plain ------------------------------------------------------------------------------------


def _plain_section(section: Section, width: int) -> str:
    section = fitted(section, width)
    widths = _widths(section, width)
    titled = any(head.title for head in section.heads)
    lines = [section.title, "-" * _columns(section.title)]
    if titled:
        lines.append(_line([head.title for head in section.heads], section.heads, widths))
    lines += [_line(row, section.heads, widths) for row in section.rows]
    return "\n".join([*lines, section.note] if section.note else lines)


def fitted(section: Section, width: int) -> Section:
    """Return a section that leaves its elastic columns room, spare columns left out if need be."""
    while _least_width(section) > width:
        spares = [head.spare for head in section.heads]
        if not any(spares):
            break
        section = without_column(section, spares.index(max(spares)))
    return section


def _least_width(section: Section) -> int:
    needed = _needed(section)
    room = [
        min(columns, _ROOM) if head.elastic else columns
        for columns, head in zip(needed, section.heads, strict=True)
    ]
    return sum(room) + len(_GAP) * (len(room) - 1)


def _needed(section: Section) -> list[int]:
    table = [[head.title for head in section.heads], *section.rows]
    return [max(map(_columns, column)) for column in zip(*table, strict=True)]


def _line(texts: Sequence[str], heads: Sequence[Head], widths: Sequence[int]) -> str:
    cells = [
        _padded(_shortened(text, width), width, left=head.align == "left")
        for text, head, width in zip(texts, heads, widths, strict=True)
    ]
    return _GAP.join(cells).rstrip()


def _widths(section: Section, width: int) -> list[int]:
    """Return how wide each column is: as its texts need, the widest elastic ones cut to fit."""
    widths = [
        min(columns, width) if head.elastic else columns
        for columns, head in zip(_needed(section), section.heads, strict=True)
    ]
    elastic = [place for place, head in enumerate(section.heads) if head.elastic]
    over = sum(widths) + len(_GAP) * (len(widths) - 1) - width
    for _ in range(over):
        widest = max(elastic, key=lambda place: widths[place], default=None)
        if widest is None or widths[widest] <= _LEAST:
            break
        widths[widest] -= 1
    return widths


def _shortened(text: str, width: int) -> str:
    if _columns(text) <= width:
        return text
    kept, used = "", 1
    for character in text:
        used += _columns(character)
        if used > width:
            break
        kept += character
    return kept + "…"


def _padded(text: str, width: int, *, left: bool) -> str:
    space = " " * (width - _columns(text))
    return text + space if left else space + text


def _columns(text: str) -> int:
    return sum(
        0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


# --- rich -------------------------------------------------------------------------------------


def _rich_section(section: Section, width: int) -> Any:
    text = import_module("rich.text").Text
    table = import_module("rich.table").Table(
        title=text(section.title, style="bold underline"),
        title_justify="left",
        box=None,
        padding=(0, len(_GAP), 0, 0),
        pad_edge=False,
        header_style="dim",
        show_header=any(head.title for head in section.heads),
    )
    for head, columns in zip(section.heads, _widths(section, width), strict=True):
        table.add_column(
            text(head.title),
            justify=head.align,
            style=_STYLES[head.tone],
            no_wrap=True,
            overflow="ellipsis",
            width=columns,
        )
    for number, row in enumerate(section.rows):
        bar = _STYLES[section.bars[number] if section.bars else "bar"]
        table.add_row(
            *[
                text(each, style=bar if head.tone == "bar" else "")
                for each, head in zip(row, section.heads, strict=True)
            ]
        )
    return table
