"""What a report of tables consists of, whatever shows it.

Rules of this file:

- A section is a title over a table of texts; it knows no terminal, no page and no colour.
- A text that came from a trace is made harmless before it gets here (``shown``).
"""

from __future__ import annotations

import unicodedata
from typing import Literal, TypeAlias

from refold.records import evolve, record

__all__ = ["About", "Align", "Head", "Section", "Tone", "shown", "without_column", "without_empty"]

Align: TypeAlias = Literal["left", "right"]
Tone: TypeAlias = Literal["plain", "name", "faint", "bar", "model", "tools", "waiting", "idle"]

_HIDDEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


@record
class Head:
    """The head of a column.

    Args:
        title: its title.
        align: which side its texts stand on.
        elastic: whether it may be shortened where room is short.
        spare: how soon it may be left out where room is short; 0 is never, larger goes first.
        tone: what its texts are, for whoever has colours.
    """

    title: str
    align: Align = "right"
    elastic: bool = False
    spare: int = 0
    tone: Tone = "plain"


@record
class About:
    """What a row is about, for whoever can show it.

    Args:
        place: the session's, in its analysis.
        ordinal: of the message it began with, in the whole stream; None is the session itself.
    """

    place: int
    ordinal: int | None = None


@record
class Section:
    """A table with a title.

    Args:
        title: its title.
        heads: its columns.
        rows: its texts, as many in each row as there are columns.
        note: what must be said below it, if anything.
        bars: the tone of the bars of each row; empty where all are alike.
        about: what each row is about; empty where that can't be told of one trace.
    """

    title: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    bars: tuple[Tone, ...] = ()
    about: tuple[About, ...] = ()


def without_column(section: Section, place: int) -> Section:
    """Return a section without one of its columns."""
    return evolve(
        section,
        heads=(*section.heads[:place], *section.heads[place + 1 :]),
        rows=tuple([(*row[:place], *row[place + 1 :]) for row in section.rows]),
    )


def without_empty(section: Section) -> Section:
    """Return a section without the columns in which no row says anything."""
    for place in reversed(range(len(section.heads))):
        if not any(row[place] for row in section.rows):
            section = without_column(section, place)
    return section


def shown(text: str) -> str:
    """Return a text of a trace as one harmless line: what can't be seen is shown as ``·``."""
    return "".join(
        "·" if unicodedata.category(character) in _HIDDEN else character for character in text
    )
