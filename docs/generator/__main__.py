"""Write every generated page."""

from __future__ import annotations

from docs.generator import PAGES, ROOT

for name, page in PAGES.items():
    (ROOT / name).write_text(page(ROOT), encoding="utf-8")
