"""Which images a provider takes.

Rules of this file:

- PNG, JPEG, GIF and WebP as base64 data URLs, and web URLs: what all providers take.
- Anything else would have the whole request refused, so a short text stands in its place.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from refold.records import record

__all__ = ["ImageSource", "InlineImage", "WebImage", "image_source", "left_out"]

_MEDIA_TYPES = {
    "image/gif": "image/gif",
    "image/jpeg": "image/jpeg",
    "image/jpg": "image/jpeg",
    "image/png": "image/png",
    "image/webp": "image/webp",
}
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_WEB = re.compile(r"https?://[!-~]+")
_SHOWN = 40


@record
class InlineImage:
    """An image within the request."""

    media_type: str
    data: str

    @property
    def url(self) -> str:
        """The image as a data URL."""
        return f"data:{self.media_type};base64,{self.data}"


@record
class WebImage:
    """An image the provider fetches."""

    url: str


ImageSource: TypeAlias = InlineImage | WebImage


def image_source(url: str) -> ImageSource | None:
    """Return an image as a provider takes it, or None if none does.

    Args:
        url: a web or data URL, or anything else.
    """
    if _WEB.fullmatch(url):
        return WebImage(url=url)
    head, _, data = url.partition(",")
    media_type = _MEDIA_TYPES.get(_declared_type(head))
    if media_type is None or len(data) % 4 or not _BASE64.fullmatch(data):
        return None
    return InlineImage(media_type=media_type, data=data)


def left_out(url: str) -> str:
    """Return the text that stands for an image no provider takes."""
    declared = _declared_type(url.partition(",")[0])[:_SHOWN]
    return (
        f"[image left out: {declared}]"
        if declared.isprintable() and declared
        else "[image left out]"
    )


def _declared_type(head: str) -> str:
    """Return the media type that the head of a base64 data URL declares, or an empty text."""
    if not head.startswith("data:") or not head.endswith(";base64"):
        return ""
    return head[len("data:") :].partition(";")[0].lower()
