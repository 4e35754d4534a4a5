"""The laws of laws.md for the source ``openai-sse``."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from refold import record, replay, settled, to_json
from refold.sources.openai_sse import SOURCE
from refold.sources.openai_sse.responses import RESPONSE_EVENTS
from refold.sources.source import Record
from tests.sources.folding import counted, folded, messages_from, view
from tests.sources.openai_sse.strategies import (
    chat_chaos,
    chat_live,
    completions,
    response_chaos,
    response_live,
    responses,
    split,
)
from tests.sources.strategies_json import spoiled

CHAOS = (
    response_chaos(sorted(RESPONSE_EVENTS))
    | chat_chaos
    | st.tuples(response_chaos(sorted(RESPONSE_EVENTS)), chat_chaos).map(
        lambda both: [*both[0], *both[1]]
    )
)
LIVE = responses().map(response_live) | completions().map(chat_live)


@given(responses())
def test_a_stream_and_whole_responses_give_the_same_view(whole: list[dict[str, Any]]) -> None:
    """Law 12: live records and stored records agree, settled."""
    assert view(SOURCE, response_live(whole)) == view(SOURCE, whole)


@given(completions())
def test_chunks_and_whole_completions_give_the_same_view(whole: list[dict[str, Any]]) -> None:
    """Law 12."""
    assert view(SOURCE, chat_live(whole)) == view(SOURCE, whole)


@settings(max_examples=60)
@given(LIVE, st.data())
def test_where_deltas_are_cut_does_not_matter(events: list[Any], data: st.DataObject) -> None:
    """Law 5."""
    assert view(SOURCE, data.draw(split(events))) == view(SOURCE, events)


@given(LIVE)
def test_a_trace_of_the_stream_replays_to_the_same_view(events: list[Any]) -> None:
    """Law 4."""
    streamed = messages_from(SOURCE, events)
    trace = list(record(streamed))
    assert settled(replay(trace, now_ms=0)) == settled(replay(streamed, now_ms=0))


@given(responses())
def test_tokens_are_those_of_every_response(whole: list[dict[str, Any]]) -> None:
    used = [each["usage"] for each in whole]
    cached = [min(1, each.get("input_tokens_details", {}).get("cached_tokens", 0)) for each in used]
    expected = sum(
        max(each["input_tokens"], part) + each["output_tokens"]
        for each, part in zip(used, cached, strict=True)
    )
    assert folded(SOURCE, response_live(whole)).stats.session_total == expected


@settings(max_examples=60)
@given(CHAOS)
def test_any_sequence_of_events_gives_a_view_and_always_the_same(events: list[Any]) -> None:
    """Laws 1 and 3; and the source leaves its state as it was."""
    assert to_json(folded(SOURCE, events)) == to_json(folded(SOURCE, events))
    state = SOURCE.start()
    for event in events:
        before = state
        state, _ = SOURCE.step(before, Record(value=event), 1)
        assert SOURCE.step(before, Record(value=event), 2)[0] == state


@settings(max_examples=60)
@given(spoiled(CHAOS))
def test_any_json_value_is_a_record(records: Any) -> None:
    """Law 3: nothing raises, and what isn't understood is counted."""
    values = records if isinstance(records, list) else [records]
    folded(SOURCE, values)
    SOURCE.recognises(values)
    assert all(number > 0 for number in counted(SOURCE, values).values())
