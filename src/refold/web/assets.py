"""The page's files.

Rules of this file:

- They are read once, from the package; a request names one of them and never a path.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from refold.records import record

__all__ = ["Asset", "read_assets"]

_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


@record
class Asset:
    """A file of the page."""

    content: bytes
    media_type: str


def read_assets() -> dict[str, Asset]:
    """Return the page's files by name."""
    return {
        each.name: Asset(content=each.read_bytes(), media_type=_TYPES[each.name.rpartition(".")[2]])
        for each in files("refold.web").joinpath("page").iterdir()
        if each.name.rpartition(".")[2] in _TYPES
    }
