"""Time lines: moments keep their order, pauses are cut short, ticks are round."""

from __future__ import annotations

import itertools

from hypothesis import assume, given
from hypothesis import strategies as st

from refold.render.report.moments import (
    WIDTH,
    Piece,
    Scale,
    Tick,
    clock,
    moment,
    scale_of,
    spoken,
    ticks_of,
)

MOMENTS = st.integers(-(10**14), 3 * 10**14) | st.integers(0, 10_000_000)
INTERVALS = st.lists(st.tuples(MOMENTS, MOMENTS).map(sorted).map(tuple), max_size=20)
HOUR = 3_600_000


@given(st.lists(MOMENTS, min_size=1, max_size=20), INTERVALS)
def test_later_moments_never_stand_further_left(known: list[int], work: list[tuple]) -> None:
    scale = scale_of([*known, *[ms for each in work for ms in each]], work)
    assume(scale is not None)
    assert scale is not None
    moments = sorted([*known, *[ms for each in work for ms in each]])
    places = [scale.x(ms) for ms in moments]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0, WIDTH)
    assert scale.x(moments[0] - 1) == 0
    assert scale.x(moments[-1] + 1) == WIDTH


@given(st.lists(MOMENTS, min_size=1, max_size=20), INTERVALS)
def test_pieces_leave_no_gap_and_pauses_little_room(known: list[int], work: list[tuple]) -> None:
    scale = scale_of(known + [ms for each in work for ms in each], work)
    assume(scale is not None)
    assert scale is not None
    for one, other in zip(scale.pieces, scale.pieces[1:], strict=False):
        assert (one.end_ms, one.end_x) == (other.begin_ms, other.begin_x)
        assert one.begin_ms < one.end_ms
    assert sum(piece.end_x - piece.begin_x for piece in scale.pauses) <= WIDTH // 4


@given(st.lists(MOMENTS, min_size=1, max_size=20), INTERVALS)
def test_ticks_are_few_and_stand_apart(known: list[int], work: list[tuple]) -> None:
    scale = scale_of(known + [ms for each in work for ms in each], work)
    assume(scale is not None)
    assert scale is not None
    ticks = ticks_of(scale)
    assert len(ticks) <= 12
    for one, other in itertools.pairwise(ticks):
        assert other.x - one.x >= WIDTH // 12
        assert other.after_ms > one.after_ms


def test_a_long_pause_is_cut_short() -> None:
    scale = scale_of([0, 9 * HOUR], [(0, HOUR), (8 * HOUR, 9 * HOUR)])
    assert scale == Scale(
        pieces=(
            Piece(begin_ms=0, end_ms=HOUR, begin_x=0, end_x=490_000),
            Piece(begin_ms=HOUR, end_ms=8 * HOUR, begin_x=490_000, end_x=510_000, pause=True),
            Piece(begin_ms=8 * HOUR, end_ms=9 * HOUR, begin_x=510_000, end_x=WIDTH),
        )
    )


def test_a_short_pause_and_one_that_is_short_beside_the_work_stay() -> None:
    short = scale_of([0, 61_000], [(0, 500), (60_499, 61_000)])
    assert short is not None
    assert short.pauses == ()
    beside = scale_of([0, 21 * HOUR], [(0, 10 * HOUR), (11 * HOUR, 21 * HOUR)])
    assert beside is not None
    assert beside.pauses == ()


def test_with_no_work_known_nothing_is_a_pause() -> None:
    scale = scale_of([0, HOUR], [])
    assert scale is not None
    assert scale.pauses == ()


def test_no_time_is_no_time_line() -> None:
    assert scale_of([], []) is None
    assert scale_of([5, 5], [(5, 5)]) is None


def test_ticks_are_at_round_times_after_the_begin() -> None:
    scale = scale_of([7, 80_007], [(7, 80_007)])
    assert scale is not None
    assert ticks_of(scale) == tuple(
        Tick(x=each * WIDTH // 8, after_ms=each * 10_000) for each in range(8)
    )


def test_moments_are_utc() -> None:
    assert moment(1_783_209_600_007) == "2026-07-05T00:00:00.007Z"
    assert clock(1_783_209_600_007) == "00:00:00.007"
    assert spoken(1_783_209_600_007) == "2026-07-05 00:00:00"
    assert moment(-62_135_596_800_000) == "0001-01-01T00:00:00.000Z"
    assert moment(10**18) == "–"
