"""An image, in words."""

from __future__ import annotations

import re
from typing import Final

from refold.render.terminal.cells import clipped
from refold.render.terminal.harmless import one_line
from refold.render.terminal.layout import Layout

__all__ = ["image_text"]

_DATA: Final = re.compile(r"data:(?P<type>[\w.+-]{1,40}/[\w.+-]{1,60})?[^,]{0,100},")
_SHOWN: Final = 4096
_UNITS: Final = ((1_000_000, "MB"), (1_000, "kB"))


def image_text(url: str, layout: Layout) -> str:
    """Return what is said of an image: its type and size, or where it is.

    Args:
        url: a web or data URL.
        layout: the layout.
    """
    data = _DATA.match(url)
    if data is None:
        return clipped(f"[image {one_line(url[:_SHOWN])}]", layout.width)
    size = (len(url) - data.end()) * 3 // 4
    return f"[image {data['type'] or 'of no type'}, {_size_text(size)}]"


def _size_text(size: int) -> str:
    for factor, unit in _UNITS:
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"
