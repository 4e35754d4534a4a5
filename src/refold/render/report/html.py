"""Markup in which escaping can't be forgotten.

Rules of this file:

- ``Html`` is the only type of markup, and its constructor escapes. What is not ``Html`` is text, and
  text is escaped where it is put into an element.
- Elements and attributes are those listed here. None of them runs or loads anything: no handler, no
  ``style``, and ``href`` and ``src`` take nothing but what ``links`` made.
- What can't be seen in a text, or makes it look like another, is shown instead (``harmless``), so a
  page is always valid UTF-8.
- The page's own code and style come in by ``script`` and ``style``, from the package and never from
  a trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from types import MappingProxyType
from typing import Final, TypeAlias

from refold.render.report.assets import Asset
from refold.render.report.links import ImageData, Link
from refold.render.terminal.harmless import harmless

__all__ = [
    "Attributes",
    "Content",
    "Html",
    "document",
    "element",
    "image",
    "joined",
    "link",
    "script",
    "style",
]

# fmt: off
_ELEMENTS: Final = frozenset((
    "article", "body", "code", "dd", "details", "div", "dl", "dt", "footer", "g", "h1", "h2",
    "h3", "head", "header", "html", "li", "main", "meta", "nav", "p", "path", "pre", "rect",
    "section", "small", "span", "strong", "summary", "svg", "table", "tbody", "td", "text", "th",
    "thead", "time", "title", "tr", "ul",
))
_ATTRIBUTES: Final = frozenset((
    "charset", "class", "content", "d", "datetime", "dir", "height", "http-equiv", "id", "lang",
    "name", "preserveAspectRatio", "role", "scope", "tabindex", "viewBox", "width", "x", "y",
))
# fmt: on
_VOID: Final = frozenset({"meta", "path", "rect"})
_FREE: Final = re.compile(r"(?:aria|data)-[a-z-]+")
_ADDRESSES: Final = ("#", "http://", "https://")


class Html:
    """A piece of markup. ``Html(text)`` is that text, escaped; ``str()`` of it is the markup.

    Args:
        text: any text.
    """

    __slots__ = ("_markup",)

    def __init__(self, text: str) -> None:
        self._markup = escape(harmless(text))

    def __str__(self) -> str:
        return self._markup

    def __repr__(self) -> str:
        return f"<Html {self._markup[:60]!r}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Html) and self._markup == other._markup

    def __hash__(self) -> int:
        return hash(self._markup)


Content: TypeAlias = Html | str
Attributes: TypeAlias = Mapping[str, str | int | bool | None]

_NONE: Final[Attributes] = MappingProxyType({})


def element(name: str, attributes: Attributes = _NONE, *contents: Content) -> Html:
    """Return an element.

    Args:
        name: one of those listed above.
        attributes: of those listed above, ``aria-…`` and ``data-…``; True is an empty value, False
            and None leave the attribute out.
        contents: markup, or text, which is escaped.

    Raises:
        ValueError: the element or an attribute isn't listed.
    """
    if name not in _ELEMENTS:
        raise ValueError(f"expected a listed element, got {name!r}")
    return _element(name, _attributes(attributes), contents)


def link(address: Link, attributes: Attributes, *contents: Content) -> Html:
    """Return a link; one that leaves the page tells nobody where it came from.

    Args:
        address: where it leads.
        attributes: as for ``element``.
        contents: markup, or text.
    """
    _check_address(address.address, _ADDRESSES)
    leaving = "" if address.address.startswith("#") else ' rel="noopener noreferrer nofollow"'
    written = f'{_attributes(attributes)} href="{escape(address.address)}"{leaving}'
    return _element("a", written, contents)


def image(source: ImageData, attributes: Attributes, alternative: str) -> Html:
    """Return an image.

    Args:
        source: its data.
        attributes: as for ``element``.
        alternative: what it is, in words.
    """
    _check_address(source.address, ("data:image/",))
    said = Html(alternative)
    lazily = 'loading="lazy" decoding="async"'
    return _trusted(
        f'<img{_attributes(attributes)} {lazily} alt="{said}" src="{escape(source.address)}">'
    )


def joined(contents: Iterable[Content], between: Content = "") -> Html:
    """Return markup and texts one behind the other."""
    return _trusted(_markup(between).join(map(_markup, contents)))


def script(code: Asset) -> Html:
    """Return the page's code."""
    return _trusted(f"<script>{code.text}</script>")


def style(code: Asset) -> Html:
    """Return the page's style."""
    return _trusted(f"<style>{code.text}</style>")


def document(root: Html) -> str:
    """Return a whole page as a text."""
    return f"<!doctype html>\n{root}\n"


def _element(name: str, attributes: str, contents: Iterable[Content]) -> Html:
    if name in _VOID:
        return _trusted(f"<{name}{attributes}/>")
    inside = "".join([_markup(each) for each in contents])
    # A parser drops the first line feed of a ``pre``.
    opening = "\n" if name == "pre" and inside.startswith("\n") else ""
    return _trusted(f"<{name}{attributes}>{opening}{inside}</{name}>")


def _attributes(attributes: Attributes) -> str:
    written = ""
    for name, value in attributes.items():
        _check(name)
        if value is True:
            written += f' {name}=""'
        elif value is not None and value is not False:
            written += f' {name}="{Html(value) if isinstance(value, str) else value}"'
    return written


@cache
def _check(name: str) -> None:
    if name not in _ATTRIBUTES and _FREE.fullmatch(name) is None:
        raise ValueError(f"expected a listed attribute, got {name!r}")


def _check_address(address: str, beginnings: tuple[str, ...]) -> None:
    if not address.lower().startswith(beginnings):
        raise ValueError(f"expected an address as links make them, got {address[:80]!r}")


def _markup(content: Content) -> str:
    return content._markup if type(content) is Html else escape(harmless(str(content)))


def _trusted(markup: str) -> Html:
    trusted = object.__new__(Html)
    trusted._markup = markup
    return trusted
