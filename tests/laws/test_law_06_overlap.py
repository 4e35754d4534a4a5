"""Law 6: a history and a stream that overlap give the view of what happened."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from refold.folding import replay
from refold.laws.of_deliveries import overlap_doesnt_matter
from refold.live import HistoryLoaded
from refold.messages import Message
from tests.laws.deliveries import (
    delivered,
    history_of,
    is_unechoed,
    known,
    lagging,
    live_tail,
    once,
    told,
)
from tests.strategies import any_streams, disciplined_streams


@st.composite
def cuts(draw: st.DrawFn, length: int, count: int) -> list[int]:
    """Places in a list, ascending."""
    return sorted(draw(st.integers(0, length)) for _ in range(count))


@given(any_streams(), st.booleans(), st.data())
def test_history_and_stream_overlap_anywhere(
    stream: list[Message], ids: bool, data: st.DataObject
) -> None:
    """Stream from any point before the history's end, arriving at any time, ids or none."""
    stream = once(stream)
    begin, end = data.draw(cuts(len(stream), 2))
    behind = data.draw(st.integers(0, len(stream) - begin))
    history = HistoryLoaded(messages=history_of(stream[:end]))
    live = list(enumerate(stream))[begin:]
    state = delivered(live, history, behind=behind, ids=ids)
    assert told(state.session) == told(replay(stream, now_ms=0))


@given(any_streams(), st.data())
def test_the_stream_need_not_echo_what_the_user_said(
    stream: list[Message], data: st.DataObject
) -> None:
    """The history holds session_meta, user texts and images that the stream never brought."""
    stream = once(stream)
    begin, end = data.draw(cuts(len(stream), 2))
    silent = {
        place
        for place in range(begin, end)
        if is_unechoed(stream[place]) and data.draw(st.booleans())
    }
    live = [each for each in enumerate(stream) if each[0] >= begin and each[0] not in silent]
    history = HistoryLoaded(messages=history_of(stream[:end]))
    state = delivered(live, history, behind=data.draw(st.integers(0, len(live))), ids=True)
    assert told(state.session) == told(replay(stream, now_ms=0))


@given(any_streams(), st.data())
def test_sessions_may_lag_behind_each_other(stream: list[Message], data: st.DataObject) -> None:
    """The stream keeps each session's order; what is new in one may come before what is old in another."""
    stream = once(stream)
    begin, end = data.draw(cuts(len(stream), 2))
    order = lagging(stream[begin:], lambda options: data.draw(st.sampled_from(options)))
    live = [(place, stream[begin + each]) for place, each in enumerate(order)]
    happened = [*stream[:end], *[stream[begin + each] for each in order if begin + each >= end]]
    history = HistoryLoaded(messages=history_of(stream[:end]))
    state = delivered(live, history, behind=data.draw(st.integers(0, len(live))), ids=False)
    assert told(state.session) == told(replay(happened, now_ms=0))


@given(disciplined_streams(), st.data())
def test_a_disciplined_stream_loses_nothing_to_the_overlap(
    stream: list[Message], data: st.DataObject
) -> None:
    """Where every fragment gets its complete, the whole settled view is that of what happened."""
    stream = once(stream)
    begin, end = data.draw(cuts(len(stream), 2))
    history = HistoryLoaded(messages=history_of(stream[:end]))
    live = list(enumerate(stream))[begin:]
    state = delivered(live, history, behind=data.draw(st.integers(0, len(live))), ids=True)
    assert known(state.session) == known(replay(stream, now_ms=0))


@given(disciplined_streams(interruptions=False), st.data())
def test_a_live_tail_stands_for_what_streamed_before(
    stream: list[Message], data: st.DataObject
) -> None:
    """Fragments in progress at the server are whole, wherever the stream was joined; it may lag."""
    stream = once(stream)
    stream = stream[: data.draw(st.integers(0, len(stream)))]
    begin, end, cursor = data.draw(cuts(len(stream), 3))
    tail = live_tail(stream, cursor)
    assume(tail is not None)
    history = HistoryLoaded(messages=history_of(stream[:end]), live_tail=tail)
    live = list(enumerate(stream))[begin:]
    state = delivered(live, history, behind=data.draw(st.integers(0, len(live))), ids=True)
    assert known(state.session) == known(replay(stream, now_ms=0))


@given(any_streams())
def test_the_law_holds_as_users_run_it(stream: list[Message]) -> None:
    """``refold verify`` finds nothing."""
    assert overlap_doesnt_matter(stream) is None
