from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.duplex.failures import IoFailed, LimitExceeded
from refold.policies.duplex.framer import Frame, Framer, Taken, end, feed, take
from refold.policies.duplex.limits import UNLIMITED, Limits, TurnBytes, start_counting

IDLE = TurnBytes()
TURN = start_counting(IDLE)
FRAME_TRIP = LimitExceeded(limit="frame_bytes", max=4)


def frames_of(
    data: bytes, limits: Limits = UNLIMITED, counter: TurnBytes = IDLE
) -> tuple[list[str], LimitExceeded | IoFailed | None]:
    framer, counter, found = feed(limits, Framer(), counter, data)
    last = end(limits, framer, counter)
    every = [*found, *(() if last.found is None else (last.found,))]
    frames = [each.text for each in every if isinstance(each, Frame)]
    trips = [each for each in every if not isinstance(each, Frame)]
    assert len(trips) <= 1
    return frames, trips[0] if trips else None


def test_line_ends_go_and_an_unterminated_last_line_is_a_frame() -> None:
    assert frames_of(b"a\r\n\nb\nc") == (["a", "", "b", "c"], None)


def test_only_one_carriage_return_goes_and_none_from_an_unterminated_line() -> None:
    assert frames_of(b"a\r\r\nb\r") == (["a\r", "b\r"], None)


def test_an_unterminated_last_line_can_be_dropped() -> None:
    framer, counter, found = feed(UNLIMITED, Framer(), IDLE, b"a\nb")

    assert found == (Frame(text="a"),)
    assert end(UNLIMITED, framer, counter, drop_tail=True).found is None


def test_no_input_is_no_frame() -> None:
    assert frames_of(b"") == ([], None)


def test_other_line_separators_end_no_line() -> None:
    text = "a\u2028b\u0085c\x0bd\x0ce"

    assert frames_of(text.encode() + b"\n") == ([text], None)


def test_the_newline_counts_against_the_frame_limit() -> None:
    assert frames_of(b"abc\n", Limits(max_frame_bytes=4)) == (["abc"], None)
    assert frames_of(b"abcd\n", Limits(max_frame_bytes=4)) == ([], FRAME_TRIP)


def test_the_frame_limit_trips_before_an_endless_line_is_buffered() -> None:
    taken = take(Limits(max_frame_bytes=4), Framer(), IDLE, b"x" * (1 << 20))

    assert taken.found == FRAME_TRIP
    assert taken.framer == Framer(dead=True)


def test_an_endless_line_in_pieces_never_holds_more_than_the_limit() -> None:
    framer, found = Framer(), None
    while found is None:
        taken = take(Limits(max_frame_bytes=10), framer, IDLE, b"xyz")
        framer, found = taken.framer, taken.found

    assert framer.size == 9


def test_behind_a_trip_nothing_comes() -> None:
    limits = Limits(max_frame_bytes=4)
    framer, counter, _ = feed(limits, Framer(), IDLE, b"abcdef\nok\n")

    assert feed(limits, framer, counter, b"ok\n") == (framer, counter, ())
    assert end(limits, framer, counter).found is None


def test_bytes_while_idle_are_free() -> None:
    assert frames_of(b"\n\n\n\nnot json\n", Limits(max_turn_bytes=3)) == (
        ["", "", "", "", "not json"],
        None,
    )


def test_newlines_blank_and_broken_lines_count_against_the_turn() -> None:
    frames, trip = frames_of(b"\n\n\n\nnot json\n", Limits(max_turn_bytes=10), TURN)

    assert frames == ["", "", "", ""]
    assert trip == LimitExceeded(limit="turn_bytes", max=10)


def test_the_slice_that_trips_is_not_charged() -> None:
    taken = take(Limits(max_turn_bytes=3), Framer(), TurnBytes(used=2), b"ab\n")

    assert taken.found == LimitExceeded(limit="turn_bytes", max=3)
    assert taken.counter == TurnBytes(used=2)


def test_the_frame_limit_goes_first_where_both_would_trip() -> None:
    limits = Limits(max_frame_bytes=4, max_turn_bytes=4)

    assert frames_of(b"abcde\n", limits, TURN) == ([], FRAME_TRIP)


def test_a_line_begun_while_idle_is_charged_to_the_turn_that_finds_it() -> None:
    prefix = b'{"type":"assistant","text":"a long prefix'
    limits = Limits(max_turn_bytes=20)
    framer, counter, found = feed(limits, Framer(), IDLE, prefix)
    assert found == ()

    taken = take(limits, framer, start_counting(counter), b'"}\n')

    assert taken.found == LimitExceeded(limit="turn_bytes", max=20)


def test_a_buffered_prefix_is_charged_once() -> None:
    framer, counter, _ = feed(UNLIMITED, Framer(), IDLE, b"abc")
    counter = start_counting(counter)
    for chunk in (b"d", b"e"):
        taken = take(UNLIMITED, framer, counter, chunk)
        framer, counter = taken.framer, taken.counter

    assert counter.used == 5


def test_what_follows_a_frame_is_not_yet_charged() -> None:
    taken = take(UNLIMITED, Framer(), TURN, b"ab\ncdef\n")

    assert taken == Taken(
        framer=Framer(), counter=TurnBytes(used=3), found=Frame(text="ab"), consumed=3
    )


def test_a_frame_that_is_no_utf8_ends_the_framing() -> None:
    frames, trip = frames_of(b"ok\n\xff\xfe\nnever\n")

    assert frames == ["ok"]
    assert trip == IoFailed(message="expected UTF-8 in a line of 2 bytes: invalid start byte")


def test_utf8_is_read_when_the_frame_is_whole() -> None:
    framer, counter, found = feed(UNLIMITED, Framer(), IDLE, "é".encode()[:1])
    assert found == ()

    assert feed(UNLIMITED, framer, counter, "é".encode()[1:] + b"\n")[2] == (Frame(text="é"),)


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"bc\n", "é".encode()]), max_size=12))
def test_frames_depend_on_the_bytes_and_not_on_the_chunks(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)
    framer, counter = Framer(), TURN
    found: list[str] = []
    for chunk in chunks:
        framer, counter, more = feed(UNLIMITED, framer, counter, chunk)
        found += [each.text for each in more if isinstance(each, Frame)]
    last = end(UNLIMITED, framer, counter).found
    found += [last.text] if isinstance(last, Frame) else []

    assert (found, None) == frames_of(whole)
    assert counter.used == len(whole)


@given(
    st.binary(max_size=24).map(lambda data: bytes(byte % 3 + 10 for byte in data)),
    st.integers(1, 8) | st.none(),
    st.integers(1, 12) | st.none(),
    st.integers(1, 5),
)
def test_whether_and_where_a_limit_trips_does_not_depend_on_the_chunks(
    data: bytes, max_frame: int | None, max_turn: int | None, size: int
) -> None:
    limits = Limits(max_frame_bytes=max_frame, max_turn_bytes=max_turn)
    frames, trip = frames_of(data, limits, TURN)
    framer, counter = Framer(), TURN
    pieces: list[str] = []
    piecewise = None
    for start in range(0, len(data), size):
        framer, counter, more = feed(limits, framer, counter, data[start : start + size])
        pieces += [each.text for each in more if isinstance(each, Frame)]
        piecewise = next((each for each in more if not isinstance(each, Frame)), piecewise)
    last = end(limits, framer, counter).found
    pieces += [last.text] if isinstance(last, Frame) else []

    assert pieces == frames
    assert (piecewise is None) == (trip is None)


@pytest.mark.parametrize("size", [10, 10_000])
def test_a_line_in_single_bytes_is_reassembled(size: int) -> None:
    framer, counter = Framer(), IDLE
    for _ in range(size):
        taken = take(UNLIMITED, framer, counter, b"x")
        framer = taken.framer

    assert take(UNLIMITED, framer, counter, b"\n").found == Frame(text="x" * size)
