"""Bars: rows without overlap, and no more bars than an eye could part."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from refold.render.report.bars import MOST_ROWS, Bar, Lane, bounded, packed, rows_of
from refold.render.report.moments import WIDTH, scale_of

SPANS = st.tuples(st.integers(0, 10_000), st.integers(0, 500)).map(
    lambda each: (each[0], sum(each))
)
BARS = st.lists(SPANS, max_size=40).map(lambda spans: [bar(*span) for span in spans])


def bar(begin: int, end: int, **changes: object) -> Bar:
    return Bar(
        interval=(begin, end), tone="tool", says=f"{begin}", places=(f"p{begin}",), **changes
    )  # type: ignore[arg-type]


@given(BARS)
def test_bars_of_one_row_don_t_overlap_while_there_is_room(bars: list[Bar]) -> None:
    lane = packed("t", "n", bars)
    assert len(lane.bars) == len(bars)
    assert lane.rows == max([each.row for each in lane.bars], default=0) + 1 <= MOST_ROWS
    for row in range(MOST_ROWS - 1):
        spans = [each.interval for each in lane.bars if each.row == row]
        assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))


def test_the_last_row_is_shared_by_what_finds_no_room() -> None:
    assert rows_of([bar(0, 9)] * 8) == [0, 1, 2, 3, 4, 5, 5, 5]


@given(BARS)
def test_no_item_is_lost_where_bars_become_one(bars: list[Bar]) -> None:
    scale = scale_of([0, 10_500_000], [])
    assert scale is not None
    lane = packed("t", "n", bars)
    thin = bounded(lane, scale)
    assert sum(each.joined for each in thin.bars) == len(bars)
    places = [place for each in thin.bars for place in each.places]
    assert sorted(places) == sorted(place for each in bars for place in each.places)
    slivers = [(each.row, scale.x(each.interval[0]) * 4000 // WIDTH) for each in thin.bars]
    assert len(thin.bars) <= len(set(slivers)) * 2


def test_neighbours_in_a_sliver_become_one_that_says_if_any_failed() -> None:
    scale = scale_of([0, 8_000_000], [])
    assert scale is not None
    bars = (bar(0, 10), bar(20, 30), bar(4_000, 4_010))
    failed = Bar(interval=(40, 50), tone="failed", says="40", places=("p40",))
    lane = Lane(title="t", note="n", bars=(bars[0], bars[1], failed, bars[2]))
    one = Bar(interval=(0, 50), tone="failed", says="0", places=("p0", "p20", "p40"), joined=3)
    assert bounded(lane, scale) == Lane(title="t", note="n", bars=(one, bars[2]))


def test_a_lane_in_which_nothing_becomes_one_is_the_same() -> None:
    scale = scale_of([0, 100], [])
    assert scale is not None
    lane = packed("t", "n", [bar(0, 10), bar(20, 30)])
    assert bounded(lane, scale) is lane
