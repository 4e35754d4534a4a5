"""The page's own style and code, and the hashes that pin them.

Rules of this file:

- They are read once, from the package; nothing of a trace ever gets into them.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Final

from refold.records import record

__all__ = ["Asset", "page_code", "page_style", "security_policy"]

_PACKAGE: Final = "refold.render.report"


@record
class Asset:
    """A file of the page, as it stands between its tags."""

    text: str

    @property
    def pin(self) -> str:
        """The hash by which a policy allows this text and no other."""
        return f"'sha256-{b64encode(hashlib.sha256(self.text.encode()).digest()).decode()}'"


@cache
def page_code() -> Asset:
    """Return the page's script."""
    return _read("page.js")


@cache
def page_style() -> Asset:
    """Return the page's style sheet."""
    return _read("page.css")


def security_policy() -> str:
    """Return what the page may do: run its own script, wear its own style, show data images."""
    return (
        f"default-src 'none'; script-src {page_code().pin}; style-src {page_style().pin}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _read(name: str) -> Asset:
    return Asset(text=files(_PACKAGE).joinpath(name).read_text("utf-8"))
