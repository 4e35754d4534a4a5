"""The laws of laws.md for the source ``anthropic-sse``."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from refold import record, replay, settled, to_json
from refold.sources.anthropic_blocks import count
from refold.sources.anthropic_sse import SOURCE
from refold.sources.source import Record
from tests.sources.anthropic_sse.strategies import chaos, live, messages, split
from tests.sources.folding import counted, folded, messages_from, view
from tests.sources.strategies_json import spoiled


@given(messages())
def test_a_stream_and_whole_messages_give_the_same_view(whole: list[dict[str, Any]]) -> None:
    """Law 12: live records and stored records agree, settled."""
    assert view(SOURCE, live(whole)) == view(SOURCE, whole)


@settings(max_examples=60)
@given(messages(), st.data())
def test_where_deltas_are_cut_does_not_matter(
    whole: list[dict[str, Any]], data: st.DataObject
) -> None:
    """Law 5."""
    events = live(whole)
    assert view(SOURCE, data.draw(split(events))) == view(SOURCE, events)


@given(messages())
def test_tokens_are_those_of_the_last_word_of_every_message(whole: list[dict[str, Any]]) -> None:
    expected = sum(count(each) for message in whole for each in message["usage"].values())
    assert folded(SOURCE, live(whole)).stats.session_total == expected


@given(messages())
def test_a_trace_of_the_stream_replays_to_the_same_view(whole: list[dict[str, Any]]) -> None:
    """Law 4."""
    streamed = messages_from(SOURCE, live(whole))
    trace = list(record(streamed))
    assert settled(replay(trace, now_ms=0)) == settled(replay(streamed, now_ms=0))


@settings(max_examples=60)
@given(chaos)
def test_any_sequence_of_events_gives_a_view_and_always_the_same(
    events: list[dict[str, Any]],
) -> None:
    """Laws 1 and 3; and the source leaves its state as it was."""
    assert to_json(folded(SOURCE, events)) == to_json(folded(SOURCE, events))
    state = SOURCE.start()
    for event in events:
        before = state
        state, _ = SOURCE.step(before, Record(value=event), 1)
        assert SOURCE.step(before, Record(value=event), 2)[0] == state


@settings(max_examples=60)
@given(spoiled(chaos))
def test_any_json_value_is_a_record(records: Any) -> None:
    """Law 3: nothing raises, and what isn't understood is counted."""
    values = records if isinstance(records, list) else [records]
    folded(SOURCE, values)
    SOURCE.recognises(values)
    assert all(number > 0 for number in counted(SOURCE, values).values())
