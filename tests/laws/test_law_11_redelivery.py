"""Law 11: delivering something again leaves the view as if it had come once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.folding import replay
from refold.laws.of_deliveries import redelivery_is_harmless
from refold.live import HistoryLoaded, Received, connect, step
from refold.messages import Message
from refold.reduce.cases import role_of
from refold.views import digest, to_json
from tests.laws.deliveries import delivered, history_of
from tests.strategies import any_streams, disciplined_streams

_NOTHING = HistoryLoaded()


@given(any_streams(), st.data())
def test_what_comes_again_under_its_event_id_changes_nothing(
    stream: list[Message], data: st.DataObject
) -> None:
    """Any stretch, any number of times, partials too."""
    live = list(enumerate(stream))
    again = live
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(live)))
        begin = data.draw(st.integers(0, place))
        at = again.index(live[place - 1]) + 1 if place else 0
        again = [*again[:at], *live[begin:place], *again[at:]]
    once = delivered(live, _NOTHING, behind=0, ids=True)
    twice = delivered(again, _NOTHING, behind=0, ids=True)
    assert to_json(twice.session) == to_json(once.session)
    assert twice.redelivered == len(again) - len(live)


@given(any_streams())
def test_a_stream_sent_three_times_from_its_beginning_is_one_stream(
    stream: list[Message],
) -> None:
    """0..n, 0..n, 0..n gives an equal view and digest."""
    live = list(enumerate(stream))
    once = delivered(live, _NOTHING, behind=0, ids=True)
    thrice = delivered(live * 3, _NOTHING, behind=0, ids=True)
    assert to_json(thrice.session) == to_json(once.session)
    assert digest(thrice.session) == digest(once.session)


@given(disciplined_streams(), st.data())
def test_a_message_of_the_history_comes_once_more_without_an_id(
    stream: list[Message], data: st.DataObject
) -> None:
    """While its session's overlap lasts, the index absorbs it."""
    history = history_of(stream)
    again = [each for each in history if role_of(each.payload) not in ("partial", "unknown")]
    state, _ = step(connect(), HistoryLoaded(messages=history))
    before = to_json(state.session)
    for message in data.draw(st.lists(st.sampled_from(again), max_size=6, unique_by=id)):
        state, _ = step(state, Received(message=message))
    assert to_json(state.session) == before
    assert replay(history, now_ms=0).items == state.session.items


@given(any_streams())
def test_the_law_holds_as_users_run_it(stream: list[Message]) -> None:
    """``refold verify`` finds nothing."""
    assert redelivery_is_harmless(stream) is None
