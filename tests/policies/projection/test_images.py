"""Which images a provider takes."""

from __future__ import annotations

import pytest

from refold.policies.projection.images import (
    ImageSource,
    InlineImage,
    WebImage,
    image_source,
    left_out,
)


@pytest.mark.parametrize(
    ("url", "source"),
    [
        ("data:image/png;base64,AAAA", InlineImage(media_type="image/png", data="AAAA")),
        ("data:image/PNG;base64,AA==", InlineImage(media_type="image/png", data="AA==")),
        ("data:image/jpg;base64,AAAA", InlineImage(media_type="image/jpeg", data="AAAA")),
        ("data:image/gif;x=1;base64,AAAA", InlineImage(media_type="image/gif", data="AAAA")),
        ("https://example.org/a.png?b=c", WebImage(url="https://example.org/a.png?b=c")),
        ("data:image/bmp;base64,AAAA", None),
        ("data:image/png;base64,", None),
        ("data:image/png;base64,AAA", None),
        ("data:image/png;base64,AA\nA", None),
        ("data:image/png,AAAA", None),
        ("https://exa mple.org", None),
        ("ftp://example.org/a.png", None),
        ("", None),
    ],
)
def test_a_source_is_what_every_provider_takes(url: str, source: ImageSource | None) -> None:
    assert image_source(url) == source


def test_an_inline_image_is_written_as_a_plain_data_url() -> None:
    image = image_source("data:image/JPG;name=a;base64,AAAA")
    assert image == InlineImage(media_type="image/jpeg", data="AAAA")
    assert image.url == "data:image/jpeg;base64,AAAA"


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("data:image/bmp;base64,AAAA", "[image left out: image/bmp]"),
        ("file:///secret", "[image left out]"),
        ("data:\x1b[31m;base64,AAAA", "[image left out]"),
        (f"data:image/{'x' * 99};base64,", f"[image left out: image/{'x' * 34}]"),
    ],
)
def test_what_stands_for_an_image_tells_its_type_and_no_more(url: str, text: str) -> None:
    assert left_out(url) == text
