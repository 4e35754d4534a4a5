"""What a reader of a growing file of lines has to see of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.policies.probes import (
    WINDOW,
    Probe,
    end_of_lines,
    fingerprint,
    offset_of_line,
    probe,
    window,
)


def test_the_window_is_the_256_bytes_in_front_of_an_offset() -> None:
    assert window(1_000) == slice(744, 1_000)
    assert window(10) == slice(0, 10)
    assert window(0) == slice(0, 0)


def test_a_half_written_line_is_not_counted_to_the_end() -> None:
    assert end_of_lines(b"one\ntwo") == 4
    assert end_of_lines(b"one") == 0
    assert end_of_lines(b"one\ntwo\n") == 8


def test_the_offset_behind_n_lines_counts_whole_lines_only() -> None:
    content = b"one\ntwo\nthr"
    assert [offset_of_line(content, n) for n in range(4)] == [0, 4, 8, 8]


def test_a_probe_holds_the_sizes_and_both_windows() -> None:
    assert probe(b"one\ntwo\nthr", 4) == Probe(size=11, before=b"one\n", end=8, tail=b"one\ntwo\n")


def test_the_same_bytes_at_another_offset_have_another_fingerprint() -> None:
    assert fingerprint(0, b"") != fingerprint(1, b"")
    assert fingerprint(4, b"one\n") == fingerprint(4, b"one\n")


@given(st.binary(max_size=2 * WINDOW), st.integers(0, 2 * WINDOW))
def test_a_longer_file_has_the_same_fingerprint_at_the_same_place(content: bytes, at: int) -> None:
    offset = min(at, len(content))
    before = probe(content, offset).before
    assert probe(content + b"more\n", offset).before == before
