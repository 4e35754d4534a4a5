"""Writes the parts of the documentation that the code says: ``python -m docs.generator``.

Rules of this package:

- ``names`` finds where a public name is defined, ``docstrings`` makes Markdown of what is written
  there; ``python_page``, ``commands_page`` and ``decisions_page`` make a page each.
- Sources are read, not run, wherever that is enough: a page is the same whatever Python writes it.
- A hand-written page keeps what stands outside its generated parts.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from docs.generator.commands_page import commands_page
from docs.generator.decisions_page import decisions_page
from docs.generator.python_page import python_page

__all__ = ["PAGES", "ROOT"]

ROOT = Path(__file__).parents[2]

PAGES: dict[str, Callable[[Path], str]] = {
    "docs/reference/python.md": python_page,
    "docs/reference/commands.md": commands_page,
    "docs/decisions.md": decisions_page,
}
