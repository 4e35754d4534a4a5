"""Keep a tool's result within its budgets."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.history import Image, Part, PlainText
from refold.policies.result_elision import elide_result, elide_text
from refold.policies.utf8 import sendable, utf8_length
from tests.policies.strategies import parts, texts


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("short", 5, "short"),
        ("a" * 50 + "b" * 50, 40, "a" * 10 + "\n[80 bytes elided]\n" + "b" * 10),
        ("é" * 50, 41, "é" * 5 + "\n[80 bytes elided]\n" + "é" * 5),
        ("é" * 50, 38, "é" * 4 + "\n[84 bytes elided]\n" + "é" * 4),
        ("é" * 50, 20, "\n[100 bytes elided]\n"),
        ("é" * 50, 19, "é" * 9),
        ("abc", 0, ""),
        ("abc", -1, ""),
    ],
)
def test_a_long_text_loses_its_middle(text: str, limit: int, kept: str) -> None:
    assert elide_text(text, limit) == kept


@given(texts | st.text("a😀", min_size=30, max_size=60), st.integers(-1, 80))
def test_an_elided_text_keeps_to_its_limit_and_counts_truly(text: str, limit: int) -> None:
    kept = elide_text(text, limit)
    whole = sendable(text)
    assert utf8_length(kept) <= max(0, limit)
    found = re.fullmatch(r"(.*)\n\[(\d+) bytes elided\]\n(.*)", kept, re.DOTALL)
    if found:
        front, gone, back = found.groups()
        assert whole.startswith(front)
        assert whole.endswith(back)
        assert utf8_length(front) + int(gone) + utf8_length(back) == utf8_length(whole)
    else:
        assert whole.startswith(kept)
        assert kept == whole or utf8_length(whole) > limit


SMALL, LARGE = Image(url="data:,a"), Image(url="data:," + "a" * 93)
MARKER = PlainText(text="[image of 99 bytes left out]")
CASES: dict[str, tuple[tuple[Part, ...], int, int, tuple[Part, ...]]] = {
    "what fits stays": ((PlainText(text="a"), SMALL), 100, 100, (PlainText(text="a"), SMALL)),
    "an image above the total becomes a marker": ((LARGE, SMALL), 50, 50, (MARKER, SMALL)),
    "an image doesn't use up the texts' budget": (
        (SMALL, PlainText(text="abc")),
        20,
        3,
        (SMALL, PlainText(text="abc")),
    ),
    "texts share their budget": (
        (PlainText(text="abc"), PlainText(text="def")),
        100,
        4,
        (PlainText(text="abc"), PlainText(text="d")),
    ),
    "what nothing is left for is dropped": (
        (PlainText(text="abc"), PlainText(text="def"), LARGE),
        100,
        3,
        (PlainText(text="abc"),),
    ),
    "an empty text stays an empty text": ((PlainText(text=""),), 0, 0, (PlainText(text=""),)),
}


@pytest.mark.parametrize(("given_", "total", "text", "kept"), CASES.values(), ids=CASES)
def test_a_result_within_its_budgets(
    given_: tuple[Part, ...], total: int, text: int, kept: tuple[Part, ...]
) -> None:
    assert elide_result(given_, total_bytes=total, text_bytes=text) == kept


@given(parts, st.integers(0, 60), st.integers(0, 60))
def test_no_result_exceeds_its_budgets_and_no_image_is_torn(
    offered: tuple[Part, ...], total: int, text: int
) -> None:
    kept = elide_result(offered, total_bytes=total, text_bytes=text)
    written = sum(utf8_length(part.text) for part in kept if isinstance(part, PlainText))
    images = [part for part in kept if isinstance(part, Image)]
    assert written <= text
    assert written + sum(utf8_length(image.url) for image in images) <= total
    assert all(image in offered for image in images)
