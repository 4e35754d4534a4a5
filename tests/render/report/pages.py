"""Pages, as a parser other than ours sees them: elements, attributes and text."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from typing import NamedTuple

from refold.messages import Message
from refold.render.report import report_html, subject_of

__all__ = ["Element", "Page", "page_of", "parsed"]

_VOID = {"meta", "img", "path", "rect"}
_OWN = ("script", "style")


class Element(NamedTuple):
    """An element: its name, its attributes, and how deep it stands."""

    name: str
    attributes: dict[str, str | None]
    depth: int


class Page(HTMLParser):
    """A page that was read.

    ``elements`` has all elements in order, ``text`` what stands between them, the page's own code
    and style left out; ``open`` is empty if everything that was opened was closed in order.
    """

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice: {names}"
        self.elements.append(Element(tag, dict(attrs), len(self.open)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in _OWN:
            self.text += data

    def all(self, name: str) -> list[Element]:
        """Return the elements of a name."""
        return [element for element in self.elements if element.name == name]

    def values(self, attribute: str) -> list[str]:
        """Return what an attribute says, wherever it stands."""
        found = (element.attributes.get(attribute) for element in self.elements)
        return [value for value in found if value is not None]

    def repeated_ids(self) -> list[str]:
        """Return ids that stand more than once."""
        return [name for name, times in Counter(self.values("id")).items() if times > 1]

    def dangling(self) -> list[str]:
        """Return links that lead nowhere on the page."""
        ids = set(self.values("id"))
        inner = [address[1:] for address in self.values("href") if address.startswith("#")]
        return [place for place in inner if place not in ids]


def parsed(markup: object) -> Page:
    """Read a piece of markup or a page."""
    return Page(str(markup))


def page_of(messages: list[Message]) -> Page:
    """Read the page about a stream."""
    return Page(report_html(subject_of(messages)))
