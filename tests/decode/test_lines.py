"""Chunks to lines: the same lines wherever the chunks end."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.decode.lines import Chunk, line_batches
from refold.errors import DecodeError


def numbered(chunks: list[Chunk], limit: int = 100) -> list[tuple[int, object]]:
    return [
        (number, str(line) if isinstance(line, DecodeError) else line)
        for first, batch in line_batches(chunks, limit)
        for number, line in enumerate(batch, first)
    ]


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([], []),
        ([b""], []),
        ([b"a"], [(1, b"a")]),
        ([b"a\n"], [(1, b"a\n")]),
        ([b"a\n\nb"], [(1, b"a\n"), (2, b"\n"), (3, b"b")]),
        ([b"a", b"b\nc", b"", b"d"], [(1, b"ab\n"), (2, b"cd")]),
        ([b"a\r\n"], [(1, b"a\r\n")]),
        (["a\u2028\x0b\x85b\r\r\n"], [(1, "a\u2028\x0b\x85b\r\r\n")]),
        (["a\rb\n", "c"], [(1, "a\rb\n"), (2, "c")]),
        ([b"\n", b"\n", b"a\n"], [(1, b"\n"), (2, b"\n"), (3, b"a\n")]),
    ],
)
def test_only_a_line_feed_ends_a_line(chunks: list[Chunk], lines: list[tuple[int, object]]) -> None:
    assert numbered(chunks) == lines


@given(st.binary(max_size=40).map(lambda text: text.replace(b"\x00", b"\n")), st.data())
def test_where_chunks_end_doesnt_matter(text: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    bounds = [0, *cuts, len(text)]
    chunks: list[Chunk] = [text[a:b] for a, b in pairwise(bounds)]
    limit = data.draw(st.sampled_from([3, 100]))
    assert numbered(chunks, limit) == numbered([text], limit)


TOO_LONG = "expected a line of at most 5 bytes at $, got b'abcdef'"


@pytest.mark.parametrize(
    "chunks",
    [[b"12345\nabcdef\nend"], [b"12345\nabc", b"def\n", b"end"], [b"12345", b"\nabcdef", b"\nend"]],
)
def test_a_line_over_the_limit_is_reported_and_the_next_is_read(chunks: list[Chunk]) -> None:
    assert numbered(chunks, 5) == [(1, b"12345\n"), (2, TOO_LONG), (3, b"end")]


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("cut", [1, 99, 100])
def test_a_line_as_long_as_the_limit_is_read_whole(cut: int, end: bytes) -> None:
    line = b"x" * 100 + end
    assert numbered([line[:cut], line[cut:]], 100) == [(1, line)]


def test_a_line_over_the_limit_is_never_held() -> None:
    def chunks() -> Iterator[bytes]:
        yield b"a\n"
        for _ in range(200):
            yield b"x" * 100_000
        yield b"\nb\n"

    tracemalloc.start()
    lines = [line for _, batch in line_batches(chunks(), 300_000) for line in batch]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (lines[0], type(lines[1]), lines[2]) == (b"a\n", DecodeError, b"b\n")
    assert peak < 2_000_000


def test_lines_are_given_as_soon_as_they_have_ended() -> None:
    asked: list[int] = []

    def chunks() -> Iterator[bytes]:
        for at, chunk in enumerate([b"a\nb", b"\nc\n"]):
            asked.append(at)
            yield chunk

    batches = line_batches(chunks())
    assert next(batches) == (1, [b"a\n"])
    assert asked == [0]
    assert next(batches) == (2, [b"b\n", b"c\n"])
