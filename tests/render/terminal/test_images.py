"""Images in words: what they are and how large, or where."""

from __future__ import annotations

import pytest

from refold.render.terminal.images import image_text
from refold.render.terminal.layout import Layout


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("data:image/png;base64," + "A" * 96, "[image image/png, 72 bytes]"),
        ("data:image/jpeg;base64," + "A" * 4000, "[image image/jpeg, 3.0 kB]"),
        ("data:image/webp;base64," + "A" * 4_000_000, "[image image/webp, 3.0 MB]"),
        ("data:;base64,AAAA", "[image of no type, 3 bytes]"),
        ("https://example.org/cat.png", "[image https://example.org/cat.png]"),
        ("https://example.org/" + "x" * 10**6, "[image https://example.org/xx…"),
        ("\x1b]8;;evil\x07", "[image ␛]8;;evil␇]"),
        ("", "[image ]"),
    ],
)
def test_an_image_is_said(url: str, said: str) -> None:
    assert image_text(url, Layout(width=30)) == said or len(said) > 30
    assert image_text(url, Layout(width=60)).startswith(said.removesuffix("…"))
