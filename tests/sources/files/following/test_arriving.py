"""Values from bytes that arrive in pieces: the same as from the whole, and as soon as can be."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.decode.lines import MAX_LINE
from refold.errors import DecodeError
from refold.sources.files.following.arriving import Arriving, Values, arriving
from refold.sources.shapes import Shape, values_in

LINES = b'{"a": 1}\n\n{"b": "\xc3\xa4"}{"c": 3}\r\nno object\n[1]\n{"torn": \n{"d": 4}\n{"e": 5}'
EVENTS = (
    b'data: {"a": 1}\n\nid: 7\r\ndata: {"b":\r\ndata: 2}\r\n\r\ndata: no\n\n: hm\n\ndata: {"c": 3}'
)
DOCUMENT = b'[\n {"a": 1},\n {"b": 2}\n]\n'


def named(values: Any) -> list[tuple[int | None, Any]]:
    return [
        (line, (str(value),) if isinstance(value, DecodeError) else value) for line, value in values
    ]


def cut(content: bytes, at: list[int]) -> list[bytes]:
    ends = sorted({each % (len(content) + 1) for each in at} | {0, len(content)})
    return [content[i:j] for i, j in pairwise(ends)]


def values_of(reader: Arriving, pieces: list[bytes], *, pausing: bool) -> Values:
    values: Values = []
    for piece in pieces:
        values += reader.take(piece)
        values += reader.pause() if pausing else []
    return values + reader.end()


@pytest.mark.parametrize(
    ("shape", "content"), [("lines", LINES), ("events", EVENTS), ("document", DOCUMENT)]
)
@given(at=st.lists(st.integers(0, 200), max_size=6), pausing=st.booleans())
def test_pieces_give_what_the_whole_gives(
    shape: Shape, content: bytes, at: list[int], pausing: bool
) -> None:
    whole = named(values_in([content], shape, name="f"))
    reader = arriving(shape, name="f", prose=True)
    found = named(values_of(reader, cut(content, at), pausing=pausing and shape != "document"))
    assert found == whole


def test_lines_of_messages_that_are_none_are_errors_with_their_places() -> None:
    reader = arriving("lines", name="f", prose=False)
    values = named([*reader.take(b'{"a": 1}\nno'), *reader.take(b" json\n{}\n")])
    assert values == [
        (1, {"a": 1}),
        (2, ("f, line 2: expected a JSON value at $, got 'no json'",)),
        (3, {}),
    ]


def test_an_object_counts_before_its_line_feed_comes_and_once() -> None:
    reader = arriving("lines", name=None, prose=False)
    assert (reader.take(b'{"a": {"b": 1}'), reader.pause()) == ([], [])
    assert (reader.take(b"}"), reader.pause()) == ([], [(1, {"a": {"b": 1}})])
    assert reader.pause() == []
    assert (reader.take(b'\n{"c": 2}\n'), reader.end()) == ([(2, {"c": 2})], [])


@pytest.mark.parametrize("begun", [b"12", b'"text"', b"[1]", b"true", b'{"a": 1} {"b"'])
def test_what_may_go_on_waits(begun: bytes) -> None:
    reader = arriving("lines", name=None, prose=False)
    assert (reader.take(begun), reader.pause()) == ([], [])


def test_an_event_waits_for_its_blank_line() -> None:
    reader = arriving("events", name=None, prose=False)
    assert (reader.take(b'data: {"a":\n'), reader.pause()) == ([], [])
    assert reader.take(b"data: 1}\n\n") == [(1, {"a": 1})]


def test_a_document_that_grows_makes_void_what_it_gave() -> None:
    reader = arriving("document", name=None, prose=False)
    assert (reader.take(DOCUMENT[:-2]), reader.void) == ([], False)
    assert [value for _, value in reader.pause()] == [{"a": 1}, {"b": 2}]
    reader.take(DOCUMENT[-2:])
    assert reader.void


def test_a_line_that_is_too_long_is_let_go_and_reported() -> None:
    reader = arriving("lines", name=None, prose=False)
    piece = b"x" * (1 << 24)
    for _ in range(MAX_LINE // len(piece) + 8):
        assert reader.take(piece) == []
    (found,) = reader.take(b"\n")
    assert found[0] == 1
    assert isinstance(found[1], DecodeError)
    assert reader.take(b'{"a": 1}\n') == [(2, {"a": 1})]
