"""The laws of laws.md for the source ``ag-ui``."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from refold import record, replay, settled, to_json
from refold.sources.ag_ui import SOURCE
from refold.sources.ag_ui.step import EVENTS
from refold.sources.source import Record
from tests.sources.ag_ui.strategies import chaos, conversations, live, split, stored
from tests.sources.folding import counted, folded, messages_from, view
from tests.sources.strategies_json import spoiled


@given(conversations())
def test_a_stream_and_a_snapshot_give_the_same_view(messages: list[dict[str, Any]]) -> None:
    """Law 12: live records and stored records agree, settled."""
    assert view(SOURCE, live(messages)) == view(SOURCE, stored(messages))


@given(conversations())
def test_a_snapshot_behind_the_stream_it_repeats_adds_nothing(
    messages: list[dict[str, Any]],
) -> None:
    streamed = live(messages)
    repeated = [*streamed[:-1], {"type": "MESSAGES_SNAPSHOT", "messages": messages}, streamed[-1]]
    assert view(SOURCE, repeated) == view(SOURCE, streamed)


@settings(max_examples=60)
@given(conversations(), st.data())
def test_where_deltas_are_cut_does_not_matter(
    messages: list[dict[str, Any]], data: st.DataObject
) -> None:
    """Law 5."""
    events = live(messages)
    assert view(SOURCE, data.draw(split(events))) == view(SOURCE, events)


@given(conversations())
def test_a_trace_of_the_stream_replays_to_the_same_view(messages: list[dict[str, Any]]) -> None:
    """Law 4."""
    streamed = messages_from(SOURCE, live(messages))
    trace = list(record(streamed))
    assert settled(replay(trace, now_ms=0)) == settled(replay(streamed, now_ms=0))


@given(conversations())
def test_events_one_by_one_or_as_one_document_give_the_same_messages(
    messages: list[dict[str, Any]],
) -> None:
    events = live(messages)
    one_by_one = messages_from(SOURCE, events)
    assert messages_from(SOURCE, [events]) == one_by_one
    assert messages_from(SOURCE, [{"case": events}]) == one_by_one


@settings(max_examples=60)
@given(chaos(sorted(EVENTS)))
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
@given(spoiled(chaos(sorted(EVENTS))))
def test_any_json_value_is_a_record(records: Any) -> None:
    """Law 3: nothing raises, and what isn't understood is counted."""
    values = records if isinstance(records, list) else [records]
    folded(SOURCE, values)
    SOURCE.recognises(values)
    assert all(number > 0 for number in counted(SOURCE, values).values())
