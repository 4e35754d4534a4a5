"""Every link leads somewhere: to a file of the project, and to a heading that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.generator.decisions_page import anchor

from tests.docs.pages import ROOT, name_of, pages

LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
PAGES = [*pages(), *sorted((ROOT / "golden").rglob("README.md"))]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    broken = [link for link in LINK.findall(text) if not leads(page, link)]
    assert broken == []


def test_every_page_can_be_reached_from_the_index() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        links = LINK.findall(page.read_text("utf-8"))
        waiting += [target(page, link) for link in links if not link.startswith("http")]
    assert [name_of(page) for page in pages() if page not in reached] == []


def leads(page: Path, link: str) -> bool:
    """Tell whether a link's file exists, and has the heading."""
    if link.startswith(("http:", "https:", "mailto:")):
        return True
    _, _, heading = link.partition("#")
    path = target(page, link)
    if not path.exists():
        return False
    return not heading or heading in anchors(path)


def target(page: Path, link: str) -> Path:
    """Return the file a link means."""
    name = link.partition("#")[0]
    return (page.parent / name).resolve() if name else page


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {anchor(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", each)) for each in headings}
