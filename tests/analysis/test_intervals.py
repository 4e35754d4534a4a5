"""Time counted once, against counting every millisecond."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from refold.analysis.intervals import Interval, lanes, length, merged, within, without

moments = st.integers(0, 30)
intervals = st.lists(st.tuples(moments, moments), max_size=8)


def _milliseconds(many: list[Interval] | tuple[Interval, ...]) -> set[int]:
    return {each for begin, end in many for each in range(begin, end)}


@given(intervals)
def test_merged_covers_the_same_milliseconds_once(many: list[Interval]) -> None:
    union = merged(many)
    assert _milliseconds(union) == _milliseconds(many)
    assert length(union) == len(_milliseconds(many))
    assert all(end < begin for (_, end), (begin, _) in pairwise(union))


@given(intervals, intervals)
def test_without_removes_exactly_the_others(many: list[Interval], removed: list[Interval]) -> None:
    left = without(merged(many), merged(removed))
    assert _milliseconds(left) == _milliseconds(many) - _milliseconds(removed)
    assert length(left) == len(_milliseconds(left))


@given(intervals, intervals)
def test_within_keeps_exactly_what_both_have(many: list[Interval], others: list[Interval]) -> None:
    shared = within(merged(many), merged(others))
    assert _milliseconds(shared) == _milliseconds(many) & _milliseconds(others)
    assert length(shared) == len(_milliseconds(shared))


@given(
    st.lists(
        st.one_of(st.none(), st.tuples(moments, moments).map(lambda each: (min(each), max(each)))),
        max_size=8,
    )
)
def test_lanes_never_hold_two_at_once_and_no_lane_is_opened_in_vain(
    many: list[Interval | None],
) -> None:
    taken = lanes(many)
    placed = [(each, lane) for each, lane in zip(many, taken, strict=True) if each is not None]
    assert [lane is None for lane in taken] == [each is None for each in many]
    for (one, lane), (other, other_lane) in combinations(placed, 2):
        apart = one[1] <= other[0] or other[1] <= one[0]
        assert lane != other_lane or apart
    overlapping = max(
        (sum(begin <= moment < end for (begin, end), _ in placed) for moment in range(31)),
        default=0,
    )
    instants = sum(begin == end for (begin, end), _ in placed)
    assert overlapping <= len({lane for _, lane in placed}) <= overlapping + instants
