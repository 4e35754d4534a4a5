"""The front page of the decisions: a line for each, with the way to its text.

Rules of this file:

- A decision is a heading ``## DATE: TITLE`` (the colon may be missing) or a list item
  ``- DATE. **TITLE**``, in a file of an area.
- What a title says in brackets, about where the other option stood, is left to the text.
- Areas come in the order of their names, decisions in the order of their file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docs.generator.parts import filled

__all__ = ["anchor", "decisions_page"]

_HEADING = r"## (?P<dated>\d{4}-\d\d-\d\d):? (?P<heading>[^\n]+)"
_ITEM = r"- (?P<from>\d{4}-\d\d-\d\d)\. \*\*(?P<item>.+?)\*\*"
_DECISION = re.compile(rf"^(?:{_HEADING}|{_ITEM})", re.MULTILINE | re.DOTALL)


def decisions_page(root: Path) -> str:
    """Return the page.

    Args:
        root: the checkout.
    """
    page = (root / "docs" / "decisions.md").read_text("utf-8")
    areas = sorted((root / "docs" / "decisions").glob("*.md"))
    return filled(page, {"decisions": "\n\n".join(_area(path) for path in areas)})


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as the usual renderers make it."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")


def _area(path: Path) -> str:
    text = path.read_text("utf-8")
    title = text.split("\n", 1)[0].removeprefix("# ").removeprefix("Decisions: ")
    head = f"### [{title[0].upper()}{title[1:]}](decisions/{path.name})"
    return "\n".join([head, "", *_lines(text, path.name)])


def _lines(text: str, name: str) -> Iterator[str]:
    for found in _DECISION.finditer(text):
        if found["heading"]:
            heading = found["heading"]
            at = anchor(found[0].removeprefix("## "))
            yield f"- {found['dated']} [{_sentence(heading)}](decisions/{name}#{at})"
        else:
            title = " ".join(found["item"].split())
            yield f"- {found['from']} [{_sentence(title)}](decisions/{name})"


def _sentence(title: str) -> str:
    title = re.sub(r" \((?:study|census|hazard)[^)]*\)$", "", title).rstrip(".,")
    first = title.split(" ")[0]
    return title if "_" in first else f"{title[0].upper()}{title[1:]}"
