"""Generated parts of pages that are otherwise written by hand.

Rules of this file:

- A part stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``, each on a line.
- A page that lacks a part, or has one nobody makes, is an error: nothing is dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["filled"]

_PART = re.compile(r"(<!-- generated: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(page: str, parts: Mapping[str, str]) -> str:
    """Return a page with its generated parts written anew.

    Args:
        page: its text.
        parts: Markdown by the name of the part.

    Raises:
        ValueError: the page's parts aren't these.
    """
    named = [name for _, name, _ in _PART.findall(page)]
    if sorted(named) != sorted(parts):
        raise ValueError(f"expected the parts {sorted(parts)}, the page has {sorted(named)}")
    return _PART.sub(lambda found: f"{found[1]}{parts[found[2]].strip()}\n{found[3]}", page)
