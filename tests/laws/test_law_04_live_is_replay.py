"""Law 4: a live stream and its recorded trace settle in the same view."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.folding import replay
from refold.laws.of_folds import live_is_replay
from refold.messages import Message
from refold.recording import record
from refold.times import parse_ms
from tests.laws.folds import fold, idle_places, settled_json, untimed
from tests.strategies import chaotic_streams, disciplined_streams


@given(disciplined_streams())
def test_where_every_fragment_gets_its_complete_live_and_replay_are_equal(
    stream: list[Message],
) -> None:
    """settled(fold(S)) == settled(fold(record(S))): durations, order, keys and figures too."""
    trace = replay(record(stream), now_ms=7)
    assert settled_json(fold(stream)) == settled_json(trace)


@given(disciplined_streams(), st.data())
def test_an_idle_behind_which_nothing_begins_changes_nothing(
    stream: list[Message], data: st.DataObject
) -> None:
    """An idle may come anywhere behind which the session begins nothing before the next task."""
    places = idle_places(stream)
    idles = data.draw(st.sets(st.sampled_from(places), max_size=4)) if places else set()
    trace = replay(record(stream), now_ms=7)
    assert settled_json(fold(stream, idles=idles)) == settled_json(trace)


@given(disciplined_streams())
def test_a_foreign_trace_differs_in_starts_and_durations_only(stream: list[Message]) -> None:
    """With no ``started_at`` in the trace, all but starts and durations agree."""
    partials = ("start", "delta", "stop")
    trace = [each for each in stream if getattr(each.payload, "event_type", "") not in partials]
    assert untimed(settled_json(fold(stream))) == untimed(settled_json(replay(trace, now_ms=7)))


@given(chaotic_streams())
def test_what_completes_and_events_placed_is_equal_on_any_list(stream: list[Message]) -> None:
    """With no premise: everything a complete or an event placed is equal live and replayed."""
    assert live_is_replay(stream) is None


@given(st.one_of(chaotic_streams(), disciplined_streams()))
def test_recording_a_trace_again_changes_nothing(stream: list[Message]) -> None:
    """A trace holds no partials, and is its own recording."""
    trace = list(record(stream))
    again = list(record(trace))
    assert again == trace
    assert [each.transport for each in again] == [each.transport for each in trace]


@given(chaotic_streams())
def test_a_recorded_start_is_a_readable_time(stream: list[Message]) -> None:
    """``started_at`` is a timestamp of a start that the stream brought."""
    times = {parse_ms(each.timestamp) for each in stream}
    for each in record(stream):
        if each.transport is not None and each.transport.started_at is not None:
            assert parse_ms(each.transport.started_at) in times
