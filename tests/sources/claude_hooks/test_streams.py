"""One text put together by index."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.sources.claude_hooks.deltas import Delta
from refold.sources.claude_hooks.streams import MOST_WAITING, Stream, grown
from tests.sources.claude_hooks.strategies import chunked, deltas_of, texts


def grow(*deltas: Delta) -> tuple[Stream, list[str]]:
    stream, gains = Stream(message_id="m", seen=0), []
    for each in deltas:
        stream, gained = grown(stream, each)
        gains.append(gained)
    return stream, gains


def piece(index: int, text: str, *, final: bool = False) -> Delta:
    return Delta(message_id="m", index=index, final=final, text=text)


def test_a_duplicate_index_passes_once_and_the_first_wins() -> None:
    stream, gains = grow(piece(0, "dup"), piece(0, "other"), piece(1, "next", final=True))
    assert (str(stream.text), gains) == ("dupnext", ["dup", "", "next"])


def test_a_repeated_piece_returns_the_same_stream() -> None:
    stream, _ = grow(piece(0, "a"), piece(2, "c"))
    assert grown(stream, piece(0, "a"))[0] is stream
    assert grown(stream, piece(2, "c"))[0] is stream


def test_a_gap_holds_back_what_lies_behind_it() -> None:
    stream, gains = grow(piece(2, "c", final=True), piece(0, "a"))
    assert (str(stream.text), gains, stream.complete) == ("a", ["", "a"], False)
    stream, gained = grown(stream, piece(1, "b"))
    assert (str(stream.text), gained, stream.complete) == ("abc", "bc", True)


def test_nothing_comes_behind_the_final_piece() -> None:
    stream, _ = grow(piece(0, "a", final=True))
    assert grown(stream, piece(1, "b")) == (stream, "")


def test_what_waits_behind_a_gap_is_bounded() -> None:
    stream, _ = grow(*[piece(index, "x") for index in range(1, 2 * MOST_WAITING)])
    assert len(stream.waiting) == MOST_WAITING
    stream, _ = grown(stream, piece(0, "x"))
    assert stream.length == MOST_WAITING + 1


@given(st.data(), texts)
def test_however_a_text_is_cut_and_shuffled_the_stream_says_it(
    data: st.DataObject, text: str
) -> None:
    deltas = data.draw(st.permutations(deltas_of("m", data.draw(chunked(text)))))
    stream, gains = grow(*deltas, *deltas)
    assert (str(stream.text), stream.length, stream.complete) == (text, len(text), True)
    assert "".join(gains) == text
