"""What stands inside a card: texts as they are, JSON, images.

Rules of this file:

- A very long text is cut in its middle, and the page says by how much.
- What is data is shown as data, each field on its own; what can't be read as such as a text.
- An image from the web is an address, not an image: a page that loads nothing tells nobody that it
  was opened.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from refold.json_values import thaw
from refold.render.numbers import count_text
from refold.render.report.html import Content, Html, element, image, joined, link
from refold.render.report.links import image_data, web_link

__all__ = ["LONGEST", "first_line", "images", "json_body", "one_image", "text_body"]

LONGEST: Final = 100_000
_SHORT_LINE: Final = 160
_SHORT_VALUE: Final = 100
_LONGEST_ADDRESS: Final = 300


def text_body(text: str, longest: int, name: str = "pre") -> Html:
    """Return a text as it is.

    Args:
        text: any text.
        longest: how many characters to show; the rest is left out of the middle. 0 is all.
        name: the element.
    """
    if not longest or len(text) <= longest:
        return element(name, {"dir": "auto"}, text)
    head = longest * 2 // 3
    tail = longest - head
    left_out = f"… {count_text(len(text) - longest)} characters left out …"
    return element(
        name,
        {"dir": "auto"},
        text[:head],
        element("span", {"class": "cut"}, f"\n{left_out}\n"),
        text[len(text) - tail :],
    )


def json_body(value: Any, longest: int) -> Html:
    """Return plain JSON data: the fields of an object each on its own, the rest as a text.

    Args:
        value: the data.
        longest: how many characters of a text to show.
    """
    if not isinstance(value, Mapping) or not value:
        return text_body(_json_text(value), longest)
    fields = [_field(str(name), each, longest) for name, each in value.items()]
    return element("dl", {"class": "fields"}, *fields)


def _field(name: str, value: Any, longest: int) -> Html:
    shown = value if isinstance(value, str) else _json_text(value)
    short = len(shown) <= _SHORT_VALUE and "\n" not in shown
    return element(
        "div",
        {"class": "short" if short else None},
        element("dt", {}, name),
        element("dd", {}, text_body(shown, longest, "code" if short else "pre")),
    )


def images(addresses: Iterable[str] | None, whose: str) -> Html:
    """Return images one behind the other.

    Args:
        addresses: data and web URLs, or None.
        whose: where they come from, in words.
    """
    return joined([one_image(address, whose) for address in addresses or ()])


def one_image(address: str, whose: str) -> Html:
    """Return an image, or its address where it may not be shown.

    Args:
        address: a data or web URL.
        whose: where it comes from, in words.
    """
    data = image_data(address)
    if data is not None:
        size = f"{count_text(data.size)} bytes"
        return image(data, {"class": "image"}, f"Image {whose}, {data.media_type}, {size}")
    leading = web_link(address)
    shown: Content = address[:_LONGEST_ADDRESS] + ("…" if address[_LONGEST_ADDRESS:] else "")
    if leading is not None:
        shown = link(leading, {}, shown)
    return element("p", {"class": "note"}, f"Image {whose}, not loaded: ", shown)


def first_line(text: str) -> str:
    """Return how a text begins, on one line."""
    line = next((line for line in text[: 4 * _SHORT_LINE].splitlines() if line.strip()), "")
    line = " ".join(line.split())
    return line if len(line) <= _SHORT_LINE else line[: _SHORT_LINE - 1] + "…"


def _json_text(value: Any) -> str:
    try:
        return json.dumps(thaw(value), ensure_ascii=False, indent=2)
    except (RecursionError, ValueError):
        return "{…}"
