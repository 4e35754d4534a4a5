"""Where a link may lead and an image may come from: the only values ``href`` and ``src`` take.

Rules of this file:

- A link leads to a place on the page, or to a web address that is shown as it is. Nothing else can
  be made: no ``javascript:``, no ``data:``, no file.
- An image is data of a type that can't act, base64 and nothing else. The page loads nothing.
- The id of an item is its session's number and its key, with nothing in it that an address changes.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from refold.records import record

__all__ = [
    "ImageData",
    "Link",
    "image_data",
    "item_id",
    "row_id",
    "session_id",
    "to_place",
    "web_link",
]

_SAFE: Final = ":~"
_PLACE: Final = re.compile(r"[A-Za-z0-9:~/%._-]+")
_WEB: Final = re.compile(r"https?://[^\s\x00-\x20\x7f-\xa0\"'<>\\^`{|}]+", re.IGNORECASE)
_LONGEST_ADDRESS: Final = 2048
_IMAGE: Final = re.compile(
    r"data:(?P<type>image/(?:png|jpe?g|gif|webp|avif|bmp));base64,(?P<data>[A-Za-z0-9+/\s]*={0,2}\s*)",
    re.IGNORECASE,
)


@record
class Link:
    """An address that is safe to follow; made by ``to_place`` and ``web_link`` only."""

    address: str


@record
class ImageData:
    """An image that is safe to show; made by ``image_data`` only.

    Args:
        address: a data URL.
        media_type: what it says it is.
        size: bytes, about.
    """

    address: str
    media_type: str
    size: int


def to_place(place: str) -> Link:
    """Return a link to a place on the page.

    Args:
        place: its id, as the functions below make them.

    Raises:
        ValueError: it is no such id.
    """
    if _PLACE.fullmatch(place) is None:
        raise ValueError(f"expected the id of a place, got {place[:80]!r}")
    return Link(address=f"#{place}")


def web_link(address: str) -> Link | None:
    """Return a link to a web address, or None if it is none that can be shown as it is."""
    if len(address) > _LONGEST_ADDRESS or _WEB.fullmatch(address) is None:
        return None
    return Link(address=address) if address.isascii() else None


def image_data(address: str) -> ImageData | None:
    """Return the image of a data URL, or None if it is none of a type that can't act."""
    found = _IMAGE.fullmatch(address)
    if found is None:
        return None
    data = "".join(found["data"].split())
    media_type = found["type"].lower()
    return ImageData(
        address=f"data:{media_type};base64,{data}", media_type=media_type, size=len(data) * 3 // 4
    )


def item_id(session: int, key: str) -> str:
    """Return the id of an item.

    Args:
        session: the session's place in the analysis; the main session's items have bare keys.
        key: the item's.
    """
    shown = quote(key, safe=_SAFE, errors="surrogatepass")
    return f"s{session}/{shown}" if session else shown


def session_id(session: int) -> str:
    """Return the id of a session."""
    return f"session{session}"


def row_id(place: str) -> str:
    """Return the id of the table row that is about a place."""
    return f"row:{place}"
