"""Turns as engines frame them."""

from __future__ import annotations

from hypothesis import given

from refold.markers import is_summary, steering_text
from refold.policies.history import Image, PlainText, steering, summary, text_of
from tests.policies.strategies import texts


@given(texts.filter(lambda text: "[/user_steering]" not in text))
def test_steering_is_framed_so_that_the_reducer_reads_it_back(text: str) -> None:
    framed = steering(text, ("data:,",))
    assert framed.purpose == "steering"
    assert framed.parts[1] == Image(url="data:,")
    assert steering_text(text_of(framed.parts)) == text


@given(texts)
def test_a_summary_is_framed_so_that_the_reducer_knows_it(text: str) -> None:
    assert is_summary(text_of(summary(text).parts))


def test_the_texts_of_parts_are_one_a_line() -> None:
    parts = (PlainText(text="a"), Image(url="u"), PlainText(text="b"))
    assert text_of(parts) == "a\nb"
