"""Tables of figures: the sections that the terminal shows, for a page.

Rules of this file:

- No figure is made here: texts in, cells out. A bar is drawn as long as its text is.
- A row that is about something on the page leads there, and can be led to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Final

from refold.render.report.html import Attributes, Html, element, joined, link
from refold.render.report.links import row_id, session_id, to_place
from refold.render.report.subject import Subject
from refold.render.sections import About, Head, Section, Tone

__all__ = ["places_told", "tables", "tiles"]

_BAR: Final = "█"
_BAR_TONES: Final = ("bar", "model", "tools", "waiting", "idle")


def tiles(section: Section) -> Html:
    """Return a section of names, values and notes as tiles."""
    tile = [
        element(
            "div",
            {"class": "tile"},
            element("dt", {}, row[0]),
            element("dd", {}, *row[1:2], *[element("small", {}, note) for note in row[2:] if note]),
        )
        for row in section.rows
    ]
    return element("dl", {"class": "tiles"}, *tile)


def tables(sections: Iterable[Section], subject: Subject) -> Html:
    """Return sections as tables.

    Args:
        sections: the sections.
        subject: what they tell of.
    """
    named: set[str] = set()
    shown: list[Html] = []
    for section in sections:
        rows: list[Html] = []
        for row, place in zip_longest(section.rows, _places(section, subject)):
            rows.append(_row(section, row, place, len(rows), named=place not in named))
            named |= set() if place is None else {place}
        shown.append(_table(section, rows))
    return element("div", {"class": "tables"}, *shown)


def places_told(sections: Iterable[Section], subject: Subject) -> frozenset[str]:
    """Return the ids of what rows are about.

    Args:
        sections: the sections.
        subject: what they tell of.
    """
    found = [place for section in sections for place in _places(section, subject)]
    return frozenset([place for place in found if place is not None])


def _places(section: Section, subject: Subject) -> list[str | None]:
    return [_place(about, subject) for about in section.about]


def _place(about: About, subject: Subject) -> str | None:
    if about.ordinal is not None:
        return subject.place_of(about.place, about.ordinal)
    return session_id(about.place) if about.place else None


def _table(section: Section, rows: Sequence[Html]) -> Html:
    heads = [element("th", _cell(head, scope="col"), head.title) for head in section.heads]
    titled = any(head.title for head in section.heads)
    top = [element("thead", {}, element("tr", {}, *heads))] if titled else []
    drawn = element("table", {}, *top, element("tbody", {}, *rows))
    return element(
        "section",
        {},
        element("h3", {}, section.title),
        element("div", {"class": "table"}, drawn),
        *([element("p", {"class": "note"}, section.note)] if section.note else []),
    )


def _row(
    section: Section, row: tuple[str, ...], place: str | None, number: int, *, named: bool
) -> Html:
    heading = next((at for at, head in enumerate(section.heads) if head.tone == "name"), 0)
    bar: Tone = section.bars[number] if section.bars else "bar"
    cells = [
        _filled(head, text, bar, place if at == heading else None, heading=at == heading)
        for at, (head, text) in enumerate(zip(section.heads, row, strict=True))
    ]
    return element("tr", {"id": row_id(place) if place is not None and named else None}, *cells)


def _filled(head: Head, text: str, bar: Tone, place: str | None, *, heading: bool) -> Html:
    if text and head.tone in _BAR_TONES and set(text) == {_BAR}:
        tone = bar if head.tone == "bar" else head.tone
        return element("td", {"class": "bars"}, _bar(len(text), tone))
    indent = len(text) - len(text.lstrip(" "))
    content = text if place is None else link(to_place(place), {}, text.strip() or "–")
    content = content if not indent else joined([" " * indent, content])
    return (
        element("th", _cell(head, scope="row"), content)
        if heading
        else element("td", _cell(head), content)
    )


def _bar(size: int, tone: Tone) -> Html:
    return element(
        "svg",
        {"class": f"meter {tone}", "width": 4 * size, "height": 10, "aria-hidden": "true"},
        element("rect", {"x": 0, "y": 0, "width": 4 * size, "height": 10}),
    )


def _cell(head: Head, scope: str | None = None) -> Attributes:
    classes: Iterable[str] = (
        head.align,
        head.tone if head.tone in ("faint", "name") else "",
        "elastic" if head.elastic else "",
        "spare" if head.spare else "",
    )
    return {"class": " ".join(filter(None, classes)), "scope": scope}
