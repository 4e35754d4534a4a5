"""A page of the documentation gets its table from a run."""

from __future__ import annotations

from pathlib import Path

__all__ = ["rewrite"]


def rewrite(page: Path, name: str, text: str) -> None:
    """Replace what stands between a page's two markers, ``<!-- name -->`` and ``<!-- /name -->``.

    Args:
        page: the Markdown file.
        name: of the markers.
        text: what is to stand between them.

    Raises:
        ValueError: a marker is missing.
    """
    opening, closing = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, found, rest = page.read_text("utf-8").partition(opening)
    _, closed, after = rest.partition(closing)
    if not found or not closed:
        raise ValueError(f"expected {opening.strip()} and {closing} in {page}")
    page.write_text(f"{before}{opening}{text.strip()}\n{closing}{after}", "utf-8")
