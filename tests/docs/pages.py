"""The pages of the documentation, and the code blocks on them.

Rules of this file:

- A block's kind is its opening line. ``python`` blocks run, ``console`` blocks run where a command
  begins with ``refold``; every other kind (``sh``, ``text``, ``json`` …) is only looked at.
- A ``console`` block may end with ``exits N``: what its last command exits with, 0 if not said.
- A ``text`` block directly behind a ``python`` block that prints is what it prints.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

_BLOCK = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A code block: its kind, its text, its line, and what a printing one should print."""

    kind: str
    text: str
    line: int
    printed: str | None


def pages() -> list[Path]:
    """Return every page, the README first."""
    top = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(page: Path) -> str:
    """Return a page's path from the root."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """Return a page's code blocks, in order."""
    text = page.read_text("utf-8")
    found = list(_BLOCK.finditer(text))
    behind = {one.end(): other for one, other in pairwise(found)}
    return [
        Block(
            kind=each[1],
            text=each[2],
            line=text[: each.start()].count("\n") + 1,
            printed=_printed(text, each, behind.get(each.end())),
        )
        for each in found
    ]


def _printed(text: str, block: re.Match[str], following: re.Match[str] | None) -> str | None:
    if following is None or following[1] != "text" or "print(" not in block[2]:
        return None
    return following[2] if not text[block.end() : following.start()].strip() else None
